package dev.postrider.server.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** {@code postrider inbound}: what came from platforms. */
@Command(
    name = "inbound",
    description = "Lists and shows what came from platforms.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND")
final class Inbound {
  private static final JsonMapper PRETTY =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  private final Terminal terminal;

  Inbound(Terminal terminal) {
    this.terminal = terminal;
  }

  @Command(
      description = "Lists inbound messages, the newest first.",
      mixinStandardHelpOptions = true)
  int list(
      @Option(names = "--account", description = "Only this account.") @Nullable String account,
      @Option(names = "--session", description = "Only this conversation.")
          @Nullable String session,
      @Mixin Paging paging,
      @Mixin Remote remote) {
    Map<String, @Nullable Object> query = new LinkedHashMap<>();
    query.put("account", account);
    query.put("sessionId", session);
    JsonNode page = remote.client().get("/v1/inbound" + Client.query(paging.addTo(query)));
    remote.print(page, this::print);
    return 0;
  }

  private void print(JsonNode page) {
    Table table = new Table("ID", "RECEIVED", "SESSION", "SENDER", "KIND", "TEXT");
    for (JsonNode event : page.path("items")) {
      table.row(
          Table.text(event, "id"),
          Table.ago(event, "receivedAt"),
          Table.text(event, "sessionId"),
          Table.text(event.path("sender"), "id"),
          Table.text(event, "kind"),
          Table.text(event, "text"));
    }
    table.print(terminal.out(), "Nothing has come in.");
    if (page.path("next").isString()) {
      terminal.out().println("There are more: --cursor " + page.path("next").asString());
    }
  }

  @Command(description = "Shows an inbound message.", mixinStandardHelpOptions = true)
  int show(@Parameters(index = "0", paramLabel = "ID") String id, @Mixin Remote remote) {
    JsonNode event = remote.client().get("/v1/inbound/" + Client.step(id));
    remote.print(event, it -> terminal.out().println(PRETTY.writeValueAsString(it)));
    return 0;
  }
}
