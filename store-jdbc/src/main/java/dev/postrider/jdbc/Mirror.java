package dev.postrider.jdbc;

import dev.postrider.message.PartState;
import dev.postrider.store.Mirrored;
import dev.postrider.store.StoredMessage;
import java.io.ByteArrayOutputStream;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;

/** What is kept of a delivered message in its session's history. */
public final class Mirror {
  private Mirror() {}

  /** Null if the message is of no session. */
  public static @Nullable Mirrored of(StoredMessage delivered) {
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
    return new Mirrored(session, at, delivered.id(), delivered.message(), receipts);
  }

  public static byte[] receipts(List<String> ids) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(64);
    try (JsonGenerator json = Codec.JSON.createGenerator(out)) {
      json.writeStartArray();
      ids.forEach(json::writeString);
      json.writeEndArray();
    }
    return out.toByteArray();
  }

  static List<String> receipts(byte[] stored) {
    try (JsonParser json = Codec.JSON.createParser(stored)) {
      json.nextToken();
      return Codec.readTexts(json);
    }
  }
}
