package dev.postrider.reminder.estimate;

import dev.postrider.reminder.time.Window;
import dev.postrider.reminder.time.WindowOpening;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.stream.Stream;
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
  private static final Duration HORIZON = Duration.ofDays(3660);

  /**
   * Estimates.
   *
   * @param sends how many are left
   * @param window null if they may go out at any time
   */
  public static Estimate of(
      long sends, Rate rate, DailyLimit limit, @Nullable Window window, Instant now) {
    Instant end = now.plus(HORIZON);
    SendCourse course = new SendCourse(sends, rate, limit, now);
    Iterator<WindowOpening> spans =
        (window == null ? Stream.of(new WindowOpening(now, end)) : window.openings(now))
            .takeWhile(span -> span.opens().isBefore(end))
            .iterator();
    WindowOpening first = spans.next();
    course.send(first);
    long inFirst = sends - course.left();
    int openings = sends == 0 ? 0 : 1;
    while (course.left() > 0 && spans.hasNext()) {
      course.send(spans.next());
      openings++;
    }
    return new Estimate(
        window == null ? null : first,
        inFirst,
        inFirst == sends,
        openings,
        course.left() == 0 ? course.lastSend() : null);
  }
}
