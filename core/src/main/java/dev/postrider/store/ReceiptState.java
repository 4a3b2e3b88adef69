package dev.postrider.store;

import dev.postrider.inbound.Report;
import org.jspecify.annotations.Nullable;

/**
 * A part that the platform has accepted, and what it has said of it since.
 *
 * @param furthest null as long as nothing was heard
 */
public record ReceiptState(int part, String receipt, @Nullable Report furthest) {}
