package dev.postrider.reminder.config;

import dev.postrider.reminder.estimate.Warmup;
import java.time.LocalDate;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * How much the runs of an account may send a day.
 *
 * @param daily on any day; null for no limit
 * @param warmup how a new account begins; null if it is not new
 */
public record DailyCeilings(@Nullable Integer daily, @Nullable Warmup warmup) {
  public static final DailyCeilings NONE = new DailyCeilings(null, null);

  /** On this day. */
  public OptionalInt on(LocalDate day) {
    if (warmup != null) {
      return warmup.ceiling(day, daily);
    }
    return daily == null ? OptionalInt.empty() : OptionalInt.of(daily);
  }
}
