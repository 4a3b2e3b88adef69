package dev.postrider.jdbc;

import dev.postrider.inbound.InboundId;
import dev.postrider.jdbc.ContentCipher.Column;
import dev.postrider.store.Handling;
import dev.postrider.store.StoredInbound;
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

  public StoredInbound decode() {
    return new StoredInbound(
        row,
        id,
        account,
        session,
        InboundCodec.arrival(opened()),
        Values.instant(received),
        Values.inboundStatus(status),
        handling,
        replayOf,
        replayedAs);
  }

  private byte[] opened() {
    return cipher.open(Column.EVENT, id.value(), content);
  }

  /** The content as it is stored in the row of the event that replays this one. */
  public byte[] contentFor(InboundId replay) {
    return cipher.seal(Column.EVENT, replay.value(), opened());
  }
}
