package dev.postrider.channel;

import java.util.Locale;

/** What a throttle applies to. */
public enum ThrottleScope {
  CHAT,
  ACCOUNT,
  CHANNEL;

  /** The scope's name on the wire. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
