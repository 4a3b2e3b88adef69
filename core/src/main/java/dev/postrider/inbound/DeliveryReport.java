package dev.postrider.inbound;

import java.time.Instant;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a platform says of a part after it has accepted it.
 *
 * @param receipt the id the platform gave when it accepted the part
 * @param detail why, if it failed
 * @param permanent whether the same again would fail again, as far as the channel can tell
 */
public record DeliveryReport(
    String receipt, State state, Instant at, @Nullable String detail, boolean permanent) {

  public DeliveryReport(String receipt, State state, Instant at, @Nullable String detail) {
    this(receipt, state, at, detail, false);
  }

  /**
   * How far it got. A further state replaces a nearer one, never the other way round, in whichever
   * order they are heard: platforms do not keep theirs.
   */
  public enum State {
    /** The platform has it. */
    SENT,
    /** It is on the addressee's device, or in the mailbox. */
    DELIVERED,
    READ,
    /** It will not arrive. */
    FAILED;

    /**
     * Whether this is further than the other: sent, delivered, failed, read. What has failed stays
     * failed, unless somebody has read it.
     */
    public boolean beats(@Nullable State other) {
      return other == null || distance() > other.distance();
    }

    private int distance() {
      return switch (this) {
        case SENT -> 0;
        case DELIVERED -> 1;
        case FAILED -> 2;
        case READ -> 3;
      };
    }

    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
