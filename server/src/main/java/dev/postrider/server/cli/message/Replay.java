package dev.postrider.server.cli.message;

import dev.postrider.server.cli.terminal.Client;
import dev.postrider.server.cli.terminal.Failure;
import dev.postrider.server.cli.terminal.Remote;
import dev.postrider.server.cli.terminal.Table;
import dev.postrider.server.cli.terminal.Values;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** Replays one dead letter, or all that match a filter. */
public final class Replay {
  @Parameters(paramLabel = "ID", arity = "0..1")
  private @Nullable String id;

  @Option(names = "--all", description = "All dead letters.")
  private boolean all;

  @Option(names = "--dry-run", description = "Only count them.")
  private boolean dryRun;

  @Spec(Spec.Target.MIXEE)
  private @Nullable CommandSpec command;

  /**
   * Replays.
   *
   * @param kind the step of the path that names the dead letters
   * @param done what happened to them, such as "Sent again"
   */
  public int run(Remote remote, String kind, Values filter, String done) {
    if (id != null) {
      return remote.post(
          Client.path(kind, id, "replay"),
          null,
          (out, again) -> out.println(done + " as " + Table.text(again, "id")));
    }
    if (filter.isEmpty() && !all && command != null) {
      throw new ParameterException(
          command.commandLine(), "Say which: an ID, a filter such as --account, or --all.");
    }
    JsonNode result =
        remote.client().post(Client.path(kind, "replay"), filter.and("dryRun", dryRun).body());
    remote.print(
        result,
        (out, answer) -> {
          int matched = answer.path("matched").asInt();
          String what = done.toLowerCase(Locale.ROOT);
          out.println(
              dryRun
                  ? "%d would be %s.".formatted(matched, what)
                  : "%d of %d %s.".formatted(answer.path("replayed").asInt(), matched, what));
          answer.path("errors").forEach(error -> remote.err().println(error.asString()));
        });
    return result.path("errors").isEmpty() ? 0 : Failure.FAILED;
  }
}
