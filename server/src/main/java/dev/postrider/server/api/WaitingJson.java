package dev.postrider.server.api;

import dev.postrider.message.MessageId;
import dev.postrider.view.WaitingFor;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** What something waits for, as JSON. */
public final class WaitingJson {
  /** What can be asked for. Nothing waits for {@code quietHours} so far: the word is reserved. */
  public static final List<String> KINDS =
      Stream.concat(WaitingFor.KINDS.stream(), Stream.of("quietHours")).toList();

  private WaitingJson() {}

  /** Writes the member {@code waitingFor}; null if it waits for nothing. */
  public static void write(JsonGenerator json, @Nullable WaitingFor waits) {
    if (waits == null) {
      json.writeNullProperty("waitingFor");
      return;
    }
    json.writeObjectPropertyStart("waitingFor");
    json.writeStringProperty("kind", waits.kind());
    Json.instant(json, "until", waits.until());
    Json.instant(json, "since", waits.since());
    Json.text(json, "cause", waits.cause());
    @Nullable MessageId first = waits.messageId();
    Json.text(json, "messageId", first == null ? null : first.toString());
    json.writeEndObject();
  }
}
