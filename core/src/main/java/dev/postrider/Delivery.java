package dev.postrider;

import dev.postrider.inbound.DeliveryReport;
import dev.postrider.message.MessageId;
import dev.postrider.store.message.StoredMessage;
import java.time.Duration;
import java.util.Optional;

/** A message that was handed in and is durable. Thread-safe. */
public final class Delivery {
  private final Postrider postrider;
  private final StoredMessage accepted;
  private final boolean duplicate;

  Delivery(Postrider postrider, StoredMessage accepted, boolean duplicate) {
    this.postrider = postrider;
    this.accepted = accepted;
    this.duplicate = duplicate;
  }

  public MessageId id() {
    return accepted.id();
  }

  /** The message as it was accepted. */
  public StoredMessage message() {
    return accepted;
  }

  /** Whether the message had been handed in before, under the same idempotency key. */
  public boolean duplicate() {
    return duplicate;
  }

  /** Where the message stands now. */
  public StoredMessage status() {
    return postrider.find(accepted.id()).orElse(accepted);
  }

  /** How far it got by the platform's later word; nothing if the platform does not report on it. */
  public Optional<DeliveryReport.State> receiptStatus() {
    return postrider.receiptStatus(accepted.id());
  }

  /** Waits until the message has ended, but not longer than this; gives where it stands then. */
  public StoredMessage await(Duration patience) {
    return postrider.await(accepted.id(), patience).orElse(accepted);
  }
}
