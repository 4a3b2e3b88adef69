package dev.postrider.internal.retry;

import dev.postrider.message.EndReason;
import dev.postrider.message.HistoryEntry;
import dev.postrider.message.Progress;
import dev.postrider.message.Status;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What an outcome means for the message. */
public sealed interface Verdict {

  /** Where the parts stand after this outcome. */
  Progress progress();

  /** What goes into the message's history; null if that is nothing new. */
  @Nullable HistoryEntry history();

  /** This part is dealt with; go on with the next one. */
  record NextPart(Progress progress, @Nullable HistoryEntry history) implements Verdict {}

  /** Try the same part again at once, in its repaired form. */
  record Again(Progress progress, HistoryEntry history) implements Verdict {}

  /** Put the message back and try again at {@code dueAt}. */
  record Later(
      Progress progress,
      @Nullable HistoryEntry history,
      Instant dueAt,
      boolean charged,
      boolean possibleDuplicate,
      String error)
      implements Verdict {}

  /** The message has ended. */
  record End(
      Progress progress,
      @Nullable HistoryEntry history,
      Status status,
      boolean possibleDuplicate,
      @Nullable String error,
      @Nullable EndReason reason)
      implements Verdict {}
}
