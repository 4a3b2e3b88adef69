package dev.postrider.jdbc;

import dev.postrider.inbound.Arrival;
import dev.postrider.inbound.InboundId;
import dev.postrider.jdbc.ContentCipher.Column;
import dev.postrider.jdbc.ContentCipher.UnreadableContent;
import dev.postrider.store.Handling;
import dev.postrider.store.StoredInbound;
import dev.postrider.store.Unreadable;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** An event as it was read; decoded on the way to the caller, as {@link Raw} is. */
public record RawEvent(
    long row,
    InboundId id,
    String account,
    String session,
    int status,
    long received,
    byte[] content,
    Handling handling,
    @Nullable InboundId replayOf,
    @Nullable InboundId replayedAs,
    ContentCipher cipher) {
  /** Stands where the content cannot be read. */
  private static final byte[] UNREADABLE =
      "{\"text\":\"(unreadable)\"}".getBytes(StandardCharsets.UTF_8);

  /** What cannot be decrypted is an event all the same: it has a place, and must end. */
  public StoredInbound decode() {
    try {
      return decoded(InboundCodec.arrival(opened()), null);
    } catch (UnreadableContent e) {
      return decoded(InboundCodec.arrival(UNREADABLE), e.why());
    }
  }

  private StoredInbound decoded(Arrival arrival, @Nullable Unreadable unreadable) {
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

  /** The content as it is stored in the row of the event that replays this one. */
  public byte[] contentFor(InboundId replay) {
    return cipher.seal(Column.EVENT, replay.value(), opened());
  }
}
