package dev.postrider.bench.peers;

import dev.postrider.bench.Folders;
import dev.postrider.bench.RawPostgres;
import dev.postrider.bench.RawSqlite;
import dev.postrider.bench.peers.Contender.Kind;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;

/**
 * Measures Postrider and the queues of others side by side: every round, each does each piece of
 * work, one after the other, so that what disturbs the machine disturbs all. Writes the table and
 * the charts of docs/performance.md.
 */
public final class Comparison {
  private static final int CALLERS = 250; // a share of the keys each
  private static final int UNDER_WAY = 1_000;
  private static final int SECONDS_OF_WORK = 4;
  private static final int ROWS = 100_000;
  private static final int LONGEST_MINUTES = 4;
  private static final int KILL_AFTER_ACCEPTED = 2_000;
  private static final int SECONDS_TO_RECOVER = 60;

  private final Systems systems;
  private final Path log;
  private final Map<Contender, Results> results = new LinkedHashMap<>();

  private Comparison(Systems systems, Path log) {
    this.systems = systems;
    this.log = log;
  }

  /**
   * @param args folder for files; class path of queues in Java; folder of the queues of Node; where
   *     the table and the charts go; how many rounds; words, of which one must be in a contender's
   *     name if there are any
   */
  public static void main(String[] args) throws Exception {
    Logger.getLogger("").setLevel(Level.WARNING);
    Path folder = Files.createTempDirectory(Path.of(args[0]), "peers");
    int rounds = Integer.parseInt(args[4]);
    List<String> only = List.of(args).subList(5, args.length);
    Path log = Path.of(args[0], "peers.log");
    try (Systems systems = new Systems(folder, Path.of(args[0]), args[1], Path.of(args[2]))) {
      Comparison comparison = new Comparison(systems, log);
      for (int round = 0; round <= rounds; round++) { // the first finds out how much is enough
        for (Contender contender : systems.contenders()) {
          if (only.isEmpty() || only.stream().anyMatch(contender.name()::contains)) {
            comparison.round(contender, round);
          }
        }
      }
      new Report(comparison.results, systems.absent(), rounds).write(Path.of(args[3]));
    } finally {
      Folders.delete(folder);
    }
  }

  private void round(Contender contender, int round) throws Exception {
    Results into = results.computeIfAbsent(contender, _ -> new Results());
    if (round == 0) {
      pilot(contender, "enqueue", "enqueue", 1, into);
      pilot(contender, "bulk", "enqueue", 100, into);
      pilot(contender, "fifo", "fifo", 1, into);
      return;
    }
    measure(contender, "enqueue", "enqueue", work(into, "enqueue", 100, 1, 0), into);
    measure(contender, "bulk", "enqueue", work(into, "bulk", 10_000, 100, 0), into);
    for (int keys : new int[] {100, 10_000}) {
      measure(contender, "fifo " + keys, "fifo", work(into, "fifo", keys, 1, 0), into);
    }
    if (contender.name().equals("Postrider")) {
      limits(contender, into);
    }
    measure(contender, "failures", "fifo", work(into, "fifo", 100, 1, 20), into);
    int half = (int) Math.max(1, pilotRate(into, "fifo") / 2);
    measure(contender, "idle", "latency", new Work(300, 100, 1, 1, 0, 1, 0, 0), into);
    int some = Math.clamp(half * (long) SECONDS_OF_WORK, 100, 20_000);
    measure(contender, "half", "latency", new Work(some, 100, 1, 1, 0, 1, half, 0), into);
    for (int waiting : new int[] {10_000, 100_000, 1_000_000}) {
      // A queue that needs minutes for it shows nothing that is worth them.
      if (waiting < pilotRate(into, "bulk") * 60) {
        int count = Math.min(waiting, enough(into, "fifo"));
        Work drain = new Work(count, 10_000, 4, 1_000, 0, UNDER_WAY, 0, waiting);
        measure(contender, "waiting " + waiting, "drain", drain, into);
      }
    }
    kill(contender, into);
    if (contender.store() == Kind.POSTGRES) {
      for (int millis : new int[] {2, 5, 20}) {
        distant(contender, millis, into);
      }
    }
  }

  /** What the database itself does with rows of that size, written as often. */
  private void limits(Contender contender, Results into) throws Exception {
    for (int keys : new int[] {100, 10_000}) {
      String target = systems.fresh(contender);
      try {
        double rows =
            contender.store() == Kind.SQLITE
                ? RawSqlite.run(Path.of(target.substring("sqlite:".length())), ROWS, keys)
                : RawPostgres.run(target, ROWS);
        note(contender, "raw " + keys, Map.of("perSecond", rows), into);
      } finally {
        systems.drop(contender);
      }
    }
  }

  private Work work(Results from, String pilot, int keys, int bulk, int failEvery) {
    int callers = bulk == 1 ? Math.min(CALLERS, keys) : 8;
    return new Work(enough(from, pilot), keys, callers, bulk, failEvery, UNDER_WAY, 0, 0);
  }

  /** So many that they take some seconds. */
  private static int enough(Results from, String pilot) {
    return Math.clamp((long) (pilotRate(from, pilot) * SECONDS_OF_WORK), 500, 200_000);
  }

  private static double pilotRate(Results from, String pilot) {
    double rate = from.median("pilot " + pilot + " perSecond");
    return Double.isNaN(rate) ? 100 : rate;
  }

  private void pilot(Contender contender, String name, String what, int bulk, Results into)
      throws Exception {
    Work work = new Work(3_000, 100, bulk == 1 ? 100 : 8, bulk, 0, UNDER_WAY, 0, 0);
    measure(contender, "pilot " + name, what, work, into);
  }

  private void measure(Contender contender, String name, String what, Work work, Results into)
      throws Exception {
    String target = systems.fresh(contender);
    try {
      note(contender, name, run(contender, target, what, work), into);
    } finally {
      systems.drop(contender);
    }
  }

  /** The same with so much network between the queue and its database. */
  private void distant(Contender contender, int millis, Results into) throws Exception {
    systems.fresh(contender);
    try (DistantServer proxy = new DistantServer(systems.postgres().port(), millis)) {
      String target = systems.lastThrough(contender, proxy.port());
      Work work = new Work(1_500, 100, 100, 1, 0, UNDER_WAY, 0, 0);
      note(contender, millis + " ms away", run(contender, target, "fifo", work), into);
    } finally {
      systems.drop(contender);
    }
  }

  private static void note(
      Contender contender, String name, @Nullable Map<String, Double> result, Results into) {
    System.err.printf(
        "%s, %s: %s; load %.2f%n",
        contender.title(),
        name,
        result == null ? "did not finish" : result,
        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    if (result == null) {
      into.add(name + " unfinished", 1);
    } else {
      result.forEach((figure, value) -> into.add(name + " " + figure, value));
    }
  }

  /** What came of it, or null if it did not end in time or failed. */
  private @Nullable Map<String, Double> run(
      Contender contender, String target, String what, Work work) throws Exception {
    Process process = contender.begin(target, what, work, log);
    try (BufferedReader reader = output(process)) {
      Thread limit =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      if (!process.waitFor(LONGEST_MINUTES, TimeUnit.MINUTES)) {
                        process.toHandle().destroyForcibly();
                      }
                    } catch (InterruptedException e) {
                      Thread.currentThread().interrupt();
                    }
                  });
      String last = reader.lines().reduce("", (_, line) -> line);
      process.waitFor();
      limit.interrupt();
      return last.startsWith("{")
          ? Results.MAPPER.readValue(last, new TypeReference<Map<String, Double>>() {})
          : null;
    }
  }

  /**
   * Kills the process in the middle, starts another on the same store, and counts what was accepted
   * and not handled by either until a minute has passed.
   */
  private void kill(Contender contender, Results into) throws Exception {
    String target = systems.fresh(contender);
    Work work = new Work(0, 100, 20, 1, 0, UNDER_WAY, 0, 0);
    Set<String> accepted = new HashSet<>();
    Set<String> handled = new HashSet<>();
    try {
      Process first = contender.begin(target, "produce", work, log);
      read(
          first,
          accepted,
          handled,
          () ->
              accepted.size() >= KILL_AFTER_ACCEPTED && handled.size() >= KILL_AFTER_ACCEPTED / 4);
      Process second = contender.begin(target, "resume", work, log);
      Thread limit =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      second.waitFor(SECONDS_TO_RECOVER, TimeUnit.SECONDS);
                      second.toHandle().destroyForcibly();
                    } catch (InterruptedException e) {
                      Thread.currentThread().interrupt();
                    }
                  });
      read(second, accepted, handled, () -> handled.containsAll(accepted));
      limit.interrupt();
      accepted.removeAll(handled);
      note(contender, "killed", Map.of("lost", (double) accepted.size()), into);
    } finally {
      systems.drop(contender);
    }
  }

  /** Reads until enough is enough, kills the process, and reads what it still had said. */
  private static void read(
      Process process, Set<String> accepted, Set<String> handled, Enough enough)
      throws IOException, InterruptedException {
    try (BufferedReader reader = output(process)) {
      boolean killed = false;
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        if (line.startsWith("accepted ")) {
          accepted.add(line.substring(9));
        } else if (line.startsWith("handled ")) {
          handled.add(line.substring(8));
        }
        if (!killed && enough.reached()) {
          process.toHandle().destroyForcibly(); // the process would close what is still to be read
          killed = true;
        }
      }
    }
    process.waitFor();
  }

  @FunctionalInterface
  private interface Enough {
    boolean reached();
  }

  private static BufferedReader output(Process process) {
    return new BufferedReader(
        new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
  }
}
