package dev.postrider.server.cli;

import dev.postrider.server.cli.terminal.Client;
import dev.postrider.server.cli.terminal.Columns;
import dev.postrider.server.cli.terminal.Remote;
import dev.postrider.server.cli.terminal.Table;
import dev.postrider.server.cli.terminal.Terminal;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code postrider status}: everything on one screen. */
@Command(name = "status", description = "Shows depths, rates, accounts and what needs attention.")
final class Status implements Callable<Integer> {
  private static final int TAKEOVERS = 5;
  private static final String CLEAR = "\u001b[H\u001b[2J";

  private static final Columns TAKEN_OVER =
      new Columns()
          .age("TAKEN OVER", "at")
          .with("ACCOUNT", "account")
          .with("FROM", "from")
          .with("TO", "to")
          .with("AFTER", "gap");

  private final Terminal terminal;

  @Option(names = "--watch", description = "Draw it anew every two seconds.")
  private boolean watch;

  @Mixin private Remote remote;

  Status(Terminal terminal) {
    this.terminal = terminal;
    this.remote = new Remote(terminal);
  }

  @Override
  public Integer call() throws InterruptedException {
    Client client = remote.client();
    @Nullable JsonNode before = null;
    do {
      ObjectNode stats = (ObjectNode) client.get("/v1/stats");
      stats.set("cluster", client.get("/v1/cluster"));
      if (watch && !remote.wantsJson()) {
        terminal.rawOut().print(CLEAR);
      }
      @Nullable JsonNode earlier = before;
      remote.print(stats, (out, now) -> screen(out, now, earlier));
      terminal.out().flush();
      before = stats;
      if (watch) {
        Thread.sleep(Duration.ofSeconds(2));
      }
    } while (watch);
    return 0;
  }

  private static void screen(PrintWriter out, JsonNode stats, @Nullable JsonNode before) {
    if (!stats.path("durable").asBoolean()) {
      out.println("NOT DURABLE: the store is in memory; nothing survives a restart.");
    }
    if (stats.path("storeDownBecause").isString()) {
      out.println("THE STORE TAKES NO WRITES: " + stats.path("storeDownBecause").asString());
    }
    out.println(
        "up %s   queued %,d%s   sending %,d   dead letters %,d   paused lanes %,d"
            .formatted(
                Table.ago(stats, "startedAt").replace(" ago", ""),
                stats.path("queued").asLong(),
                stats.path("counted").asBoolean() ? "" : " (still counting)",
                stats.path("sending").asLong(),
                stats.path("deadLetters").asLong(),
                stats.path("pausedLanes").asLong()));
    JsonNode since = before == null ? stats : before;
    double seconds =
        before == null
            ? span(Table.text(stats, "startedAt"), Table.text(stats, "at"))
            : span(Table.text(before, "at"), Table.text(stats, "at"));
    out.println(
        ("accepted %s   delivered %s   retried %,d   throttled %,d   failed %,d   expired"
                + " %,d   held %,d")
            .formatted(
                rate(stats, since, before == null, "accepted", seconds),
                rate(stats, since, before == null, "delivered", seconds),
                stats.path("retried").asLong(),
                stats.path("throttled").asLong(),
                stats.path("failed").asLong(),
                stats.path("expired").asLong(),
                stats.path("held").asLong()));
    JsonNode inbound = stats.path("inbound");
    out.println(
        ("inbound: pending %,d   leased %,d   received %,d   handled %,d   failed"
                + " attempts %,d   dead letters %,d")
            .formatted(
                inbound.path("pending").asLong(),
                inbound.path("leased").asLong(),
                inbound.path("received").asLong(),
                inbound.path("handled").asLong(),
                inbound.path("errors").asLong(),
                inbound.path("failed").asLong()));
    if (stats.path("cluster").path("shared").asBoolean()) {
      cluster(out, stats.path("cluster"));
    }
    out.println();
    Accounts.COLUMNS.print(out, stats.path("accounts"), Accounts.NONE);
  }

  /** The servers that share the store, and the last accounts that changed hands. */
  private static void cluster(PrintWriter out, JsonNode cluster) {
    out.println();
    new Columns()
        .with("NODE", "name")
        .with("STATE", node -> state(node, Table.text(cluster, "home")))
        .with("ACCOUNTS", node -> node.path("accounts").size())
        .age("LAST SEEN", "seenAt")
        .age("UP SINCE", "startedAt")
        .with("ADDRESS", "address")
        .print(out, cluster.path("nodes"), "No node has given a sign of life.");
    List<JsonNode> takeovers =
        cluster
            .path("takeovers")
            .valueStream()
            .filter(takeover -> takeover.path("died").asBoolean())
            .limit(TAKEOVERS)
            .toList();
    if (!takeovers.isEmpty()) {
      out.println();
      TAKEN_OVER.print(out, takeovers, "");
    }
  }

  private static String state(JsonNode node, String home) {
    String state = node.path("alive").asBoolean() ? "alive" : "DEAD";
    return Table.text(node, "name").equals(home) ? state + ", does the chores" : state;
  }

  /** A count, and how fast it grows: since the last look, or on average since the start. */
  private static String rate(
      JsonNode now, JsonNode before, boolean first, String field, double seconds) {
    long count = now.path(field).asLong();
    long grown = first ? count : count - before.path(field).asLong();
    return "%,d (%.1f/s)".formatted(count, grown / Math.max(1, seconds));
  }

  private static double span(String from, String to) {
    return Duration.between(Instant.parse(from), Instant.parse(to)).toMillis() / 1000.0;
  }
}
