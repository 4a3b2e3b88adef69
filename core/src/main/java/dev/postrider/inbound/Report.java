package dev.postrider.inbound;

import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Late word on a part that the platform had accepted.
 *
 * @param receipt the id the platform gave when it accepted the part
 * @param detail why, if it failed
 */
public record Report(String receipt, State state, Instant at, @Nullable String detail) {

  /** How far it got. A later state replaces an earlier one, never the other way round. */
  public enum State {
    /** The platform has it. */
    SENT,
    /** It is on the addressee's device, or in the mailbox. */
    DELIVERED,
    READ,
    /** It will not arrive. */
    FAILED;

    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
