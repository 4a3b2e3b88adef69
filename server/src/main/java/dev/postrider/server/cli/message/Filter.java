package dev.postrider.server.cli.message;

import dev.postrider.server.cli.terminal.Choices;
import dev.postrider.server.cli.terminal.Values;
import dev.postrider.server.cli.terminal.When;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that choose among messages. */
final class Filter {
  @Option(
      names = "--status",
      completionCandidates = Choices.MessageStatus.class,
      description = "Only these, separated by commas: ${COMPLETION-CANDIDATES}.")
  private @Nullable String status;

  @Option(names = "--account", description = "Only this account.")
  private @Nullable String account;

  @Option(names = "--to", paramLabel = "CHAT", description = "Only this chat.")
  private @Nullable String to;

  @Option(names = "--key", description = "Only the one with this idempotency key.")
  private @Nullable String key;

  @Option(names = "--session", paramLabel = "ID", description = "Only this session.")
  private @Nullable String session;

  @Option(names = "--run", paramLabel = "ID", description = "Only what this run sends.")
  private @Nullable String run;

  @Option(names = "--turn", paramLabel = "ID", description = "Only what this turn caused.")
  private @Nullable String turn;

  @Option(
      names = "--receipt",
      description = "Only those with a part of this receipt; or of this receipt status.")
  private @Nullable String receipt;

  @Option(
      names = "--receipt-status",
      paramLabel = "STATUS",
      completionCandidates = Choices.ReceiptStatus.class,
      description = "Only those that got so far: sent, delivered, read or failed.")
  private @Nullable String receiptStatus;

  @Option(names = "--reason", description = "Only this reason.")
  private @Nullable String reason;

  @Option(names = "--text", description = "Only those whose text contains this.")
  private @Nullable String text;

  @Option(
      names = "--metadata",
      paramLabel = "KEY=VALUE",
      description = "Only those with this in their metadata; may be repeated.")
  private Map<String, String> metadata = new LinkedHashMap<>();

  @Option(
      names = "--since",
      paramLabel = "WHEN",
      description = "Accepted then or later: 6h (ago), or 2026-11-20T09:00:00Z.")
  private @Nullable When since;

  @Option(names = "--until", paramLabel = "WHEN", description = "Accepted before that.")
  private @Nullable When until;

  private Values plain() {
    return Values.of("status", status)
        .and("account", account)
        .and("to", to)
        .and("idempotencyKey", key)
        .and("sessionId", session)
        .and("runId", run)
        .and("turnId", turn)
        .and("receipt", receipt)
        .and("receiptStatus", receiptStatus)
        .and("reason", reason)
        .and("text", text)
        .and("since", When.text(since))
        .and("until", When.text(until));
  }

  /** For a query. */
  Values values() {
    Values values = plain();
    metadata.forEach((name, value) -> values.and("metadata." + name, value));
    return values;
  }

  /** For a body. */
  Values body() {
    return metadata.isEmpty() ? plain() : plain().and("metadata", metadata);
  }
}
