package dev.postrider.store.inbound;

import dev.postrider.inbound.InboundId;

/**
 * The result of writing an inbound message down.
 *
 * @param id under which it is stored: that of the first, if it was known already
 * @param isNew whether it was stored by this write
 */
public record ReceiveResult(InboundId id, boolean isNew) {}
