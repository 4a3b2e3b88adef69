package dev.postrider.server.cli.message;

import dev.postrider.server.cli.terminal.Choices;
import dev.postrider.server.cli.terminal.Client;
import dev.postrider.server.cli.terminal.Failure;
import dev.postrider.server.cli.terminal.Remote;
import dev.postrider.server.cli.terminal.Table;
import dev.postrider.server.cli.terminal.Values;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Does something to the lane that is named, or to all that match a filter. */
final class LaneChoice extends Many {
  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "ACCOUNT",
      description = "Whose lane; else a filter, or --all.")
  private @Nullable String named;

  @Parameters(index = "1", arity = "0..1", paramLabel = "CHAT", description = "Of which chat.")
  private @Nullable String chat;

  @Option(names = "--account", description = "Only this account.")
  private @Nullable String account;

  @Option(
      names = "--state",
      completionCandidates = Choices.LaneState.class,
      description = "Only waiting, sending or paused ones.")
  private @Nullable String state;

  @Option(
      names = "--waiting-for",
      paramLabel = "KIND",
      completionCandidates = Choices.WaitingKind.class,
      description = "Only those that wait for this: ${COMPLETION-CANDIDATES}.")
  private @Nullable String waitingFor;

  @Option(
      names = "--cause",
      description = "Only those that wait because of this, to the letter, as `waiting` says it.")
  private @Nullable String cause;

  /**
   * Does it.
   *
   * @param step the step of the path that names what is done
   * @param done how it is told of many, such as "Paused"
   * @param things what is counted
   * @param reason why; null if nobody is told
   * @param one how it is told of one
   */
  int run(
      Remote remote, String step, String done, String things, @Nullable String reason, String one) {
    Values filter =
        Values.of("account", account)
            .and("state", state)
            .and("waitingFor", waitingFor)
            .and("cause", cause);
    if (named == null) {
      requireFilter(filter, "Say which: ACCOUNT and CHAT, a filter such as --cause, or --all.");
      return many(
          remote,
          new Action("lanes", step, done, things, false),
          filter.and("all", true).and("reason", reason));
    }
    if (chat == null || isAbout(filter)) {
      refuse("Name one by ACCOUNT and CHAT, or choose by a filter, but not both.");
    }
    Values lane = Values.of("account", named).and("to", chat).and("reason", reason);
    return remote.post(
        Client.path("lanes", step), lane.body(), (out, answer) -> out.println(told(answer, one)));
  }

  private static String told(JsonNode answer, String one) {
    JsonNode refused = answer.path("refused");
    if (!refused.isEmpty()) {
      throw Failure.because(Table.text(refused.path(0), "reason"));
    }
    return answer.path("done").asInt(1) == 0 ? "Nothing waits there." : one;
  }
}
