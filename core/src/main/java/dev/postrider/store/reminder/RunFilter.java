package dev.postrider.store.reminder;

import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Which runs to list.
 *
 * @param reminder null for those of any
 * @param statuses empty for any
 */
public record RunFilter(@Nullable UUID reminder, Set<RunStatus> statuses) {
  public static final RunFilter ALL = new RunFilter(null, Set.of());

  public RunFilter {
    statuses = Set.copyOf(statuses);
  }

  public static RunFilter of(UUID reminder) {
    return new RunFilter(reminder, Set.of());
  }
}
