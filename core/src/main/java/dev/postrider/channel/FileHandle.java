package dev.postrider.channel;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a platform calls bytes it has.
 *
 * @param lasts how long it keeps them; null for good
 */
public record FileHandle(String value, @Nullable Duration lasts) {
  public static FileHandle of(String value) {
    return new FileHandle(value, null);
  }
}
