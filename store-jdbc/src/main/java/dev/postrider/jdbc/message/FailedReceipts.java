package dev.postrider.jdbc.message;

import dev.postrider.message.EndReason;
import dev.postrider.message.HistoryEntry;
import dev.postrider.message.PartState;
import dev.postrider.message.Progress;
import dev.postrider.message.Status;
import dev.postrider.store.message.StoredMessage;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of an ended message of whose parts the platform says that they failed.
 *
 * @param before as it was read
 * @param after as it is to be stored
 * @param history what is noted of it
 * @param mayHelp whether it makes sense to send the failed parts again
 */
public record FailedReceipts(
    StoredMessage before, StoredMessage after, HistoryEntry history, boolean mayHelp) {

  /**
   * A part that did not arrive, and why.
   *
   * @param permanent whether it would fail again
   */
  public record Part(int index, @Nullable String detail, boolean permanent) {}

  /** Whether it was delivered until now. */
  public boolean ends() {
    return before.status() != after.status();
  }

  /**
   * Null if nothing changes: it has not ended, was cancelled or replayed, or knew all of them.
   *
   * @param failed all parts that failed, in their order
   */
  public static @Nullable FailedReceipts of(StoredMessage message, List<Part> failed, Instant now) {
    boolean delivered = message.status() == Status.DELIVERED;
    if (!delivered && (!message.status().deadLetter() || message.replayedAs() != null)) {
      return null;
    }
    Progress progress = message.progress();
    Part first = null;
    for (Part part : failed) {
      boolean known = part.index < progress.parts().size(); // a plan may be unreadable
      PartState state = known ? progress.parts().get(part.index) : PartState.PENDING;
      if (state.state() == PartState.State.DELIVERED) {
        progress = progress.with(part.index, state.refusedLater());
        first = first == null ? part : first;
      }
    }
    if (first == null) {
      return null;
    }
    String said = first.detail == null ? "" : first.detail;
    String why = said.isBlank() ? "the platform said that it did not arrive" : said;
    HistoryEntry history =
        new HistoryEntry(
            now, message.attempts(), first.index, EndReason.RECEIPT_FAILED.label(), why, null);
    boolean mayHelp = failed.stream().noneMatch(Part::permanent);
    return new FailedReceipts(
        message, after(message, progress, delivered, why, now), history, mayHelp);
  }

  private static StoredMessage after(
      StoredMessage message, Progress progress, boolean delivered, String why, Instant now) {
    return new StoredMessage(
        message.row(),
        message.id(),
        message.message(),
        message.plan(),
        delivered ? Status.FAILED : message.status(),
        message.attempts(),
        message.reservation(),
        message.createdAt(),
        message.dueAt(),
        message.expiresAt(),
        message.triedAt(),
        delivered ? now : message.endedAt(),
        progress,
        delivered ? why : message.error(),
        delivered ? EndReason.RECEIPT_FAILED.label() : message.reason(),
        message.late(),
        message.possibleDuplicate(),
        message.replayOf(),
        message.replayedAs(),
        message.unreadable());
  }
}
