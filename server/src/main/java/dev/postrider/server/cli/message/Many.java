package dev.postrider.server.cli.message;

import dev.postrider.server.cli.terminal.Client;
import dev.postrider.server.cli.terminal.Failure;
import dev.postrider.server.cli.terminal.Progress;
import dev.postrider.server.cli.terminal.Remote;
import dev.postrider.server.cli.terminal.Table;
import dev.postrider.server.cli.terminal.Values;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Does something to all that match a filter: counts, asks, shows how far it is. */
public class Many {
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

  /** Whether options say something about many. */
  boolean isAbout(Values filter) {
    return !filter.isEmpty() || all || dryRun;
  }

  /** Refuses the command as it was given. */
  void refuse(String why) {
    if (command != null) {
      throw new ParameterException(command.commandLine(), why);
    }
  }

  /** Refuses to be about everything unless that is said. */
  void requireFilter(Values filter, String otherwise) {
    if (filter.isEmpty() && !all) {
      refuse(otherwise);
    }
  }

  int many(Remote remote, Action action, Values filter) {
    if (filter.isEmpty() && action.saysAll()) {
      filter.and("all", true);
    }
    String path = Client.path(action.kind(), action.step());
    String done = Character.toLowerCase(action.done().charAt(0)) + action.done().substring(1);
    if (dryRun) {
      ObjectNode count = new Rounds(remote, path, filter).count();
      remote.print(count, (out, _) -> out.println(matched(count) + " would be " + done + "."));
      return 0;
    }
    int expected = 0;
    if (remote.terminal().interactive()) {
      ObjectNode count = new Rounds(remote, path, filter).count();
      expected = count.path("matched").asInt();
      String question = "%s %s would be %s. Go on?";
      if (!yes
          && expected > 0
          && !remote.confirmed(question.formatted(matched(count), action.things(), done))) {
        throw Failure.because("Nothing was done.");
      }
    }
    ObjectNode sum = new Rounds(remote, path, filter).run(expected);
    remote.print(
        sum,
        (out, answer) -> {
          out.println("%s of %s %s.".formatted(number(answer, "done"), matched(answer), done));
          answer.path("refused").forEach(refused -> remote.err().println(reason(refused)));
        });
    return sum.path("done").asInt() == sum.path("matched").asInt() ? 0 : Failure.FAILED;
  }

  private static String matched(JsonNode count) {
    return number(count, "matched");
  }

  private static String number(JsonNode answer, String field) {
    return "%,d".formatted(answer.path(field).asInt());
  }

  private static String reason(JsonNode refused) {
    String id = Table.text(refused, "id");
    String lane = Table.text(refused, "to") + " on " + Table.text(refused, "account");
    return (id.isEmpty() ? lane : id) + ": " + Table.text(refused, "reason");
  }

  /** The requests it takes: each does a part, and says where the next one goes on. */
  private static final class Rounds {
    private static final int COUNTED = 10_000;
    private static final int DONE = 1_000;

    /** For the oldest the server looks at all of them each time. */
    private static final int REPLAYED = 10_000;

    private final Remote remote;
    private final String path;
    private final Values wish;
    private final ObjectNode sum;
    private int done;

    Rounds(Remote remote, String path, Values filter) {
      this.remote = remote;
      this.path = path;
      this.wish = filter;
      this.sum = remote.client().empty();
    }

    ObjectNode count() {
      wish.and("dryRun", true).and("limit", COUNTED).and("cursor", null);
      int matched = 0;
      for (JsonNode round = next(); ; round = next()) {
        matched += round.path("matched").asInt();
        if (!goesOn(round, 0)) {
          return sum.put("dryRun", true).put("matched", matched);
        }
      }
    }

    ObjectNode run(int expected) {
      int most = path.endsWith("/replay") ? REPLAYED : DONE;
      wish.and("dryRun", null).and("limit", most).and("cursor", null);
      Progress progress = new Progress(remote.terminal(), expected);
      ArrayNode refused = sum.putArray("refused");
      int matched = 0;
      for (JsonNode round = next(); ; round = next()) {
        // Replays count all that are left, the others what they have looked at.
        int all = round.path("matched").asInt();
        matched = round.has("remaining") ? Math.max(matched, done + all) : matched + all;
        int now = round.path("done").asInt();
        done += now;
        refused.addAll(round.path("refused").valueStream().toList());
        progress.show(done);
        if (!goesOn(round, now)) {
          progress.end();
          return sum.put("matched", matched).put("done", done);
        }
      }
    }

    private JsonNode next() {
      return remote.client().post(path, wish.body());
    }

    /** Where no cursor leads on, only what was done makes the next round another one. */
    private boolean goesOn(JsonNode round, int now) {
      String cursor = Table.text(round, "next");
      wish.and("cursor", cursor.isEmpty() ? null : cursor);
      return round.path("more").asBoolean() && (!cursor.isEmpty() || now > 0);
    }
  }
}
