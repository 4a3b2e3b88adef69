package dev.postrider.inbound;

import java.util.Locale;

/** Where an inbound message stands on its way to whoever handles it. */
public enum InboundStatus {
  /** Stored; waits to be handed out. */
  PENDING,
  /** Somebody has a lease on it, and has not answered yet. */
  LEASED,
  /** Whoever had it says that it is done with. */
  HANDLED,
  /** A dead letter: its attempts are used up. */
  FAILED,
  /** Was a dead letter that somebody did not want any more; kept only to be recognised. */
  DISCARDED;

  /** Whether nobody will be given it any more. */
  public boolean ended() {
    return this != PENDING && this != LEASED;
  }

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
