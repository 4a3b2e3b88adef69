package dev.postrider.inbound;

import java.util.Locale;

/** How the handling of an inbound message stands, its answers included. */
public enum TurnState {
  /** It is not handled yet, or messages it caused are on their way. */
  OPEN,
  /** Every message it caused has arrived, but for those that were withdrawn. */
  DELIVERED,
  /** It could not be handled, or a message it caused ended badly; none is on its way. */
  FAILED,
  /** It was handled, and there was nothing to send. */
  EMPTY;

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
