package dev.postrider.server.cli.terminal;

import dev.postrider.config.Durations;
import dev.postrider.config.StorableTime;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.TypeConversionException;

/** A moment as an option names it: an instant, or how long ago or ahead. */
public record When(String text) {
  /** Reads it, so that what cannot be meant is refused before anything is asked. */
  public static When parse(String text) {
    When when = new When(text);
    try {
      if (when.isInstant()) {
        when.instant();
      } else {
        StorableTime.checked(Durations.parse(text));
      }
      return when;
    } catch (DateTimeException | IllegalArgumentException e) {
      throw new TypeConversionException(
          "'%s' is neither a duration such as 6h nor an instant such as 2026-11-20T09:00:00Z."
              .formatted(text));
    }
  }

  public static @Nullable String text(@Nullable When when) {
    return when == null ? null : when.text;
  }

  private boolean isInstant() {
    return text.contains("T") && !text.startsWith("P");
  }

  private Instant instant() {
    return StorableTime.checked(OffsetDateTime.parse(text).toInstant());
  }

  /** A duration counts back from now. */
  public Instant ago(Instant now) {
    return isInstant() ? instant() : now.minus(Durations.parse(text));
  }

  /** A duration counts on from now. */
  public Instant ahead(Instant now) {
    return isInstant() ? instant() : now.plus(Durations.parse(text));
  }
}
