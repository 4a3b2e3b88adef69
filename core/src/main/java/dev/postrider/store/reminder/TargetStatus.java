package dev.postrider.store.reminder;

import java.util.Locale;

/** Where a target of a run stands. */
public enum TargetStatus {
  /** Nothing is on its way; it may have got some of its messages before. */
  PENDING,
  /** Its messages are on their way, one after the other. */
  SENDING,
  /** The platform has taken all of its messages. */
  SENT,
  /** All of its messages are on the addressee's device, by the platform's word. */
  DELIVERED,
  /** All of its messages were read, by the platform's word. */
  READ,
  /** One of its messages ended badly, perhaps by the platform's later word. */
  FAILED,
  /** Its time was over. */
  SKIPPED,
  CANCELLED;

  /** Whether it has got all of its messages, as far as is known. */
  public boolean reached() {
    return this == SENT || this == DELIVERED || this == READ;
  }

  public boolean ended() {
    return this != PENDING && this != SENDING;
  }

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
