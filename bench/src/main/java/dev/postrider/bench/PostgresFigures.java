package dev.postrider.bench;

import dev.postrider.Postrider;
import dev.postrider.testkit.internal.postgres.PostgresServer;
import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.IntStream;

/**
 * Measures every PostgreSQL figure of docs/performance.md in one run on one machine, against a
 * server of its own, and prints the table. The contenders take turns: what disturbs the machine
 * disturbs all of them.
 */
public final class PostgresFigures {
  private static final List<String> ONE = List.of("bot");
  private static final List<String> MANY =
      IntStream.rangeClosed(1, 15).mapToObj(n -> "bot-" + n).toList();

  /** Measures once, in an empty schema. */
  @FunctionalInterface
  private interface Measure {
    double run(String url, int count) throws Exception;
  }

  private record Contender(String name, int count, Measure measure) {}

  /** What a contender did in each round. */
  private static final class Series {
    final List<Double> rates = new ArrayList<>();
    double here;
    double database;
    long count;

    double median() {
      double[] sorted = rates.stream().mapToDouble(rate -> rate).sorted().toArray();
      return sorted[sorted.length / 2];
    }

    String spread() {
      double[] sorted = rates.stream().mapToDouble(rate -> rate).sorted().toArray();
      return "%,.0f – %,.0f".formatted(sorted[0], sorted[sorted.length - 1]);
    }

    /** Microseconds of processor per message. */
    String cost(double seconds) {
      return "%.0f µs".formatted(seconds * 1e6 / count);
    }
  }

  private final PostgresServer server;
  private final Cpu cpu;
  private final int rounds;

  private PostgresFigures(PostgresServer server, Cpu cpu, int rounds) {
    this.server = server;
    this.cpu = cpu;
    this.rounds = rounds;
  }

  /**
   * @param args how many rounds, five unless told; then, only contenders whose names contain this
   */
  public static void main(String[] args) throws Exception {
    Logger.getLogger("").setLevel(Level.WARNING);
    int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 5;
    String only = args.length > 1 ? args[1] : "";
    try (PostgresServer server = PostgresServer.start()) {
      describe(server.url());
      new PostgresFigures(server, Cpu.of(server.url()), rounds).run(only);
    }
  }

  private static void describe(String url) throws Exception {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      for (String setting :
          new String[] {
            "server_version", "fsync", "synchronous_commit", "full_page_writes", "shared_buffers"
          }) {
        try (ResultSet shown = statement.executeQuery("SHOW " + setting)) {
          shown.next();
          System.out.println(setting + " " + shown.getString(1));
        }
      }
    }
  }

  private void run(String only) throws Exception {
    List<Contender> contenders =
        List.of(
            new Contender("raw rows, 500 per commit", 100_000, RawPostgres::run),
            new Contender("one node, 100 chats", 100_000, nodes(1, ONE, 100, false)),
            new Contender("one node, 10,000 chats", 100_000, nodes(1, ONE, 10_000, false)),
            new Contender("one node, 15 accounts", 100_000, nodes(1, MANY, 10_000, false)),
            new Contender("two nodes, 15 accounts", 100_000, nodes(2, MANY, 10_000, false)),
            new Contender(
                "two nodes, 15 accounts, handed in at either",
                100_000,
                nodes(2, MANY, 10_000, true)));
    Map<Contender, Series> all = new LinkedHashMap<>();
    for (int round = -1; round < rounds; round++) { // one to warm up
      for (Contender contender : contenders) {
        if (contender.name.contains(only)) {
          Series series = all.computeIfAbsent(contender, _ -> new Series());
          measure(contender, series, round < 0);
        }
      }
    }
    print(all);
    if (only.isEmpty()) {
      latency();
    }
  }

  private static Measure nodes(int nodes, List<String> accounts, int chats, boolean anywhere) {
    return (url, count) -> {
      try (Nodes opened = Nodes.open(url, nodes, accounts)) {
        return opened.throughput(count, chats, anywhere);
      }
    };
  }

  private void measure(Contender contender, Series series, boolean warmUp) throws Exception {
    int count = warmUp ? contender.count / 2 : contender.count;
    String url = server.newSchema();
    server.execute("CHECKPOINT"); // so that nobody pays for the one before
    Cpu.Used before = cpu.used();
    double rate = contender.measure.run(url, count);
    Cpu.Used used = cpu.used().since(before);
    server.drop(url);
    System.err.printf(
        "%s%s: %,.0f/s; processor: %.1f s here, %.1f s database; load %.2f%n",
        warmUp ? "(warming up) " : "",
        contender.name,
        rate,
        used.here(),
        used.database(),
        ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
    if (!warmUp) {
      series.rates.add(rate);
      series.here += used.here();
      series.database += used.database();
      series.count += count;
    }
  }

  private static void print(Map<Contender, Series> all) {
    double ceiling =
        all.entrySet().stream()
            .filter(entry -> entry.getKey().name.startsWith("raw"))
            .mapToDouble(entry -> entry.getValue().median())
            .findFirst()
            .orElse(Double.NaN);
    System.out.println(
        "| what | median per second | lowest – highest | of raw rows | processor:"
            + " client | database |");
    System.out.println("|---|---|---|---|---|---|");
    all.forEach(
        (contender, series) ->
            System.out.printf(
                "| %s | %,.0f | %s | %.0f %% | %s | %s |%n",
                contender.name,
                series.median(),
                series.spread(),
                100 * series.median() / ceiling,
                series.cost(series.here),
                series.cost(series.database)));
  }

  private void latency() {
    double[] medians = new double[rounds];
    double[] tails = new double[rounds];
    for (int round = 0; round < rounds; round++) {
      String url = server.newSchema();
      NoopChannel channel = new NoopChannel();
      try (Postrider postrider = Nodes.open(url, "node-1", Nodes.DEEP, ONE, channel)) {
        double[] millis = EndToEnd.idleLatency(postrider, channel, 2_000);
        medians[round] = millis[0];
        tails[round] = millis[1];
      }
      server.drop(url);
    }
    Arrays.sort(medians);
    Arrays.sort(tails);
    System.out.printf(
        "idle, from hand-in to platform request: p50 %.2f ms (%.2f – %.2f), p99 %.2f ms"
            + " (%.2f – %.2f)%n",
        medians[rounds / 2],
        medians[0],
        medians[rounds - 1],
        tails[rounds / 2],
        tails[0],
        tails[rounds - 1]);
  }
}
