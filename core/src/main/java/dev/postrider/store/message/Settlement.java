package dev.postrider.store.message;

import dev.postrider.channel.Remembered;
import dev.postrider.message.HistoryEntry;
import dev.postrider.message.OnReceiptFailed;
import dev.postrider.message.Progress;
import dev.postrider.message.Status;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How an attempt ended. Applied only if the message is still in that very attempt.
 *
 * @param message as it was reserved: a completion of an older reservation is rejected
 * @param lease under which the attempt was made: a completion under a lost one is rejected
 * @param status {@link Status#QUEUED} to try again at {@code dueAt}, or an end
 * @param charged whether the attempt counts
 * @param history what went wrong, if anything did
 * @param closed scopes the platform has throttled, stored in the same write
 * @param thenReserve if present, the lane's next message is reserved in the same write
 * @param onReceiptFailed if the platform has said of an accepted part that it failed, before the
 *     message ended
 * @param memory what the outcome leaves behind, stored in the same write
 */
public record Settlement(
    StoredMessage message,
    Lease lease,
    Status status,
    Instant at,
    Instant dueAt,
    boolean charged,
    Progress progress,
    @Nullable String error,
    @Nullable String reason,
    boolean late,
    boolean possibleDuplicate,
    @Nullable HistoryEntry history,
    List<Budget> closed,
    @Nullable Reservation thenReserve,
    OnReceiptFailed onReceiptFailed,
    List<Remembered> memory) {

  /** One of a message none of whose parts is reported on yet. */
  public Settlement(
      StoredMessage message,
      Lease lease,
      Status status,
      Instant at,
      Instant dueAt,
      boolean charged,
      Progress progress,
      @Nullable String error,
      @Nullable String reason,
      boolean late,
      boolean possibleDuplicate,
      @Nullable HistoryEntry history,
      List<Budget> closed,
      @Nullable Reservation thenReserve) {
    this(
        message,
        lease,
        status,
        at,
        dueAt,
        charged,
        progress,
        error,
        reason,
        late,
        possibleDuplicate,
        history,
        closed,
        thenReserve,
        OnReceiptFailed.DEAD_LETTER,
        List.of());
  }
}
