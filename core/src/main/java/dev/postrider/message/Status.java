package dev.postrider.message;

import java.util.Locale;

/** Where a message stands. The first two are active; the others are ends and are never left. */
public enum Status {
  /** Waiting for its due time, its turn in the lane, or a token. */
  QUEUED,
  /** An attempt is reserved and under way. */
  SENDING,
  /** Every part was delivered. */
  DELIVERED,
  /** Refused for good, or its attempts are used up. */
  FAILED,
  /** Older than its allowed age. */
  EXPIRED,
  /** An outcome stayed unknown and the policy says not to resend. */
  HELD,
  /** Withdrawn before it was sent. */
  CANCELLED;

  /** The status' name on the wire. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  public boolean ended() {
    return this != QUEUED && this != SENDING;
  }

  /** Ended without being delivered or withdrawn: someone may want to look at it and replay it. */
  public boolean deadLetter() {
    return this == FAILED || this == EXPIRED || this == HELD;
  }
}
