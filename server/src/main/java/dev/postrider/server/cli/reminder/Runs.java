package dev.postrider.server.cli.reminder;

import dev.postrider.server.cli.terminal.Choices;
import dev.postrider.server.cli.terminal.Client;
import dev.postrider.server.cli.terminal.Columns;
import dev.postrider.server.cli.terminal.Facts;
import dev.postrider.server.cli.terminal.Failure;
import dev.postrider.server.cli.terminal.Paging;
import dev.postrider.server.cli.terminal.Remote;
import dev.postrider.server.cli.terminal.Table;
import dev.postrider.server.cli.terminal.Terminal;
import dev.postrider.server.cli.terminal.Values;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.Duration;
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
    footer = "  postrider runs list")
public final class Runs {
  private static final Duration LOOK = Duration.ofMillis(500);
  private static final String CLEAR_LINE = "\r\u001b[K";

  private static final Columns COLUMNS =
      new Columns()
          .with("ID", "id")
          .with("NAME", "name")
          .with("STATUS", "status")
          .with("SENT", run -> Table.text(run, "sent") + " of " + Table.text(run, "total"))
          .with("FAILED", "failed")
          .with("SKIPPED", "skipped")
          .with("LEFT", run -> run.path("pending").asInt() + run.path("sending").asInt())
          .age("FIRED", "createdAt")
          .with("DONE", run -> Table.ago(run, RunText.ended(run) ? "endedAt" : "eta"));

  private static final Columns TARGETS =
      new Columns()
          .with("TO", "to")
          .with("NAME", "name")
          .with("ACCOUNT", "account")
          .with("STATUS", "status")
          .age("ENDED", "endedAt")
          .with("ERROR", "error");

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

  @Command(
      description = "Lists runs, newest first.",
      footer = "  postrider runs list --status waiting,running,paused")
  int list(
      @Option(names = "--reminder", paramLabel = "ID", description = "Only of this reminder.")
          @Nullable String reminder,
      @Option(
              names = "--status",
              completionCandidates = Choices.RunStatus.class,
              description = "Only these, separated by commas: ${COMPLETION-CANDIDATES}.")
          @Nullable String status,
      @Mixin Paging paging,
      @Mixin Remote remote) {
    return remote.list(
        Client.path("runs") + paging.query(Values.of("reminder", reminder).and("status", status)),
        COLUMNS,
        reminder == null && status == null ? "No reminder has fired." : "No runs match.");
  }

  @Command(
      description = "Shows a run.",
      footer = "  postrider runs show 0199c2f4-7a1e-7000-8b9e-3f1d2c5a6b70")
  int show(@Parameters(paramLabel = "ID") String id, @Mixin Remote remote) {
    return remote.get(
        Client.path("runs", id),
        (out, run) -> {
          out.println(RunText.bar(run));
          Facts.print(
              out,
              run,
              """
              id reminderId name account status reason until startedAt resumedAt endedAt \
              windowEndsAt eta outlook summary\
              """);
          run.path("byReason")
              .forEach(
                  one ->
                      Facts.print(
                          out,
                          "%,d targets".formatted(one.path("count").asInt()),
                          Table.text(one, "reason")));
        });
  }

  @Command(
      description = "Follows a run to its end; exits with 0 if everybody was reached, else with 1.",
      footer = "  postrider runs watch 0199c2f4-7a1e-7000-8b9e-3f1d2c5a6b70")
  int watch(@Parameters(paramLabel = "ID") String id, @Mixin Remote remote)
      throws InterruptedException {
    Client client = remote.client();
    String path = Client.path("runs", id);
    String told = "";
    JsonNode run = client.get(path);
    for (; !RunText.ended(run); run = client.get(path)) {
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
        (out, last) -> {
          out.println(RunText.line(last));
          out.println(Table.plain(Table.text(last, "summary")));
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
      description = "Lists the targets of a run, or writes them all as CSV.",
      footer = "  postrider runs targets 0199c2f4-7a1e-7000-8b9e-3f1d2c5a6b70 --status failed")
  int targets(
      @Parameters(paramLabel = "ID") String id,
      @Option(
              names = "--status",
              completionCandidates = Choices.TargetStatus.class,
              description = "Only those in this status: ${COMPLETION-CANDIDATES}.")
          @Nullable String status,
      @Option(
              names = "--reason",
              description = "Only those that were not reached because of this, to the letter.")
          @Nullable String reason,
      @Option(names = "--csv", description = "All of them, as a table for spreadsheets.")
          boolean csv,
      @Mixin Paging paging,
      @Mixin Remote remote)
      throws IOException {
    String path = Client.path("runs", id, "targets");
    Values chosen = Values.of("status", status).and("reason", reason);
    return csv
        ? remote.copy(path + chosen.and("format", "csv").query())
        : remote.list(path + paging.query(chosen), TARGETS, "No targets match.");
  }

  @Command(
      description = "Sends to no further chats until the run is resumed.",
      footer = "  postrider runs pause 0199c2f4-7a1e-7000-8b9e-3f1d2c5a6b70")
  int pause(
      @Parameters(paramLabel = "ID") String id,
      @Option(names = "--reason", description = Remote.REASON) @Nullable String reason,
      @Mixin Remote remote) {
    return remote.post(
        Client.path("runs", id, "pause"), Values.of("reason", reason).body(), Runs::line);
  }

  @Command(
      description = "Goes on with a run, also with one that has ended.",
      footer = "  postrider runs resume 0199c2f4-7a1e-7000-8b9e-3f1d2c5a6b70 --scope failed")
  int resume(
      @Parameters(paramLabel = "ID") String id,
      @Option(
              names = "--scope",
              defaultValue = "pending",
              description = "With whom: ${COMPLETION-CANDIDATES}; ${DEFAULT-VALUE}.")
          Scope scope,
      @Option(names = "--account", description = "Sends the rest through another account.")
          @Nullable String account,
      @Mixin Remote remote) {
    return remote.post(
        Client.path("runs", id, "resume"),
        Values.of("scope", scope.name()).and("account", account).body(),
        Runs::line);
  }

  @Command(
      description = "Cancels a run; sends that have begun are still finished.",
      footer = "  postrider runs cancel 0199c2f4-7a1e-7000-8b9e-3f1d2c5a6b70")
  int cancel(@Parameters(paramLabel = "ID") String id, @Mixin Remote remote) {
    return remote.post(Client.path("runs", id, "cancel"), null, Runs::line);
  }

  private static void line(PrintWriter out, JsonNode run) {
    out.println(RunText.line(run));
  }
}
