package dev.postrider.reminder;

import dev.postrider.reminder.time.OwnHours;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Targets that follow each other and have the same hours.
 *
 * @param hours null if they are the reminder's
 */
public record TargetSpan(int count, @Nullable OwnHours hours) {

  /** The spans of targets in their order; none if all have their reminder's hours. */
  static List<TargetSpan> of(List<Target> targets) {
    List<TargetSpan> spans = new ArrayList<>();
    for (Target target : targets) {
      TargetSpan last = spans.isEmpty() ? null : spans.getLast();
      if (last != null && Objects.equals(last.hours, target.hours())) {
        spans.set(spans.size() - 1, new TargetSpan(last.count + 1, last.hours));
      } else {
        spans.add(new TargetSpan(1, target.hours()));
      }
    }
    return spans.stream().allMatch(span -> span.hours == null) ? List.of() : List.copyOf(spans);
  }
}
