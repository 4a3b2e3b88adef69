package dev.postrider.server.cli.message;

import dev.postrider.server.cli.terminal.Client;
import dev.postrider.server.cli.terminal.Failure;
import dev.postrider.server.cli.terminal.Progress;
import dev.postrider.server.cli.terminal.Remote;
import dev.postrider.server.cli.terminal.Table;
import dev.postrider.server.cli.terminal.Values;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Does something to what is named, or to all that match a filter. */
public final class Bulk {
  private static final int ROUND = 500;

  @Parameters(paramLabel = "ID", arity = "0..*", description = "Which; else a filter, or --all.")
  private List<String> ids = List.of();

  @Option(names = "--all", description = "All there are.")
  private boolean all;

  @Option(names = "--dry-run", description = "Only count them.")
  private boolean dryRun;

  @Option(names = "--yes", description = "Do not ask whether so many are meant.")
  private boolean yes;

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec command;

  /**
   * What is done.
   *
   * @param kind the step of the path that names what it is done to
   * @param step the step that names what is done, such as {@code replay}
   * @param done how it is told, such as "Sent again"
   * @param things what they are called
   * @param saysAll whether the server wants to be told that all are meant
   */
  public record Action(String kind, String step, String done, String things, boolean saysAll) {}

  /**
   * Does it.
   *
   * @param one how it is done to one: asks the server by its id and tells what came of it
   */
  public int run(Remote remote, Action action, Values filter, BiConsumer<Remote, String> one) {
    if (!ids.isEmpty()) {
      if ((!filter.isEmpty() || all || dryRun) && command != null) {
        throw new ParameterException(
            command.commandLine(), "Name some by their IDs, or choose by a filter, but not both.");
      }
      ids.forEach(id -> one.accept(remote, id));
      return 0;
    }
    if (filter.isEmpty() && !all && command != null) {
      throw new ParameterException(
          command.commandLine(), "Say which: an ID, a filter such as --account, or --all.");
    }
    if (filter.isEmpty() && action.saysAll()) {
      filter.and("all", true);
    }
    return many(remote, action, filter);
  }

  private int many(Remote remote, Action action, Values filter) {
    Client client = remote.client();
    String path = Client.path(action.kind(), action.step());
    String done = Character.toLowerCase(action.done().charAt(0)) + action.done().substring(1);
    if (dryRun) {
      return remote.post(
          path,
          filter.and("dryRun", true).body(),
          (out, count) -> out.println(matched(count) + " would be " + done + "."));
    }
    int expected = 0;
    if (remote.terminal().interactive()) {
      JsonNode count = client.post(path, filter.and("dryRun", true).body());
      expected = count.path("matched").asInt();
      String question = "%s %s would be %s. Go on?";
      if (!yes
          && expected > 0
          && !remote.confirmed(question.formatted(matched(count), action.things(), done))) {
        throw Failure.because("Nothing was done.");
      }
    }
    ObjectNode sum =
        rounds(client, path, filter.and("dryRun", null), new Progress(remote.terminal(), expected));
    remote.print(
        sum,
        (out, answer) -> {
          out.println(
              "%,d of %,d %s."
                  .formatted(answer.path("done").asInt(), answer.path("matched").asInt(), done));
          answer.path("refused").forEach(refused -> remote.err().println(reason(refused)));
        });
    return sum.path("refused").isEmpty() ? 0 : Failure.FAILED;
  }

  /** A round at a time, until nothing is left that can be done. */
  private static ObjectNode rounds(Client client, String path, Values filter, Progress progress) {
    ObjectNode sum = client.empty();
    ArrayNode refused = sum.putArray("refused");
    int done = 0;
    JsonNode round;
    do {
      round = client.post(path, filter.and("limit", ROUND).body());
      done += round.path("done").asInt(round.path("replayed").asInt());
      refused.addAll(
          round.path(round.has("refused") ? "refused" : "errors").valueStream().toList());
      progress.show(done + refused.size());
    } while (round.path("more").asBoolean() && round.path("done").asInt() > 0);
    progress.end();
    return sum.put("matched", done + refused.size()).put("done", done);
  }

  private static String matched(JsonNode count) {
    String more = count.path("more").asBoolean() ? "More than " : "";
    return more + "%,d".formatted(count.path("matched").asInt());
  }

  private static String reason(JsonNode refused) {
    return refused.isString()
        ? refused.asString()
        : Table.text(refused, "id") + ": " + Table.text(refused, "reason");
  }
}
