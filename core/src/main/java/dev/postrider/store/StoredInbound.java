package dev.postrider.store;

import dev.postrider.inbound.Arrival;
import dev.postrider.inbound.InboundId;
import dev.postrider.inbound.InboundStatus;
import java.time.Instant;

/**
 * An event as the store keeps it.
 *
 * @param row rises in the order in which events came in
 */
public record StoredInbound(
    long row,
    InboundId id,
    String account,
    String sessionId,
    Arrival arrival,
    Instant receivedAt,
    InboundStatus status) {

  /** The same in the row of another store. */
  public StoredInbound at(long otherRow) {
    return new StoredInbound(otherRow, id, account, sessionId, arrival, receivedAt, status);
  }
}
