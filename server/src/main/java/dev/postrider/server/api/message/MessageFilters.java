package dev.postrider.server.api.message;

import dev.postrider.message.Status;
import dev.postrider.server.api.ApiRequest;
import dev.postrider.server.api.HttpProblem;
import dev.postrider.store.message.MessageFilter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
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
          "reason",
          "text",
          "since",
          "until");

  private MessageFilters() {}

  /** What a query may hold. */
  static String[] parameters() {
    List<String> all = new ArrayList<>(NAMES);
    all.add(METADATA);
    return all.toArray(String[]::new);
  }

  /** What a body may hold, besides what is given. */
  static List<String> options(String... besides) {
    List<String> all = new ArrayList<>(NAMES);
    all.add("metadata");
    all.addAll(List.of(besides));
    return all;
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

  static MessageFilter of(Map<String, Object> options) {
    @Nullable String status = ApiRequest.textOrNull(options, "status");
    Map<String, String> metadata = new HashMap<>();
    switch (options.get("metadata")) {
      case null -> {}
      case Map<?, ?> map ->
          map.forEach((name, value) -> metadata.put(String.valueOf(name), String.valueOf(value)));
      default -> throw HttpProblem.invalid("metadata", "must be an object such as {\"order\": 77}");
    }
    return of(
        ApiRequest.statuses(status == null ? List.of() : List.of(status.split(","))),
        name -> ApiRequest.textOrNull(options, name),
        metadata);
  }

  private static MessageFilter of(
      Set<Status> statuses,
      Function<String, @Nullable String> value,
      Map<String, String> metadata) {
    return new MessageFilter.Builder()
        .statuses(statuses)
        .account(value.apply("account"))
        .chat(value.apply("to"))
        .turnId(value.apply("turnId"))
        .sessionId(value.apply("sessionId"))
        .runId(value.apply("runId"))
        .idempotencyKey(value.apply("idempotencyKey"))
        .receipt(value.apply("receipt"))
        .reason(value.apply("reason"))
        .text(value.apply("text"))
        .metadata(metadata)
        .since(ApiRequest.instant("since", value.apply("since")))
        .until(ApiRequest.instant("until", value.apply("until")))
        .build();
  }
}
