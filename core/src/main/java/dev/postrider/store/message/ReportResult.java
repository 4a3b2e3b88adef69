package dev.postrider.store.message;

import dev.postrider.inbound.DeliveryReport;
import dev.postrider.message.MessageId;
import org.jspecify.annotations.Nullable;

/**
 * The result of a delivery report.
 *
 * @param changed whether it is further than what was known
 * @param message whose part it is about; null if no message has claimed the receipt (yet)
 * @param part which part, counted from zero; -1 without a message
 */
public record ReportResult(
    DeliveryReport report, boolean changed, @Nullable MessageId message, int part) {}
