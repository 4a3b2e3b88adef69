package dev.postrider.store.reminder;

import java.util.Locale;

/** Where a target of a run stands. */
public enum TargetStatus {
  /** Nothing is on its way; it may have got some of its messages before. */
  PENDING,
  /** Its messages are on their way, one after the other. */
  SENDING,
  /** It has got all of its messages. */
  SENT,
  /** One of its messages ended badly. */
  FAILED,
  /** Its time was over. */
  SKIPPED,
  CANCELLED;

  public boolean ended() {
    return this != PENDING && this != SENDING;
  }

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
