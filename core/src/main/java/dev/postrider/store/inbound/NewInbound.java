package dev.postrider.store.inbound;

import dev.postrider.inbound.InboundId;
import dev.postrider.inbound.InboundMessage;
import java.time.Instant;

/**
 * An inbound message to be written down.
 *
 * @param sessionId the conversation it belongs to; its inbound messages are kept in order
 */
public record NewInbound(
    InboundId id, InboundMessage arrival, String sessionId, Instant receivedAt) {}
