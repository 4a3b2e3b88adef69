package dev.postrider.config;

import java.time.DateTimeException;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as people write them: {@code 500ms, 5s, 2m, 48h, 30d}, and ISO-8601. */
public final class Durations {
  private static final Pattern SHORT = Pattern.compile("(\\d{1,15})\\s?(ms|s|m|h|d)");

  private Durations() {}

  /**
   * Reads a duration.
   *
   * @throws IllegalArgumentException with a sentence about what is wrong
   */
  public static Duration parse(String text) {
    Matcher matcher = SHORT.matcher(text.strip());
    try {
      if (matcher.matches()) {
        long amount = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
          case "ms" -> Duration.ofMillis(amount);
          case "s" -> Duration.ofSeconds(amount);
          case "m" -> Duration.ofMinutes(amount);
          case "h" -> Duration.ofHours(amount);
          default -> Duration.ofDays(amount);
        };
      }
      return Duration.parse(text.strip());
    } catch (DateTimeException | ArithmeticException e) {
      throw new IllegalArgumentException(
          "'" + text + "' is not a duration; write one like 500ms, 5s, 2m, 48h or 30d", e);
    }
  }

  /** The shortest form that {@link #parse} reads back as the same duration. */
  public static String format(Duration duration) {
    long millis = duration.toMillis();
    if (duration.isNegative() || !Duration.ofMillis(millis).equals(duration)) {
      return duration.toString();
    }
    if (millis == 0) {
      return "0s";
    }
    if (millis % 1000 != 0) {
      return millis + "ms";
    }
    long seconds = millis / 1000;
    if (seconds % 86_400 == 0 && seconds > 2 * 86_400) {
      return seconds / 86_400 + "d";
    }
    if (seconds % 3600 == 0) {
      return seconds / 3600 + "h";
    }
    return seconds % 60 == 0 ? seconds / 60 + "m" : seconds + "s";
  }
}
