package dev.postrider.server.cli.inbound;

import dev.postrider.server.cli.terminal.Client;
import dev.postrider.server.cli.terminal.Columns;
import dev.postrider.server.cli.terminal.Facts;
import dev.postrider.server.cli.terminal.Paging;
import dev.postrider.server.cli.terminal.Remote;
import dev.postrider.server.cli.terminal.Table;
import dev.postrider.server.cli.terminal.Values;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code postrider sessions}: conversations. */
@Command(
    name = "sessions",
    description = "Lists, shows, pauses and resumes sessions.",
    footer = "  postrider sessions list")
public final class Sessions {
  private static final Columns COLUMNS =
      new Columns()
          .with("SESSION", "id")
          .with("ACCOUNT", "account")
          .with("CHAT", "chat")
          .with("WAITING", "waiting")
          .age("LAST", "lastAt")
          .with("PAUSED", "pauseReason");

  private static final Columns HISTORY =
      new Columns()
          .age("AT", "at")
          .with("WHO", entry -> heard(entry) ? Table.text(said(entry).path("sender"), "id") : "we")
          .with("TEXT", entry -> Table.text(said(entry), "text"))
          .with("ID", entry -> Table.text(said(entry), heard(entry) ? "id" : "messageId"));

  private static boolean heard(JsonNode entry) {
    return Table.text(entry, "kind").equals("heard");
  }

  private static JsonNode said(JsonNode entry) {
    return heard(entry) ? entry.path("message") : entry;
  }

  @Command(
      description = "Lists sessions, the last active first.",
      footer = "  postrider sessions list --account tg-main")
  int list(
      @Option(names = "--account", description = "Only this account.") @Nullable String account,
      @Mixin Paging paging,
      @Mixin Remote remote) {
    return remote.list(
        Client.path("sessions") + paging.query(Values.of("account", account)),
        COLUMNS,
        "There are no sessions.");
  }

  @Command(description = "Shows a session.", footer = "  postrider sessions show tg-main/12345")
  int show(@Parameters(paramLabel = "SESSION") String id, @Mixin Remote remote) {
    return remote.get(
        Client.path("sessions", id),
        (out, session) ->
            Facts.print(
                out, session, "id account chat threadId waiting lastAt pauseReason pausedSince"));
  }

  @Command(
      description = "Lists what was heard and said in a session, newest first.",
      footer = "  postrider sessions history tg-main/12345")
  int history(
      @Parameters(paramLabel = "SESSION") String id, @Mixin Paging paging, @Mixin Remote remote) {
    return remote.list(
        Client.path("sessions", id, "history") + paging.query(),
        HISTORY,
        "Nothing was heard or said.");
  }

  @Command(
      description = "Stops handing out a session's messages until it is resumed.",
      footer = "  postrider sessions pause tg-main/12345 --reason 'a person answers'")
  int pause(
      @Parameters(paramLabel = "SESSION") String id,
      @Option(names = "--reason", description = Remote.REASON) @Nullable String reason,
      @Mixin Remote remote) {
    return remote.post(
        Client.path("sessions", "pause"),
        Values.of("id", id).and("reason", reason).body(),
        (out, _) -> out.println("The session is paused."));
  }

  @Command(
      description = "Hands out a session's messages again.",
      footer = "  postrider sessions resume tg-main/12345")
  int resume(@Parameters(paramLabel = "SESSION") String id, @Mixin Remote remote) {
    return remote.post(
        Client.path("sessions", "resume"),
        Values.of("id", id).body(),
        (out, _) -> out.println("The session is resumed."));
  }
}
