package dev.postrider.store.message;

import dev.postrider.inbound.DeliveryReport;
import org.jspecify.annotations.Nullable;

/**
 * A part that the platform has accepted, and what it has said of it since.
 *
 * @param furthest null as long as nothing was heard
 */
public record ReceiptState(int part, String receipt, @Nullable DeliveryReport furthest) {}
