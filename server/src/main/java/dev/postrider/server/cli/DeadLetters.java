package dev.postrider.server.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;

/** {@code postrider dead-letters}: gives undelivered messages another chance. */
@Command(
    name = "dead-letters",
    description = "Lists, shows, replays, discards and exports undelivered messages.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND")
final class DeadLetters {
  private static final String PATH = "/v1/dead-letters";

  private final Terminal terminal;

  @Spec private @Nullable CommandSpec spec;

  DeadLetters(Terminal terminal) {
    this.terminal = terminal;
  }

  @Command(description = "Lists them, the newest first.", mixinStandardHelpOptions = true)
  int list(@Mixin Filter filter, @Mixin Paging paging, @Mixin Remote remote) {
    JsonNode page = remote.client().get(PATH + Client.query(paging.addTo(filter.values())));
    remote.print(page, answer -> MessageText.list(terminal.out(), answer, "No dead letters."));
    return 0;
  }

  @Command(description = "Shows one with its history.", mixinStandardHelpOptions = true)
  int show(@Parameters(paramLabel = "ID") String id, @Mixin Remote remote) {
    JsonNode message = remote.client().get(PATH + "/" + Client.step(id));
    remote.print(message, answer -> MessageText.show(terminal.out(), answer));
    return 0;
  }

  @Command(
      description = "Sends one again, or all that match, the oldest first.",
      mixinStandardHelpOptions = true)
  int replay(
      @Parameters(paramLabel = "ID", arity = "0..1") @Nullable String id,
      @Mixin Filter filter,
      @Option(names = "--all", description = "All of them.") boolean all,
      @Option(names = "--dry-run", description = "Only count.") boolean dryRun,
      @Mixin Remote remote) {
    if (id != null) {
      JsonNode sent = remote.client().post(PATH + "/" + Client.step(id) + "/replay", null);
      remote.print(
          sent, answer -> terminal.out().println("Sent again as " + Table.text(answer, "id")));
      return 0;
    }
    if (filter.isEmpty() && !all && spec != null) {
      throw new ParameterException(
          spec.commandLine(), "Say which: an ID, a filter such as --account, or --all.");
    }
    Map<String, @Nullable Object> body = filter.body();
    body.put("dryRun", dryRun);
    JsonNode result = remote.client().post(PATH + "/replay", body);
    remote.print(
        result,
        answer -> {
          int matched = answer.path("matched").asInt();
          terminal
              .out()
              .println(
                  dryRun
                      ? matched + " would be sent again."
                      : answer.path("replayed").asInt() + " of " + matched + " sent again.");
          answer.path("errors").forEach(error -> terminal.err().println(error.asString()));
        });
    return result.path("errors").isEmpty() ? 0 : Failure.FAILED;
  }

  @Command(description = "Deletes one for good.", mixinStandardHelpOptions = true)
  int discard(@Parameters(paramLabel = "ID") String id, @Mixin Remote remote) {
    remote.client().delete(PATH + "/" + Client.step(id));
    if (!remote.wantsJson()) {
      terminal.out().println("Discarded.");
    }
    return 0;
  }

  @Command(
      description = "Prints all that match, one JSON object a line.",
      mixinStandardHelpOptions = true)
  int export(@Mixin Filter filter, @Mixin Remote remote) throws IOException {
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(
                remote.client().stream(PATH + "/export" + Client.query(filter.values())),
                StandardCharsets.UTF_8))) {
      lines.lines().forEach(terminal.data()::println);
    }
    return 0;
  }
}
