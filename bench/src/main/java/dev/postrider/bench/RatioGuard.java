package dev.postrider.bench;

import dev.postrider.testkit.internal.postgres.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;

/**
 * Finds out whether a release has become slower than the one before. Rates of other days and
 * machines say nothing, so what is kept is how far from the ceiling Postrider was in the same
 * minutes: the ratio to raw SQLite and to raw rows of PostgreSQL, which change little from one
 * machine to the next.
 */
public final class RatioGuard {
  private static final int ROUNDS = 5;
  private static final int MESSAGES = 100_000;

  /** What rounds on one quiet machine differ by, twice. */
  private static final double TOLERANCE = 0.85;

  private static final String HEAD = "release,what,ratio,lowest,highest";

  /** Messages per second. */
  @FunctionalInterface
  private interface Rate {
    double run() throws Exception;
  }

  /** What is measured beside its ceiling. */
  private record Pair(String what, Rate own, Rate ceiling) {}

  private record Ratio(String release, String what, double median, double lowest, double highest) {
    static Ratio of(String release, String what, List<Double> ratios) {
      List<Double> sorted = ratios.stream().sorted().toList();
      return new Ratio(
          release, what, sorted.get(sorted.size() / 2), sorted.getFirst(), sorted.getLast());
    }

    static Ratio parse(String line) {
      String[] fields = line.split(",", -1);
      return new Ratio(
          fields[0],
          fields[1],
          Double.parseDouble(fields[2]),
          Double.parseDouble(fields[3]),
          Double.parseDouble(fields[4]));
    }

    String line() {
      return String.format(
          Locale.ROOT, "%s,%s,%.3f,%.3f,%.3f%n", release, what, median, lowest, highest);
    }
  }

  private final Path folder;
  private int files;

  private RatioGuard(Path folder) {
    this.folder = folder;
  }

  /**
   * @param args a folder for its files, the file of the ratios that are kept, and the release to
   *     keep them for, if they are to be kept
   */
  public static void main(String[] args) throws Exception {
    Logger.getLogger("").setLevel(Level.WARNING);
    Path folder = Files.createTempDirectory(Path.of(args[0]), "guard");
    List<Ratio> ratios;
    try (PostgresServer server = PostgresServer.start()) {
      ratios = new RatioGuard(folder).measure(args.length > 2 ? args[2] : "now", server);
    } finally {
      Folders.delete(folder);
    }
    Path kept = Path.of(args[1]);
    boolean slower = report(ratios, last(kept));
    if (args.length > 2) {
      keep(kept, ratios);
    }
    System.exit(slower ? 1 : 0);
  }

  private List<Ratio> measure(String release, PostgresServer server) throws Exception {
    List<Ratio> all = new ArrayList<>();
    for (Pair pair : pairs(server)) {
      List<Double> ratios = new ArrayList<>();
      for (int round = -1; round < ROUNDS; round++) { // one to warm up; in turns
        double ceiling = pair.ceiling.run();
        double ratio = pair.own.run() / ceiling;
        if (round >= 0) {
          ratios.add(ratio);
        }
      }
      all.add(Ratio.of(release, pair.what, ratios));
    }
    return all;
  }

  private List<Pair> pairs(PostgresServer server) {
    List<Pair> all = new ArrayList<>();
    for (int chats : new int[] {100, 10_000}) {
      all.add(
          new Pair(
              "SQLite with %d chats".formatted(chats),
              () -> EndToEnd.throughput(fresh(), MESSAGES, chats),
              () -> RawSqlite.run(fresh(), MESSAGES, chats)));
    }
    for (int chats : new int[] {100, 10_000}) {
      all.add(
          new Pair(
              "PostgreSQL with %d chats".formatted(chats),
              () -> onSchema(server, url -> nodes(url, chats)),
              () -> onSchema(server, url -> RawPostgres.run(url, MESSAGES))));
    }
    return all;
  }

  private Path fresh() {
    return folder.resolve("guard-" + files++ + ".db");
  }

  private interface OnSchema {
    double run(String url) throws Exception;
  }

  private static double onSchema(PostgresServer server, OnSchema work) throws Exception {
    String url = server.newSchema();
    server.execute("CHECKPOINT"); // so that nobody pays for the one before
    try {
      return work.run(url);
    } finally {
      server.drop(url);
    }
  }

  private static double nodes(String url, int chats) throws Exception {
    try (Nodes opened = Nodes.open(url, 1, List.of("bot"))) {
      return opened.throughput(MESSAGES, chats, false);
    }
  }

  // ---- the release before

  /** The ratios that were kept last, by what they are of. */
  private static Map<String, Ratio> last(Path kept) throws IOException {
    Map<String, Ratio> last = new LinkedHashMap<>();
    if (Files.exists(kept)) {
      try (Stream<String> lines = Files.lines(kept)) {
        lines.skip(1).map(Ratio::parse).forEach(ratio -> last.put(ratio.what, ratio));
      }
    }
    return last;
  }

  /** Prints the table; true if something has become slower. */
  private static boolean report(List<Ratio> ratios, Map<String, Ratio> last) {
    boolean slower = false;
    System.out.println("| what | of its ceiling | release before | verdict |");
    System.out.println("|---|---|---|---|");
    for (Ratio ratio : ratios) {
      Ratio before = last.get(ratio.what);
      boolean worse = before != null && ratio.median < before.median * TOLERANCE;
      slower |= worse;
      System.out.printf(
          "| %s | %.0f %% (%.0f – %.0f) | %s | %s |%n",
          ratio.what,
          100 * ratio.median,
          100 * ratio.lowest,
          100 * ratio.highest,
          before == null ? "–" : "%.0f %% (%s)".formatted(100 * before.median, before.release),
          before == null ? "first" : worse ? "SLOWER" : "as before or better");
    }
    return slower;
  }

  private static void keep(Path kept, List<Ratio> ratios) throws IOException {
    StringBuilder lines = new StringBuilder(Files.exists(kept) ? "" : HEAD + "\n");
    ratios.forEach(ratio -> lines.append(ratio.line()));
    Files.writeString(kept, lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }
}
