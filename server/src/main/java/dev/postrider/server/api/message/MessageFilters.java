package dev.postrider.server.api.message;

import dev.postrider.inbound.DeliveryReport;
import dev.postrider.message.Status;
import dev.postrider.reminder.json.JsonFields;
import dev.postrider.server.api.ApiRequest;
import dev.postrider.server.api.HttpProblem;
import dev.postrider.store.message.MessageFilter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Which messages a request is about: the same names in a query and in a body. */
final class MessageFilters {
  private static final String METADATA = "metadata.";

  private static final List<String> NAMES =
      List.of(
          "status",
          "account",
          "to",
          "turnId",
          "sessionId",
          "runId",
          "idempotencyKey",
          "receipt",
          "receiptStatus",
          "reason",
          "text",
          "since",
          "until");

  private MessageFilters() {}

  /** What a query may hold, besides what is given. */
  static String[] parameters(String... besides) {
    return Stream.of(NAMES, List.of(METADATA), List.of(besides))
        .flatMap(List::stream)
        .toArray(String[]::new);
  }

  /** What a body may hold, besides what is given. */
  static String[] options(String... besides) {
    return Stream.of(NAMES, List.of("metadata"), List.of(besides))
        .flatMap(List::stream)
        .toArray(String[]::new);
  }

  /** Whether a body names any. */
  static boolean anyOf(JsonFields options) {
    return options.has("metadata") || NAMES.stream().anyMatch(options::has);
  }

  static MessageFilter of(ApiRequest call) {
    Map<String, String> metadata = new HashMap<>();
    call.queries()
        .forEach(
            (name, value) -> {
              if (name.startsWith(METADATA)) {
                metadata.put(name.substring(METADATA.length()), value);
              }
            });
    return of(call.statuses(), call::query, metadata);
  }

  static MessageFilter of(JsonFields options) {
    @Nullable String status = options.filled("status");
    Map<String, String> metadata = new HashMap<>();
    options.map("metadata").forEach((name, value) -> metadata.put(name, String.valueOf(value)));
    return of(
        ApiRequest.choices(
            "status", status == null ? List.of() : List.of(status.split(",")), Status.values()),
        options::filled,
        metadata);
  }

  private static MessageFilter of(
      Set<Status> statuses,
      Function<String, @Nullable String> value,
      Map<String, String> metadata) {
    @Nullable String receipt = value.apply("receipt");
    DeliveryReport.State meant = stateMeantBy(receipt);
    DeliveryReport.State state = receiptStatus(value.apply("receiptStatus"));
    if (meant != null && state != null && meant != state) {
      throw HttpProblem.invalid(
          "receipt",
          "'%s' is another state than '%s' in receiptStatus; a message has one: give one of them"
              .formatted(meant.label(), state.label()));
    }
    return new MessageFilter.Builder()
        .statuses(statuses)
        .account(value.apply("account"))
        .chat(value.apply("to"))
        .turnId(value.apply("turnId"))
        .sessionId(value.apply("sessionId"))
        .runId(value.apply("runId"))
        .idempotencyKey(value.apply("idempotencyKey"))
        .receipt(meant == null ? receipt : null)
        .receiptStatus(meant == null ? state : meant)
        .reason(value.apply("reason"))
        .text(value.apply("text"))
        .metadata(metadata)
        .since(ApiRequest.instant("since", value.apply("since")))
        .until(ApiRequest.instant("until", value.apply("until")))
        .build();
  }

  /** No platform calls a message "read": such a word is asked for as a state. */
  private static DeliveryReport.@Nullable State stateMeantBy(@Nullable String receipt) {
    return Stream.of(DeliveryReport.State.values())
        .filter(state -> state.label().equals(receipt))
        .findFirst()
        .orElse(null);
  }

  private static DeliveryReport.@Nullable State receiptStatus(@Nullable String given) {
    return given == null
        ? null
        : ApiRequest.choice("receiptStatus", given, DeliveryReport.State.values());
  }
}
