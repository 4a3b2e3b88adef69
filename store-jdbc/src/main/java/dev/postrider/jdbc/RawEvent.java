package dev.postrider.jdbc;

import dev.postrider.inbound.InboundId;
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
    @Nullable InboundId replayedAs) {

  public StoredInbound decode() {
    return new StoredInbound(
        row,
        id,
        account,
        session,
        InboundCodec.arrival(content),
        Values.instant(received),
        Values.inboundStatus(status),
        handling,
        replayOf,
        replayedAs);
  }
}
