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
 * @param failed the message as it is now, if it was delivered and has ended as failed because of
 *     this report
 */
public record ReportResult(
    DeliveryReport report,
    boolean changed,
    @Nullable MessageId message,
    int part,
    @Nullable StoredMessage failed) {

  /** One that ended no message. */
  public ReportResult(
      DeliveryReport report, boolean changed, @Nullable MessageId message, int part) {
    this(report, changed, message, part, null);
  }

  public ReportResult with(@Nullable StoredMessage endedFailed) {
    return new ReportResult(report, changed, message, part, endedFailed);
  }
}
