package dev.postrider.store.reminder;

import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which targets of a run to list; null means any.
 *
 * @param reason why they were not reached: of those that have failed, were skipped or cancelled
 */
public record RunTargetFilter(@Nullable TargetStatus status, @Nullable String reason) {
  public static final RunTargetFilter ALL = new RunTargetFilter(null, null);

  private static final Set<TargetStatus> HAVE_REASONS =
      EnumSet.of(TargetStatus.FAILED, TargetStatus.SKIPPED, TargetStatus.CANCELLED);

  public static RunTargetFilter of(@Nullable TargetStatus status) {
    return new RunTargetFilter(status, null);
  }

  /** Statuses of targets that can have the reason. */
  public Set<TargetStatus> statuses() {
    return status == null ? HAVE_REASONS : Set.of(status);
  }
}
