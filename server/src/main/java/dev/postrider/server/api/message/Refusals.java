package dev.postrider.server.api.message;

import dev.postrider.server.api.Json;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JsonGenerator;

/** What was refused of many, and why; the first are named. */
final class Refusals {
  private static final int MOST_NAMED = 20;

  private final List<Refusal> named = new ArrayList<>();
  private int count;

  private record Refusal(String id, String reason) {}

  void add(Object id, Throwable refused) {
    add(id, String.valueOf(refused.getMessage()));
  }

  void add(Object id, String reason) {
    count++;
    if (named.size() < MOST_NAMED) {
      named.add(new Refusal(id.toString(), reason));
    }
  }

  int count() {
    return count;
  }

  void write(JsonGenerator json) {
    Json.objects(
        json,
        "refused",
        named,
        refusal -> {
          json.writeStringProperty("id", refusal.id);
          json.writeStringProperty("reason", refusal.reason);
        });
  }
}
