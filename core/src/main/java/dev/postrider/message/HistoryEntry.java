package dev.postrider.message;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One thing that went other than planned. Plain deliveries leave no entry: their receipt says it
 * all.
 */
public record HistoryEntry(
    Instant at,
    int attempt,
    int part,
    String outcome,
    @Nullable String error,
    @Nullable Instant nextAt) {

  /** Whether what it announced is still to come. */
  public boolean isAhead(Instant now) {
    return nextAt != null && nextAt.isAfter(now);
  }

  /** The same, announcing nothing. */
  public HistoryEntry withoutNext() {
    return nextAt == null ? this : new HistoryEntry(at, attempt, part, outcome, error, null);
  }
}
