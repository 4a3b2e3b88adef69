package dev.postrider.server.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code postrider sessions}: conversations. */
@Command(
    name = "sessions",
    description = "Lists, shows, pauses and resumes conversations.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND")
final class Sessions {
  private static final String PATH = "/v1/sessions";

  private final Terminal terminal;

  Sessions(Terminal terminal) {
    this.terminal = terminal;
  }

  @Command(
      description = "Lists them, the one with the latest word first.",
      mixinStandardHelpOptions = true)
  int list(
      @Option(names = "--account", description = "Only this account.") @Nullable String account,
      @Mixin Paging paging,
      @Mixin Remote remote) {
    Map<String, @Nullable Object> query = new LinkedHashMap<>();
    query.put("account", account);
    JsonNode page = remote.client().get(PATH + Client.query(paging.addTo(query)));
    remote.print(page, this::list);
    return 0;
  }

  private void list(JsonNode page) {
    Table table = new Table("SESSION", "ACCOUNT", "CHAT", "WAITING", "LAST", "PAUSED");
    for (JsonNode session : page.path("items")) {
      table.row(
          Table.text(session, "id"),
          Table.text(session, "account"),
          Table.text(session, "chat"),
          session.path("waiting").asInt(),
          Table.ago(session, "lastAt"),
          Table.text(session, "pauseReason"));
    }
    table.print(terminal.out(), "Nobody has written, and nobody was written to, in a session.");
    InboundText.more(terminal.out(), page);
  }

  @Command(description = "Shows one.", mixinStandardHelpOptions = true)
  int show(@Parameters(paramLabel = "SESSION") String id, @Mixin Remote remote) {
    JsonNode session = remote.client().get(PATH + "/" + Client.step(id));
    remote.print(
        session,
        answer ->
            InboundText.facts(
                terminal.out(),
                answer,
                "id",
                "account",
                "chat",
                "threadId",
                "waiting",
                "lastAt",
                "pauseReason",
                "pausedSince"));
    return 0;
  }

  @Command(
      description = "Shows what was heard and said in one, the newest first.",
      mixinStandardHelpOptions = true)
  int history(
      @Parameters(paramLabel = "SESSION") String id, @Mixin Paging paging, @Mixin Remote remote) {
    String query = Client.query(paging.addTo(new LinkedHashMap<>()));
    JsonNode page = remote.client().get(PATH + "/" + Client.step(id) + "/history" + query);
    remote.print(page, this::history);
    return 0;
  }

  private void history(JsonNode page) {
    Table table = new Table("AT", "WHO", "TEXT", "ID");
    for (JsonNode entry : page.path("items")) {
      boolean heard = Table.text(entry, "kind").equals("heard");
      JsonNode said = heard ? entry.path("message") : entry;
      table.row(
          Table.ago(entry, "at"),
          heard ? Table.text(said.path("sender"), "id") : "we",
          Table.text(said, "text"),
          Table.text(said, heard ? "id" : "messageId"));
    }
    table.print(terminal.out(), "Nothing was heard or said.");
    InboundText.more(terminal.out(), page);
  }

  @Command(
      description = "Hands out nothing of one until it is resumed.",
      mixinStandardHelpOptions = true)
  int pause(
      @Parameters(paramLabel = "SESSION") String id,
      @Option(names = "--reason", description = "Why, for those who wonder.")
          @Nullable String reason,
      @Mixin Remote remote) {
    Map<String, @Nullable Object> body = new LinkedHashMap<>();
    body.put("id", id);
    body.put("reason", reason);
    JsonNode session = remote.client().post(PATH + "/pause", body);
    remote.print(session, _ -> terminal.out().println("The session is paused."));
    return 0;
  }

  @Command(description = "Hands out what waits in one again.", mixinStandardHelpOptions = true)
  int resume(@Parameters(paramLabel = "SESSION") String id, @Mixin Remote remote) {
    JsonNode session = remote.client().post(PATH + "/resume", Map.of("id", id));
    remote.print(session, _ -> terminal.out().println("The session goes on."));
    return 0;
  }
}
