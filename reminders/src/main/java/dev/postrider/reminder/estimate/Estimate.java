package dev.postrider.reminder.estimate;

import dev.postrider.reminder.time.Window;
import dev.postrider.reminder.time.WindowOpening;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a number of sends will go, if the account sends nothing else and the platform does not
 * complain.
 *
 * @param opening the current opening of the window, or else the next one; null without a window
 * @param inOpening how many of the sends go out in it
 * @param fits whether that is all of them
 * @param openings how many openings it takes; 1 without a window
 * @param doneAt when the last one goes out; null if that is years away
 */
public record Estimate(
    @Nullable WindowOpening opening,
    long inOpening,
    boolean fits,
    int openings,
    @Nullable Instant doneAt) {
  static final Duration HORIZON = Duration.ofDays(3660);

  /**
   * Estimates.
   *
   * @param sends how many are left
   * @param window null if they may go out at any time
   */
  public static Estimate of(
      long sends, Rate rate, DailyLimit limit, @Nullable Window window, Instant now) {
    return of(List.of(Share.of(sends, window)), rate, limit, now);
  }

  /** Estimates sends of one account in several hours; the opening is the first one to open. */
  public static Estimate of(List<Share> shares, Rate rate, DailyLimit limit, Instant now) {
    AccountCourse course = new AccountCourse(shares, rate, limit, now, now.plus(HORIZON));
    long sends = shares.stream().mapToLong(Share::sends).sum();
    boolean anyHour = shares.stream().anyMatch(share -> share.window() == null);
    return new Estimate(
        anyHour
            ? null
            : course.firstOpenings().stream()
                .min(Comparator.comparing(WindowOpening::opens))
                .orElse(null),
        course.inFirst(),
        course.inFirst() == sends,
        course.openings(),
        course.left() == 0 ? course.lastSend() : null);
  }
}
