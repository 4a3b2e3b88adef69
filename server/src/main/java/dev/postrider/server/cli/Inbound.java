package dev.postrider.server.cli;

import java.util.LinkedHashMap;
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

/** {@code postrider inbound}: what came from platforms. */
@Command(
    name = "inbound",
    description = "Lists and shows what came from platforms; replays and discards dead letters.",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND")
final class Inbound {
  private static final String PATH = "/v1/inbound";

  private final Terminal terminal;

  @Spec private @Nullable CommandSpec spec;

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
      @Option(
              names = "--status",
              description = "Only pending, leased, handled, failed or discarded ones.")
          @Nullable String status,
      @Mixin Paging paging,
      @Mixin Remote remote) {
    Map<String, @Nullable Object> query = which(account, session);
    query.put("status", status);
    JsonNode page = remote.client().get(PATH + Client.query(paging.addTo(query)));
    remote.print(page, answer -> InboundText.list(terminal.out(), answer));
    return 0;
  }

  private static Map<String, @Nullable Object> which(
      @Nullable String account, @Nullable String session) {
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    values.put("account", account);
    values.put("sessionId", session);
    return values;
  }

  @Command(description = "Shows one with its history.", mixinStandardHelpOptions = true)
  int show(@Parameters(index = "0", paramLabel = "ID") String id, @Mixin Remote remote) {
    JsonNode event = remote.client().get(PATH + "/" + Client.step(id));
    remote.print(event, answer -> InboundText.show(terminal.out(), answer));
    return 0;
  }

  @Command(
      description = "Hands out a dead letter again, or all that match, the oldest first.",
      mixinStandardHelpOptions = true)
  int replay(
      @Parameters(paramLabel = "ID", arity = "0..1") @Nullable String id,
      @Option(names = "--account", description = "Only this account.") @Nullable String account,
      @Option(names = "--session", description = "Only this conversation.")
          @Nullable String session,
      @Option(names = "--all", description = "All of them.") boolean all,
      @Option(names = "--dry-run", description = "Only count.") boolean dryRun,
      @Mixin Remote remote) {
    if (id != null) {
      JsonNode again = remote.client().post(PATH + "/" + Client.step(id) + "/replay", null);
      remote.print(
          again, it -> terminal.out().println("Handed out again as " + Table.text(it, "id")));
      return 0;
    }
    if (account == null && session == null && !all && spec != null) {
      throw new ParameterException(
          spec.commandLine(), "Say which: an ID, --account, --session, or --all.");
    }
    Map<String, @Nullable Object> body = which(account, session);
    body.put("dryRun", dryRun);
    JsonNode result = remote.client().post(PATH + "/replay", body);
    remote.print(result, answer -> tell(answer, dryRun));
    return result.path("errors").isEmpty() ? 0 : Failure.FAILED;
  }

  private void tell(JsonNode answer, boolean dryRun) {
    int matched = answer.path("matched").asInt();
    terminal
        .out()
        .println(
            dryRun
                ? matched + " would be handed out again."
                : answer.path("replayed").asInt() + " of " + matched + " handed out again.");
    answer.path("errors").forEach(error -> terminal.err().println(error.asString()));
  }

  @Command(description = "Lets go of a dead letter.", mixinStandardHelpOptions = true)
  int discard(@Parameters(paramLabel = "ID") String id, @Mixin Remote remote) {
    remote.client().delete(PATH + "/" + Client.step(id));
    if (!remote.wantsJson()) {
      terminal.out().println("Discarded.");
    }
    return 0;
  }
}
