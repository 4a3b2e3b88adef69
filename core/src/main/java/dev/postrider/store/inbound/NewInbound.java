package dev.postrider.store.inbound;

import dev.postrider.inbound.InboundId;
import dev.postrider.inbound.InboundMessage;
import java.time.Instant;

/**
 * An inbound message to be written down.
 *
 * @param sessionId the conversation it belongs to; its inbound messages are kept in order
 * @param keepMedia whether its files are to be kept here, too
 */
public record NewInbound(
    InboundId id, InboundMessage arrival, String sessionId, Instant receivedAt, boolean keepMedia) {

  /** Without its files. */
  public NewInbound(InboundId id, InboundMessage arrival, String sessionId, Instant receivedAt) {
    this(id, arrival, sessionId, receivedAt, false);
  }

  /** How many files are to be kept. */
  public int files() {
    return keepMedia ? arrival.media().size() : 0;
  }
}
