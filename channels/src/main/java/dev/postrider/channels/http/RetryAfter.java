package dev.postrider.channels.http;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The {@code Retry-After} header in its forms: seconds, seconds with a fraction, or a date. */
public final class RetryAfter {
  private static final Pattern SECONDS = Pattern.compile("\\d{1,9}(\\.\\d{1,9})?");

  private RetryAfter() {}

  /** The delay from now, never negative; null if the text is none of the forms. */
  public static @Nullable Duration parse(String text, Instant now) {
    String value = text.strip();
    if (SECONDS.matcher(value).matches()) {
      // Rounded up: a delay the platform asked for is never shortened.
      return Duration.ofMillis(
          new BigDecimal(value).movePointRight(3).setScale(0, RoundingMode.CEILING).longValue());
    }
    try {
      Instant until = Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(value));
      return until.isAfter(now) ? Duration.between(now, until) : Duration.ZERO;
    } catch (DateTimeException e) {
      return null;
    }
  }
}
