package dev.postrider.reminder.estimate;

import dev.postrider.reminder.time.WindowOpening;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How a run will go on all of its accounts, to its end.
 *
 * @param startsAt when the first window lets it begin; null if none does before its end
 * @param inWindow whether one does at once
 * @param reached how many targets get all of their messages before their windows first close
 * @param total how many targets there are
 * @param doneAt when the last one gets its last message; null if not all of them will
 * @param endsAt when it ends, done or not; null if that is years away
 * @param closesAt when the last window first closes that cuts it off; null if none does
 */
public record RunEstimate(
    @Nullable Instant startsAt,
    boolean inWindow,
    long reached,
    long total,
    @Nullable Instant doneAt,
    @Nullable Instant endsAt,
    @Nullable Instant closesAt) {

  /**
   * What one account sends.
   *
   * @param targets of all shares
   */
  public record Part(long targets, List<Share> shares, Rate rate, DailyLimit limit) {
    public Part {
      shares = List.copyOf(shares);
    }
  }

  public boolean fits() {
    return reached == total;
  }

  /**
   * Estimates.
   *
   * @param messages that each target gets
   * @param expires when the run is over, done or not; null if it may take its time
   */
  public static RunEstimate of(
      List<Part> parts, int messages, Instant from, @Nullable Instant expires) {
    Instant horizon = from.plus(Estimate.HORIZON);
    Instant end = expires == null || expires.isAfter(horizon) ? horizon : expires;
    List<AccountCourse> courses =
        parts.stream()
            .map(part -> new AccountCourse(part.shares(), part.rate(), part.limit(), from, end))
            .toList();
    Instant startsAt =
        courses.stream()
            .flatMap(course -> course.firstOpenings().stream())
            .map(WindowOpening::opens)
            .map(opens -> opens.isBefore(from) ? from : opens)
            .min(Comparator.naturalOrder())
            .orElse(null);
    boolean done = courses.stream().allMatch(course -> course.left() == 0);
    Instant over = latest(courses, AccountCourse::endsAt);
    Instant closes = latest(courses, AccountCourse::closesAt);
    return new RunEstimate(
        startsAt,
        from.equals(startsAt),
        courses.stream().mapToLong(course -> course.inFirst() / messages).sum(),
        parts.stream().mapToLong(Part::targets).sum(),
        done ? over : null,
        horizon.equals(over) ? null : over,
        horizon.equals(closes) ? null : closes);
  }

  private static @Nullable Instant latest(
      List<AccountCourse> courses, Function<AccountCourse, @Nullable Instant> moment) {
    return courses.stream()
        .flatMap(course -> Stream.ofNullable(moment.apply(course)))
        .max(Comparator.naturalOrder())
        .orElse(null);
  }
}
