package dev.postrider.bench;

import dev.postrider.config.EncryptionKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** Measures every figure of docs/performance.md in one run on one machine, and prints the table. */
public final class Figures {
  private static final int ROUNDS = 5;
  private static final int WAITING = 1_000_000;
  private static final int LANES = 100_000;
  private static final int HOOKS = 10_000;
  private static final int IDLE = 10_000;
  private static final int HALF_OPEN = 1_000;

  private final Path folder;
  private int files;

  private Figures(Path folder) {
    this.folder = folder;
  }

  public static void main(String[] args) throws Exception {
    Path folder = Files.createTempDirectory(Path.of(args[0]), "figures");
    try {
      Figures figures = new Figures(folder);
      switch (args.length > 1 ? args[1] : "") {
        case "hooks" -> figures.hooks();
        case "runs" -> figures.runs();
        case "strangers" -> figures.strangers();
        case "encrypted" -> figures.encrypted();
        default -> figures.run();
      }
    } finally {
      Folders.delete(folder);
    }
  }

  private void run() throws Exception {
    System.out.println("| what | figure | beside |");
    System.out.println("|---|---|---|");
    for (int chats : new int[] {100, 10_000}) {
      double[] raw = new double[ROUNDS];
      double[] own = new double[ROUNDS];
      for (int round = -1;
          round < ROUNDS;
          round++) { // one to warm up; side by side, so that noise hits both
        double ceiling = RawSqlite.run(fresh(), 200_000, chats);
        double throughput = EndToEnd.throughput(fresh(), 200_000, chats);
        if (round >= 0) {
          raw[round] = ceiling;
          own[round] = throughput;
        }
      }
      row(
          "end to end in process, %,d chats".formatted(chats),
          "%,.0f messages/s".formatted(median(own)),
          "raw SQLite, same table, same two writes, 100 per commit: %,.0f/s; %.0f %%"
              .formatted(median(raw), 100 * median(own) / median(raw)));
    }
    double[] latency = EndToEnd.idleLatency(fresh(), 2_000);
    row(
        "idle, from hand-in to platform request",
        "p50 %.2f ms, p99 %.2f ms".formatted(latency[0], latency[1]),
        "");
    encrypted();
    hooks();
    strangers();
    runs();
    backlog();
  }

  /** With contents encrypted and without, in turns. */
  private void encrypted() throws Exception {
    EncryptionKeys keys = EncryptionKeys.of(EncryptionKeys.random());
    double[] plain = new double[ROUNDS];
    double[] encrypted = new double[ROUNDS];
    double[] ratios = new double[ROUNDS];
    for (int round = -1; round < ROUNDS; round++) { // one to warm up
      double without = EndToEnd.throughput(fresh(), 100_000, 10_000);
      double with = EndToEnd.throughput(fresh(), keys, 100_000, 10_000);
      if (round >= 0) {
        plain[round] = without;
        encrypted[round] = with;
        ratios[round] = with / without;
      }
    }
    row(
        "end to end with contents encrypted, 10,000 chats",
        "%,.0f messages/s".formatted(median(encrypted)),
        "without: %,.0f/s; ratio %.2f".formatted(median(plain), median(ratios)));
  }

  /** A small run warms up; then a small and a large one. */
  private void runs() throws Exception {
    RunFigures.run(fresh(), 1_000);
    for (int targets : new int[] {1_000, 100_000}) {
      RunFigures.Row row = RunFigures.run(fresh(), targets);
      row(
          "reminder to %,d groups".formatted(targets),
          "stored in %.0f ms, fired in %.0f ms; progress %.1f ms, a page of targets %.1f ms"
              .formatted(row.storeMillis(), row.fireMillis(), row.lookMillis(), row.pageMillis()),
          "%,.0f targets/s without pace; %d MiB of heap in use"
              .formatted(row.perSecond(), row.heapMegabytes()));
    }
  }

  /** The server, and a web server that reads and answers and does nothing else, in turns. */
  private void hooks() throws Exception {
    double[] own = new double[ROUNDS];
    double[] bare = new double[ROUNDS];
    int port = Child.freePort();
    int barePort = Child.freePort();
    try (Child server = serve(fresh(), port);
        Child nothing = Child.java(BareServer.class.getName(), "" + barePort)) {
      server.awaitReady(port);
      nothing.awaitReady(barePort);
      for (int round = -5; round < ROUNDS; round++) { // the others warm up
        int from = 1 + (round + 5) * HOOKS;
        double taken = HttpLoad.hooks(port, 64, from, HOOKS);
        double answered = HttpLoad.hooks(barePort, 64, from, HOOKS);
        if (round >= 0) {
          own[round] = taken;
          bare[round] = answered;
        }
      }
    }
    row(
        "webhooks taken in, %,d over 64 connections".formatted(HOOKS),
        "%,.0f/s, each stored and synced before its 200".formatted(median(own)),
        "the bare web server: %,.0f/s; %.0f %%"
            .formatted(median(bare), 100 * median(own) / median(bare)));
  }

  /** One server, by turns alone with its producers and beside connections that bring nothing. */
  private void strangers() throws Exception {
    double[] alone = new double[ROUNDS];
    double[] beside = new double[ROUNDS];
    double[] ratios = new double[ROUNDS];
    int port = Child.freePort();
    int cutOff = 0;
    try (Child server = serve(fresh(), port)) {
      server.awaitReady(port);
      HttpLoad.run(port, 64, 100_000, 10_000); // to warm up
      for (int round = 0; round < ROUNDS; round++) {
        alone[round] = HttpLoad.run(port, 64, 50_000, 10_000);
        try (Strangers strangers = new Strangers(port, IDLE, HALF_OPEN)) {
          beside[round] = HttpLoad.run(port, 64, 50_000, 10_000);
          ratios[round] = beside[round] / alone[round];
          cutOff += strangers.check();
        }
      }
    }
    row(
        "accepted over HTTP beside %,d idle and %,d half-open connections"
            .formatted(IDLE, HALF_OPEN),
        "%,.0f messages/s".formatted(median(beside)),
        ("without them: %,.0f/s; ratio %.2f, in single rounds %s; %,d half-open ones were"
                + " cut off and came again")
            .formatted(
                median(alone),
                median(beside) / median(alone),
                Arrays.stream(ratios).sorted().mapToObj("%.2f"::formatted).toList(),
                cutOff));
  }

  private void backlog() throws Exception {
    Path waiting = fresh();
    Backlog.fill(waiting, "backlog", WAITING, LANES, true);
    String megabytes = probe("memory", waiting);
    row(
        "resident memory, %,d waiting in %,d lanes".formatted(WAITING, LANES),
        megabytes + " MiB",
        "");
    double[] empty = new double[ROUNDS];
    double[] full = new double[ROUNDS];
    for (int round = -1; round < ROUNDS; round++) {
      double alone = EndToEnd.throughput(fresh(), 100_000, 10_000);
      double beside = EndToEnd.throughput(waiting, 100_000, 10_000);
      if (round >= 0) {
        empty[round] = alone;
        full[round] = beside;
      }
    }
    row(
        "end to end with %,d waiting".formatted(WAITING),
        "%,.0f messages/s".formatted(median(full)),
        "empty store: %,.0f/s; ratio %.2f".formatted(median(empty), median(full) / median(empty)));
    http(waiting);
    Path due = fresh();
    Backlog.fill(due, "backlog", WAITING, LANES, false);
    String[] millis = probe("first-send", due).split(" ", -1);
    row(
        "first send with %,d waiting".formatted(WAITING),
        millis[0] + " ms after opening",
        millis[1] + " ms after the start of the JVM");
  }

  /** Two servers, of which one at a time works: what disturbs the machine disturbs both. */
  private void http(Path waiting) throws Exception {
    double[] empty = new double[ROUNDS];
    double[] full = new double[ROUNDS];
    int portOfEmpty = Child.freePort();
    int portOfFull = Child.freePort();
    try (Child one = serve(fresh(), portOfEmpty);
        Child other = serve(waiting, portOfFull)) {
      one.awaitReady(portOfEmpty);
      other.awaitReady(portOfFull);
      HttpLoad.run(portOfEmpty, 64, 100_000, 10_000); // to warm up
      HttpLoad.run(portOfFull, 64, 100_000, 10_000);
      for (int round = 0; round < ROUNDS; round++) {
        empty[round] = HttpLoad.run(portOfEmpty, 64, 50_000, 10_000);
        full[round] = HttpLoad.run(portOfFull, 64, 50_000, 10_000);
      }
    }
    row(
        "accepted over HTTP, 64 connections",
        "%,.0f messages/s".formatted(median(empty)),
        "delivered to the sandbox at the same time");
    row(
        "accepted over HTTP with %,d waiting".formatted(WAITING),
        "%,.0f messages/s".formatted(median(full)),
        "ratio %.2f".formatted(median(full) / median(empty)));
  }

  private Child serve(Path store, int port) throws IOException {
    Path config = folder.resolve("bench-" + port + ".yaml");
    Files.writeString(
        config,
        """
        store: "sqlite:%s"
        http: { host: 127.0.0.1, port: %d, connections: 20000 }
        accounts:
          - id: sandbox
            channel: sandbox
            pace: { concurrency: 1000 }
          - id: telegram
            channel: telegram
            token: "1:bench"
            baseUrl: http://127.0.0.1:9
            webhookSecret: "%s"
        delivery: { maxQueueDepth: 10000000, maxAccountDepth: 10000000 }
        """
            .formatted(store, port, HttpLoad.HOOK_SECRET));
    return Child.java("dev.postrider.server.cli.Main", "serve", "--config", config.toString());
  }

  private static String probe(String what, Path store) throws Exception {
    try (Child child = Child.java(StartProbe.class.getName(), what, store.toString())) {
      return child.output();
    }
  }

  private Path fresh() throws IOException {
    return folder.resolve("bench-" + files++ + ".db");
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  private static void row(String what, String figure, String beside) {
    System.out.printf("| %s | %s | %s |%n", what, figure, beside);
  }
}
