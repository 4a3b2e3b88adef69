package dev.postrider.store.inbound;

import dev.postrider.inbound.InboundId;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.inbound.InboundStatus;
import dev.postrider.store.message.Unreadable;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * An inbound message as the store keeps it. Its id is also that of its turn.
 *
 * @param row rises in the order in which inbound messages came in
 * @param replayOf the dead letter it replays
 * @param replayedAs what it was replayed as
 * @param unreadable why its content is not what came in; null, nearly always: it is
 */
public record StoredInbound(
    long row,
    InboundId id,
    String account,
    String sessionId,
    InboundMessage arrival,
    Instant receivedAt,
    InboundStatus status,
    HandlingState handling,
    @Nullable InboundId replayOf,
    @Nullable InboundId replayedAs,
    @Nullable Unreadable unreadable) {

  /** One that can be read. */
  public StoredInbound(
      long row,
      InboundId id,
      String account,
      String sessionId,
      InboundMessage arrival,
      Instant receivedAt,
      InboundStatus status,
      HandlingState handling,
      @Nullable InboundId replayOf,
      @Nullable InboundId replayedAs) {
    this(
        row,
        id,
        account,
        sessionId,
        arrival,
        receivedAt,
        status,
        handling,
        replayOf,
        replayedAs,
        null);
  }

  /** The same in the row of another store. */
  public StoredInbound at(long otherRow) {
    return new StoredInbound(
        otherRow,
        id,
        account,
        sessionId,
        arrival,
        receivedAt,
        status,
        handling,
        replayOf,
        replayedAs,
        unreadable);
  }
}
