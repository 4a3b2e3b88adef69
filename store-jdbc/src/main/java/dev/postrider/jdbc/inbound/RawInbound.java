package dev.postrider.jdbc.inbound;

import dev.postrider.inbound.InboundId;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.jdbc.encryption.ContentCipher;
import dev.postrider.jdbc.encryption.ContentCipher.Column;
import dev.postrider.jdbc.encryption.ContentCipher.UnreadableContent;
import dev.postrider.jdbc.message.RawMessage;
import dev.postrider.jdbc.session.Values;
import dev.postrider.store.inbound.HandlingState;
import dev.postrider.store.inbound.StoredInbound;
import dev.postrider.store.message.Unreadable;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * An inbound message as it was read; decoded on the way to the caller, as {@link RawMessage} is.
 */
public record RawInbound(
    long row,
    InboundId id,
    String account,
    String session,
    int status,
    long received,
    byte[] content,
    HandlingState handling,
    @Nullable InboundId replayOf,
    @Nullable InboundId replayedAs,
    ContentCipher cipher) {
  /** Stands where the content cannot be read. */
  private static final byte[] UNREADABLE =
      "{\"text\":\"(unreadable)\"}".getBytes(StandardCharsets.UTF_8);

  /** What cannot be decrypted is an inbound message all the same: it has a place, and must end. */
  public StoredInbound decode() {
    try {
      return decoded(InboundCodec.arrival(opened()), null);
    } catch (UnreadableContent e) {
      return decoded(InboundCodec.arrival(UNREADABLE), e.why());
    }
  }

  private StoredInbound decoded(InboundMessage arrival, @Nullable Unreadable unreadable) {
    return new StoredInbound(
        row,
        id,
        account,
        session,
        arrival,
        Values.instant(received),
        Values.inboundStatus(status),
        handling,
        replayOf,
        replayedAs,
        unreadable);
  }

  private byte[] opened() {
    return cipher.open(Column.EVENT, id.value(), content);
  }

  /** The content as it is stored in the row of the inbound message that replays this one. */
  public byte[] contentFor(InboundId replay) {
    return cipher.seal(Column.EVENT, replay.value(), opened());
  }
}
