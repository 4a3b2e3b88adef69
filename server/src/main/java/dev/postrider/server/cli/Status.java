package dev.postrider.server.cli;

import dev.postrider.server.cli.message.Waiting;
import dev.postrider.server.cli.terminal.Client;
import dev.postrider.server.cli.terminal.Columns;
import dev.postrider.server.cli.terminal.Failure;
import dev.postrider.server.cli.terminal.Remote;
import dev.postrider.server.cli.terminal.Screen;
import dev.postrider.server.cli.terminal.Style;
import dev.postrider.server.cli.terminal.Table;
import dev.postrider.server.cli.terminal.Terminal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code postrider status}: everything on one screen. */
@Command(
    name = "status",
    description = "Shows depths, rates, accounts, and what waits since when and why.",
    footer = "  postrider status --watch")
final class Status implements Callable<Integer> {
  private static final int TAKEOVERS = 5;
  private static final String CLEAR = "\u001b[H\u001b[2J";
  private static final String GAP = "   ";

  private static final Columns TAKEN_OVER =
      new Columns()
          .age("TAKEN OVER", "at")
          .with("ACCOUNT", "account")
          .with("FROM", "from")
          .with("TO", "to")
          .with("AFTER", "gap");

  private final Terminal terminal;

  @Option(
      names = "--watch",
      description = "Draw it anew again and again; into a pipe, one block after the other.")
  private boolean watch;

  @Option(
      names = "--every",
      paramLabel = "DURATION",
      defaultValue = "2s",
      description = "How often with --watch; ${DEFAULT-VALUE}.")
  private Duration every = Duration.ofSeconds(2);

  @Mixin private Remote remote;

  Status(Terminal terminal) {
    this.terminal = terminal;
    this.remote = new Remote(terminal);
  }

  @Override
  public Integer call() throws InterruptedException {
    Client client = remote.client();
    @Nullable JsonNode before = round(client, null);
    while (watch) {
      Thread.sleep(every);
      try {
        before = round(client, before);
      } catch (Failure e) {
        clear();
        terminal.out().println(e.getMessage()); // it may come back
      }
    }
    return 0;
  }

  private JsonNode round(Client client, @Nullable JsonNode before) {
    ObjectNode stats = (ObjectNode) client.get("/v1/stats");
    stats.set("cluster", client.get("/v1/cluster"));
    client.find(Client.path("waiting")).ifPresent(waiting -> stats.set("waiting", waiting));
    if (before != null || watch) {
      clear();
    }
    remote.print(stats, (out, now) -> screen(out, now, before));
    terminal.out().flush();
    return stats;
  }

  /** Between two rounds: a terminal is drawn anew, elsewhere a line is left empty. */
  private void clear() {
    if (terminal.interactive() && !remote.wantsJson()) {
      terminal.rawOut().print(CLEAR);
    } else if (!remote.wantsJson()) {
      terminal.out().println();
    }
  }

  private static void screen(Screen out, JsonNode stats, @Nullable JsonNode before) {
    if (!stats.path("durable").asBoolean()) {
      out.print(Style.BAD, "NOT DURABLE: the store is in memory; nothing survives a restart.");
      out.println();
    }
    if (stats.path("storeDownBecause").isString()) {
      out.print(
          Style.BAD, "THE STORE TAKES NO WRITES: " + stats.path("storeDownBecause").asString());
      out.println();
    }
    counts(
        out,
        "up " + Table.ago(stats, "startedAt").replace(" ago", ""),
        "queued %,d%s"
            .formatted(
                stats.path("queued").asLong(),
                stats.path("counted").asBoolean() ? "" : " (still counting)"),
        count(stats, "sending"),
        "dead letters %,d".formatted(stats.path("deadLetters").asLong()),
        "paused lanes %,d".formatted(stats.path("pausedLanes").asLong()));
    JsonNode since = before == null ? stats : before;
    double seconds =
        before == null
            ? span(Table.text(stats, "startedAt"), Table.text(stats, "at"))
            : span(Table.text(before, "at"), Table.text(stats, "at"));
    counts(
        out,
        "accepted " + rate(stats, since, before == null, "accepted", seconds),
        "delivered " + rate(stats, since, before == null, "delivered", seconds),
        count(stats, "retried"),
        count(stats, "throttled"),
        count(stats, "failed"),
        count(stats, "expired"),
        count(stats, "held"));
    JsonNode inbound = stats.path("inbound");
    counts(
        out,
        "inbound: " + count(inbound, "pending"),
        count(inbound, "leased"),
        count(inbound, "received"),
        count(inbound, "handled"),
        "failed attempts %,d".formatted(inbound.path("errors").asLong()),
        "dead letters %,d".formatted(inbound.path("failed").asLong()));
    if (stats.path("cluster").path("shared").asBoolean()) {
      cluster(out, stats.path("cluster"));
    }
    out.println();
    Accounts.COLUMNS.print(out, stats.path("accounts"), Accounts.NONE);
    Waiting.below(out, stats.path("waiting"));
    next(out, stats);
  }

  /** Where to look for what is stuck. */
  private static void next(Screen out, JsonNode stats) {
    List<String> hints = new ArrayList<>();
    if (stats.path("deadLetters").asLong() > 0) {
      hints.add("'postrider dead-letters list' says why messages were not delivered.");
    }
    if (stats.path("pausedLanes").asLong() > 0) {
      hints.add("'postrider lanes list --state paused' names the chats that are paused.");
    }
    if (!hints.isEmpty()) {
      out.println();
      hints.forEach(out::println);
    }
  }

  private static String count(JsonNode counts, String field) {
    return "%s %,d".formatted(field, counts.path(field).asLong());
  }

  /** In one line, or in as many as the screen's width makes of it. */
  private static void counts(Screen out, String... counts) {
    StringBuilder line = new StringBuilder();
    for (String count : counts) {
      if (line.length() > 0 && !out.fits(line + GAP + count)) {
        out.println(line);
        line.setLength(0);
        line.append(GAP);
      }
      line.append(line.isEmpty() || line.toString().isBlank() ? "" : GAP).append(count);
    }
    out.println(line);
  }

  /** The servers that share the store, and the last accounts that changed hands. */
  private static void cluster(Screen out, JsonNode cluster) {
    out.println();
    new Columns()
        .with("NODE", "name")
        .with("STATE", node -> state(node, Table.text(cluster, "home")))
        .with("ACCOUNTS", node -> node.path("accounts").size())
        .age("LAST SEEN", "seenAt")
        .age("UP SINCE", "startedAt")
        .with("VERSION", "version")
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
