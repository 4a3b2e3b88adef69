package dev.postrider.server.api.inbound;

import dev.postrider.Postrider;
import dev.postrider.message.Message;
import dev.postrider.problem.InvalidInput;
import dev.postrider.server.api.HttpProblem;
import dev.postrider.server.api.Json;
import dev.postrider.server.api.message.ReplyDrafts;
import dev.postrider.store.inbound.StoredInbound;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Supplier;

/** What is pushed to a web server, and what it may answer, in the API's own words. */
public final class PushJson {
  private PushJson() {}

  /** A payload after Standard Webhooks: {@code type}, {@code timestamp} and {@code data}. */
  public static byte[] write(StoredInbound inbound, Postrider postrider) {
    InboundJson written = new InboundJson(postrider, List.of(inbound));
    return Json.object(
        json -> {
          json.writeStringProperty("type", "inbound.message");
          Json.instant(json, "timestamp", inbound.receivedAt());
          json.writeObjectPropertyStart("data");
          json.writeStringProperty("turnId", inbound.id().toString());
          json.writeNumberProperty("attempt", inbound.handling().attempts());
          written.message(json, inbound);
          json.writeEndObject();
        });
  }

  /**
   * The replies in an answer that is JSON; whatever else it says means nothing.
   *
   * @param turn begins a message to where the pushed one came from
   * @throws IllegalArgumentException saying what is wrong with it
   */
  public static List<Message> replies(String answer, Supplier<Message.Builder> turn) {
    if (!answer.stripLeading().startsWith("{")) {
      return List.of();
    }
    try {
      return ReplyDrafts.read(answer.getBytes(StandardCharsets.UTF_8), turn, true);
    } catch (HttpProblem | InvalidInput e) {
      throw new IllegalArgumentException(String.valueOf(e.getMessage()).replace("\n", "; "), e);
    }
  }
}
