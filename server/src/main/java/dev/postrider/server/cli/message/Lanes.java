package dev.postrider.server.cli.message;

import dev.postrider.server.cli.terminal.Choices;
import dev.postrider.server.cli.terminal.Client;
import dev.postrider.server.cli.terminal.Columns;
import dev.postrider.server.cli.terminal.Paging;
import dev.postrider.server.cli.terminal.Remote;
import dev.postrider.server.cli.terminal.Table;
import dev.postrider.server.cli.terminal.Values;
import java.util.stream.Collectors;
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
    footer = "  postrider lanes list")
public final class Lanes {
  private static final Columns COLUMNS =
      new Columns()
          .with("ACCOUNT", "account")
          .with("TO", Lanes::names)
          .with("WAITING", "depth")
          .with("HEAD", "headStatus")
          .with("WAITS", WaitingText::of);

  private static String names(JsonNode lane) {
    String formerly =
        lane.path("formerly")
            .valueStream()
            .map(JsonNode::asString)
            .collect(Collectors.joining(", "));
    return Table.text(lane, "to") + (formerly.isEmpty() ? "" : " (formerly " + formerly + ")");
  }

  @Command(
      description = "Lists lanes that hold messages or are paused.",
      footer = "  postrider lanes list --state waiting --sort age")
  int list(
      @Option(names = "--account", description = "Only this account.") @Nullable String account,
      @Option(
              names = "--state",
              completionCandidates = Choices.LaneState.class,
              description = "Only waiting, sending or paused ones.")
          @Nullable String state,
      @Option(
              names = "--sort",
              paramLabel = "ORDER",
              completionCandidates = Choices.LaneOrder.class,
              description = "name, or age: the one first whose oldest message was accepted first.")
          @Nullable String sort,
      @Mixin Paging paging,
      @Mixin Remote remote) {
    Values chosen = Values.of("account", account).and("state", state).and("sort", sort);
    return remote.list(
        Client.path("lanes") + paging.query(chosen),
        COLUMNS,
        "No messages are waiting and no lane is paused.");
  }

  @Command(
      description = "Stops sending to a chat until its lane is resumed.",
      footer = "  postrider lanes pause tg-main 12345 --reason 'wrong group'")
  int pause(
      @Parameters(index = "0", paramLabel = "ACCOUNT") String account,
      @Parameters(index = "1", paramLabel = "CHAT") String to,
      @Option(names = "--reason", description = Remote.REASON) @Nullable String reason,
      @Mixin Remote remote) {
    return remote.post(
        Client.path("lanes", "pause"),
        Values.of("account", account).and("to", to).and("reason", reason).body(),
        (out, _) -> out.println("The lane is paused."));
  }

  @Command(
      description = "Sends to a chat again.",
      footer = "  postrider lanes resume tg-main 12345")
  int resume(
      @Parameters(index = "0", paramLabel = "ACCOUNT") String account,
      @Parameters(index = "1", paramLabel = "CHAT") String to,
      @Mixin Remote remote) {
    return remote.post(
        Client.path("lanes", "resume"),
        Values.of("account", account).and("to", to).body(),
        (out, _) -> out.println("The lane is resumed."));
  }
}
