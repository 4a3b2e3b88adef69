package dev.postrider.server.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that choose among messages. */
final class Filter {
  @Option(names = "--status", description = "Only these, separated by commas.")
  private @Nullable String status;

  @Option(names = "--account", description = "Only this account.")
  private @Nullable String account;

  @Option(names = "--to", paramLabel = "CHAT", description = "Only this chat.")
  private @Nullable String to;

  @Option(names = "--turn", paramLabel = "ID", description = "Only what this turn caused.")
  private @Nullable String turnId;

  @Option(names = "--reason", description = "Only this reason.")
  private @Nullable String reason;

  Map<String, @Nullable Object> values() {
    Map<String, @Nullable Object> values = new LinkedHashMap<>();
    values.put("status", status);
    values.put("account", account);
    values.put("to", to);
    values.put("turnId", turnId);
    values.put("reason", reason);
    return values;
  }

  boolean isEmpty() {
    return values().values().stream().allMatch(value -> value == null);
  }
}
