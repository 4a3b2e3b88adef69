package dev.postrider.reminder.run;

import dev.postrider.store.reminder.TargetStatus;
import java.util.Set;

/** Which targets a run goes on with when it is resumed. */
public enum ResumeScope {
  /** Those that were not tried: pending, skipped and cancelled ones. */
  PENDING(Set.of(TargetStatus.SKIPPED, TargetStatus.CANCELLED)),
  /** Those that failed, and those that are pending. */
  FAILED(Set.of(TargetStatus.FAILED)),
  /** All that were not reached. */
  ALL(Set.of(TargetStatus.SKIPPED, TargetStatus.CANCELLED, TargetStatus.FAILED));

  private final Set<TargetStatus> revived;

  ResumeScope(Set<TargetStatus> revived) {
    this.revived = revived;
  }

  /** The ended targets that become pending again. */
  Set<TargetStatus> revived() {
    return revived;
  }
}
