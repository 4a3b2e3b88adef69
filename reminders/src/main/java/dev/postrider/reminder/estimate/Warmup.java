package dev.postrider.reminder.estimate;

import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * A new account sends little at first, and more from day to day, so that the platform does not take
 * it for a spammer.
 *
 * @param since its first day
 * @param ceilings the most it may send on its first day, its second, and so on; after the last one
 *     it is warm. Before its first day, the first one holds
 */
public record Warmup(LocalDate since, List<Integer> ceilings) {
  public Warmup {
    ceilings = List.copyOf(ceilings);
    if (ceilings.isEmpty()) {
      throw new IllegalArgumentException("a warm-up has a ceiling for its first day at least");
    }
    if (ceilings.stream().anyMatch(ceiling -> ceiling < 1)) {
      throw new IllegalArgumentException("a ceiling of a warm-up is at least 1");
    }
  }

  /** The most that may be sent on a day, or none once the account is warm. */
  public OptionalInt ceiling(LocalDate day) {
    long index = Math.max(0, ChronoUnit.DAYS.between(since, day));
    return index < ceilings.size()
        ? OptionalInt.of(ceilings.get((int) index))
        : OptionalInt.empty();
  }

  /**
   * The lower one of the warm-up's ceiling and the account's own.
   *
   * @param daily what the account may send on any day; null for no limit
   */
  public OptionalInt ceiling(LocalDate day, @Nullable Integer daily) {
    OptionalInt warming = ceiling(day);
    if (daily == null) {
      return warming;
    }
    return OptionalInt.of(Math.min(daily, warming.orElse(daily)));
  }
}
