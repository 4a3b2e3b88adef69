package dev.postrider.store.reminder;

import java.util.Locale;

/** Where a run stands. */
public enum RunStatus {
  /** Something must come first: a window that opens, an account that works, its turn. */
  WAITING,
  RUNNING,
  /** Somebody stopped it, or it stopped itself because too much went wrong. */
  PAUSED,
  /** Every target was reached. */
  SUCCESS,
  /** Some targets were reached, some were not. */
  PARTIAL,
  /** No target was reached. */
  FAILED,
  /** Somebody ended it. */
  CANCELLED;

  public boolean ended() {
    return this != WAITING && this != RUNNING && this != PAUSED;
  }

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
