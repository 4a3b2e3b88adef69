package dev.postrider.channels.discord;

import java.time.Instant;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Discord's ids: numbers written as text, which begin with the time they were given. */
final class Snowflake {
  private static final Pattern FORM = Pattern.compile("[1-9]\\d{0,18}");
  private static final long EPOCH = 1_420_070_400_000L; // the first second of 2015
  private static final int AFTER_TIME = 22;

  private Snowflake() {}

  static boolean is(@Nullable String text) {
    return text != null && FORM.matcher(text).matches();
  }

  static Instant time(String id) {
    return Instant.ofEpochMilli((Long.parseLong(id) >> AFTER_TIME) + EPOCH);
  }

  /** The lowest id that can have been given at this time. */
  static String at(Instant time) {
    return Long.toString(Math.max(time.toEpochMilli() - EPOCH, 0) << AFTER_TIME);
  }
}
