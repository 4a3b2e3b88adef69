package dev.postrider.server.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code postrider runs}: firings of reminders. */
@Command(
    name = "runs",
    description = "Lists, shows, watches, pauses, resumes and cancels runs of reminders.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND")
final class Runs {
  private static final String PATH = "/v1/runs";
  private static final Duration LOOK = Duration.ofMillis(500);
  private static final String CLEAR_LINE = "\r\u001b[K";

  private final Terminal terminal;

  Runs(Terminal terminal) {
    this.terminal = terminal;
  }

  /** Which targets a run goes on with. */
  enum Scope {
    pending,
    failed,
    all
  }

  private static String at(String id) {
    return PATH + "/" + Client.step(id);
  }

  @Command(description = "Lists them, the newest first.", mixinStandardHelpOptions = true)
  int list(
      @Option(names = "--reminder", paramLabel = "ID", description = "Only of this reminder.")
          @Nullable String reminder,
      @Mixin Paging paging,
      @Mixin Remote remote) {
    Map<String, @Nullable Object> query = new LinkedHashMap<>();
    query.put("reminder", reminder);
    JsonNode page = remote.client().get(PATH + Client.query(paging.addTo(query)));
    remote.print(page, this::list);
    return 0;
  }

  private void list(JsonNode page) {
    Table table =
        new Table("ID", "NAME", "STATUS", "SENT", "FAILED", "SKIPPED", "LEFT", "FIRED", "DONE");
    for (JsonNode run : page.path("items")) {
      table.row(
          Table.text(run, "id"),
          Table.text(run, "name"),
          Table.text(run, "status"),
          run.path("sent").asInt() + " of " + run.path("total").asInt(),
          run.path("failed").asInt(),
          run.path("skipped").asInt(),
          run.path("pending").asInt() + run.path("sending").asInt(),
          Table.ago(run, "createdAt"),
          Table.ago(run, RunText.ended(run) ? "endedAt" : "eta"));
    }
    table.print(terminal.out(), "No reminder has fired.");
    InboundText.more(terminal.out(), page);
  }

  @Command(description = "Shows one.", mixinStandardHelpOptions = true)
  int show(@Parameters(paramLabel = "ID") String id, @Mixin Remote remote) {
    remote.print(remote.client().get(at(id)), this::show);
    return 0;
  }

  private void show(JsonNode run) {
    PrintWriter out = terminal.out();
    out.println(RunText.bar(run));
    InboundText.facts(
        out,
        run,
        "id",
        "reminderId",
        "name",
        "account",
        "status",
        "reason",
        "until",
        "startedAt",
        "endedAt",
        "windowEndsAt",
        "eta",
        "summary");
  }

  @Command(
      description = "Follows one to its end; exits with 0 if everybody was reached, else with 1.",
      mixinStandardHelpOptions = true)
  int watch(@Parameters(paramLabel = "ID") String id, @Mixin Remote remote)
      throws InterruptedException {
    Client client = remote.client();
    String told = "";
    JsonNode run = client.get(at(id));
    for (; !RunText.ended(run); run = client.get(at(id))) {
      if (!remote.wantsJson()) {
        told = tell(run, told);
      }
      Thread.sleep(LOOK);
    }
    if (terminal.interactive() && !told.isEmpty()) {
      terminal.rawOut().print(CLEAR_LINE);
    }
    remote.print(
        run,
        last -> {
          terminal.out().println(RunText.line(last));
          terminal.out().println(Table.plain(Table.text(last, "summary")));
        });
    return Table.text(run, "status").equals("success") ? 0 : Failure.FAILED;
  }

  /** Draws the bar anew, or without a terminal writes a line if there is something new. */
  private String tell(JsonNode run, String told) {
    String line = RunText.line(run);
    if (terminal.interactive()) {
      terminal.rawOut().print(CLEAR_LINE);
      terminal.out().print(RunText.bar(run));
      terminal.out().flush();
    } else if (!line.equals(told)) {
      terminal.out().println(line);
      terminal.out().flush();
    }
    return line;
  }

  @Command(
      description = "Lists its targets, or writes them all as CSV.",
      mixinStandardHelpOptions = true)
  int targets(
      @Parameters(paramLabel = "ID") String id,
      @Option(
              names = "--status",
              description = "Only pending, sending, sent, failed, skipped or cancelled ones.")
          @Nullable String status,
      @Option(names = "--csv", description = "All of them, as a table for spreadsheets.")
          boolean csv,
      @Mixin Paging paging,
      @Mixin Remote remote)
      throws IOException {
    Map<String, @Nullable Object> query = new LinkedHashMap<>();
    query.put("status", status);
    if (csv) {
      query.put("format", "csv");
      table(remote.client(), at(id) + "/targets" + Client.query(query));
      return 0;
    }
    String path = at(id) + "/targets" + Client.query(paging.addTo(query));
    remote.print(remote.client().get(path), this::targets);
    return 0;
  }

  private void table(Client client, String path) throws IOException {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(client.stream(path), StandardCharsets.UTF_8))) {
      lines.lines().forEach(terminal.data()::println);
    }
  }

  private void targets(JsonNode page) {
    Table table = new Table("TO", "NAME", "ACCOUNT", "STATUS", "ENDED", "ERROR");
    for (JsonNode target : page.path("items")) {
      table.row(
          Table.text(target, "to"),
          Table.text(target, "name"),
          Table.text(target, "account"),
          Table.text(target, "status"),
          Table.ago(target, "endedAt"),
          Table.text(target, "error"));
    }
    table.print(terminal.out(), "None that match.");
    InboundText.more(terminal.out(), page);
  }

  // ---- leading

  @Command(
      description = "Begins with no more chats until it is resumed.",
      mixinStandardHelpOptions = true)
  int pause(
      @Parameters(paramLabel = "ID") String id,
      @Option(names = "--reason", description = "Why, for those who wonder.")
          @Nullable String reason,
      @Mixin Remote remote) {
    Map<String, @Nullable Object> body = new LinkedHashMap<>();
    body.put("reason", reason);
    remote.print(remote.client().post(at(id) + "/pause", body), this::line);
    return 0;
  }

  @Command(description = "Goes on, also with one that has ended.", mixinStandardHelpOptions = true)
  int resume(
      @Parameters(paramLabel = "ID") String id,
      @Option(
              names = "--scope",
              defaultValue = "pending",
              description = "With whom: ${COMPLETION-CANDIDATES}; ${DEFAULT-VALUE}.")
          Scope scope,
      @Mixin Remote remote) {
    Map<String, Object> body = Map.of("scope", scope.name());
    remote.print(remote.client().post(at(id) + "/resume", body), this::line);
    return 0;
  }

  @Command(
      description = "Ends one; whoever is being sent to now is still reached.",
      mixinStandardHelpOptions = true)
  int cancel(@Parameters(paramLabel = "ID") String id, @Mixin Remote remote) {
    remote.print(remote.client().post(at(id) + "/cancel", null), this::line);
    return 0;
  }

  private void line(JsonNode run) {
    terminal.out().println(RunText.line(run));
  }
}
