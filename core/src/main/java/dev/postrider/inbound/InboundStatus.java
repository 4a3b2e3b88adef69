package dev.postrider.inbound;

import java.util.Locale;

/** Where an event stands on its way to whoever handles it. */
public enum InboundStatus {
  /** Stored; nobody has handled it. */
  PENDING;

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
