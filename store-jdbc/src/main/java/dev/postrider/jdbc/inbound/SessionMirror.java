package dev.postrider.jdbc.inbound;

import dev.postrider.jdbc.message.MessageCodec;
import dev.postrider.message.PartState;
import dev.postrider.store.inbound.SessionReply;
import dev.postrider.store.message.StoredMessage;
import java.io.ByteArrayOutputStream;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;

/** What is kept of a delivered message in its session's history. */
public final class SessionMirror {
  private SessionMirror() {}

  /** Null if the message is of no session. */
  public static @Nullable SessionReply of(StoredMessage delivered) {
    String session = delivered.message().sessionId();
    Instant at = delivered.endedAt();
    if (session == null || at == null) {
      return null;
    }
    List<String> receipts =
        delivered.progress().parts().stream()
            .map(PartState::receipt)
            .filter(Objects::nonNull)
            .map(receipt -> receipt.id())
            .toList();
    return new SessionReply(session, at, delivered.id(), delivered.message(), receipts);
  }

  public static byte[] receipts(List<String> ids) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(64);
    try (JsonGenerator json = MessageCodec.JSON.createGenerator(out)) {
      json.writeStartArray();
      ids.forEach(json::writeString);
      json.writeEndArray();
    }
    return out.toByteArray();
  }

  public static List<String> receipts(byte[] stored) {
    try (JsonParser json = MessageCodec.JSON.createParser(stored)) {
      json.nextToken();
      return MessageCodec.readTexts(json);
    }
  }
}
