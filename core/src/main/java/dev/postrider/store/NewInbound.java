package dev.postrider.store;

import dev.postrider.inbound.Arrival;
import dev.postrider.inbound.InboundId;
import java.time.Instant;

/**
 * An event to be written down.
 *
 * @param sessionId the conversation it belongs to; its events are kept in order
 */
public record NewInbound(InboundId id, Arrival arrival, String sessionId, Instant receivedAt) {}
