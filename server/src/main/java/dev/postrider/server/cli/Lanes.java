package dev.postrider.server.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** {@code postrider lanes}: looks after single chats. */
@Command(
    name = "lanes",
    description = "Lists, pauses and resumes the lanes of single chats.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND")
final class Lanes {
  private final Terminal terminal;

  Lanes(Terminal terminal) {
    this.terminal = terminal;
  }

  @Command(
      description = "Lists lanes that hold messages or are paused.",
      mixinStandardHelpOptions = true)
  int list(
      @Option(names = "--account", description = "Only this account.") @Nullable String account,
      @Option(names = "--state", description = "Only waiting, sending or paused ones.")
          @Nullable String state,
      @Option(
              names = "--sort",
              paramLabel = "ORDER",
              description = "name, or age: the one first whose oldest message was accepted first.")
          @Nullable String sort,
      @Mixin Paging paging,
      @Mixin Remote remote) {
    Map<String, @Nullable Object> query = new LinkedHashMap<>();
    query.put("account", account);
    query.put("state", state);
    query.put("sort", sort);
    JsonNode page = remote.client().get("/v1/lanes" + Client.query(paging.addTo(query)));
    remote.print(page, this::print);
    return 0;
  }

  private void print(JsonNode page) {
    Table table = new Table("ACCOUNT", "TO", "WAITING", "HEAD", "WAITS");
    for (JsonNode lane : page.path("items")) {
      table.row(
          Table.text(lane, "account"),
          name(lane),
          lane.path("depth").asLong(),
          Table.text(lane, "headStatus"),
          WaitingText.of(lane));
    }
    table.print(terminal.out(), "No messages are waiting and no lane is paused.");
    if (page.path("next").isString()) {
      terminal.out().println("There are more: --cursor " + page.path("next").asString());
    }
  }

  private static String name(JsonNode lane) {
    List<String> formerly = lane.path("formerly").valueStream().map(JsonNode::asString).toList();
    return lane.path("to").asString("")
        + (formerly.isEmpty() ? "" : " (formerly " + String.join(", ", formerly) + ")");
  }

  @Command(
      description = "Sends nothing to a chat until it is resumed.",
      mixinStandardHelpOptions = true)
  int pause(
      @Parameters(index = "0", paramLabel = "ACCOUNT") String account,
      @Parameters(index = "1", paramLabel = "CHAT") String to,
      @Option(names = "--reason", description = "Why, for those who wonder.")
          @Nullable String reason,
      @Mixin Remote remote) {
    Map<String, @Nullable Object> body = new LinkedHashMap<>();
    body.put("account", account);
    body.put("to", to);
    body.put("reason", reason);
    JsonNode lane = remote.client().post("/v1/lanes/pause", body);
    remote.print(lane, _ -> terminal.out().println("The lane is paused."));
    return 0;
  }

  @Command(description = "Sends to a chat again.", mixinStandardHelpOptions = true)
  int resume(
      @Parameters(index = "0", paramLabel = "ACCOUNT") String account,
      @Parameters(index = "1", paramLabel = "CHAT") String to,
      @Mixin Remote remote) {
    JsonNode lane = remote.client().post("/v1/lanes/resume", Map.of("account", account, "to", to));
    remote.print(lane, _ -> terminal.out().println("The lane goes on."));
    return 0;
  }
}
