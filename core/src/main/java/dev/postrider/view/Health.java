package dev.postrider.view;

import java.util.Locale;
import java.util.stream.Stream;

/** Whether an account can do its work. The first of these that holds, in this order of weight. */
public enum Health {
  /** Nobody works it yet, or its link has not been ready since it was taken. */
  STARTING,
  /** An operator has stopped it. */
  PAUSED,
  /** The platform refuses it, or it is not configured any more. */
  BROKEN,
  /** Its platform cannot be reached. */
  UNREACHABLE,
  /** It sends, but slower than it should, or it hears nothing. */
  DEGRADED,
  /** Nothing is wrong. */
  READY;

  /** The one of this name; what another version calls it is not ready either. */
  public static Health named(String label) {
    return Stream.of(values())
        .filter(health -> health.label().equals(label))
        .findFirst()
        .orElse(DEGRADED);
  }

  /** Its name on the wire. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
