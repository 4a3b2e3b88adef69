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
import tools.jackson.databind.JsonNode;

/** {@code postrider lanes}: looks after single chats. */
@Command(
    name = "lanes",
    description = "Lists, pauses, resumes, tries and empties the lanes of chats.",
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
              names = "--waiting-for",
              paramLabel = "KIND",
              completionCandidates = Choices.WaitingKind.class,
              description = "Only those that wait for this: ${COMPLETION-CANDIDATES}.")
          @Nullable String waitingFor,
      @Option(names = "--cause", description = "Only those that wait because of this.")
          @Nullable String cause,
      @Option(
              names = "--sort",
              paramLabel = "ORDER",
              completionCandidates = Choices.LaneOrder.class,
              description = "name, or age: the one first whose oldest message was accepted first.")
          @Nullable String sort,
      @Mixin Paging paging,
      @Mixin Remote remote) {
    Values chosen =
        Values.of("account", account)
            .and("state", state)
            .and("waitingFor", waitingFor)
            .and("cause", cause)
            .and("sort", sort);
    return remote.list(
        Client.path("lanes") + paging.query(chosen),
        COLUMNS,
        waitingFor == null && cause == null
            ? "No messages are waiting and no lane is paused."
            : "No lanes match.");
  }

  @Command(
      description = "Stops sending to a chat, or to all that match, until they are resumed.",
      footer = "  postrider lanes pause tg-main 12345 --reason 'wrong group'")
  int pause(
      @Mixin LaneChoice lanes,
      @Option(names = "--reason", description = Remote.REASON) @Nullable String reason,
      @Mixin Remote remote) {
    return lanes.run(remote, "pause", "Paused", "lanes", reason, "The lane is paused.");
  }

  @Command(
      description = "Sends to a chat again, or to all that match.",
      footer = "  postrider lanes resume --cause 'wrong group' --dry-run")
  int resume(@Mixin LaneChoice lanes, @Mixin Remote remote) {
    return lanes.run(remote, "resume", "Resumed", "lanes", null, "The lane is resumed.");
  }

  @Command(
      description = "Tries the first message of a lane, or of all that match, now.",
      footer = "  postrider lanes retry --account tg-main --waiting-for retry")
  int retry(@Mixin LaneChoice lanes, @Mixin Remote remote) {
    return lanes.run(remote, "retry", "Tried now", "lanes", null, "It will be tried now.");
  }

  @Command(
      description = "Cancels what is queued in a lane, or in all that match.",
      footer = "  postrider lanes cancel --account tg-main --waiting-for lanePaused --dry-run")
  int cancel(@Mixin LaneChoice lanes, @Mixin Remote remote) {
    return lanes.run(remote, "cancel", "Cancelled", "messages", null, "Cancelled.");
  }
}
