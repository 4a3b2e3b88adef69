package dev.postrider.channels.http;

import dev.postrider.config.StorableTime;
import java.time.DateTimeException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Times as platforms write them. One that cannot be meant is none. */
public final class PlatformTime {
  private PlatformTime() {}

  /** So many seconds since 1970; null if that is beyond what can be stored. */
  public static @Nullable Instant ofSeconds(long seconds) {
    try {
      return storable(Instant.ofEpochSecond(seconds));
    } catch (DateTimeException e) {
      return null;
    }
  }

  /** The instant; null if it is beyond what can be stored. */
  public static @Nullable Instant storable(Instant instant) {
    try {
      return StorableTime.checked(instant);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
