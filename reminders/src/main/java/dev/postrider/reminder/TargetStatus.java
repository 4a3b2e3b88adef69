package dev.postrider.reminder;

import java.util.Locale;

/** Where a run stands with one of its targets. */
public enum TargetStatus {
  PENDING,
  SENDING,
  SENT,
  FAILED,
  SKIPPED,
  CANCELLED;

  /** The name on the wire. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  public boolean isEnd() {
    return this != PENDING && this != SENDING;
  }
}
