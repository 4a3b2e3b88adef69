package dev.postrider.testkit.store;

import dev.postrider.channel.Remembered;
import dev.postrider.message.HistoryEntry;
import dev.postrider.message.OnReceiptFailed;
import dev.postrider.message.Progress;
import dev.postrider.message.Status;
import dev.postrider.store.message.Budget;
import dev.postrider.store.message.Lease;
import dev.postrider.store.message.Reservation;
import dev.postrider.store.message.Settlement;
import dev.postrider.store.message.StoredMessage;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes settlements: delivered and charged, unless told otherwise. */
final class SettlementDraft {
  private final StoredMessage message;
  private final Lease lease;
  private Status status = Status.DELIVERED;
  private Instant at = MessageDraft.NOON;
  private Instant dueAt = MessageDraft.NOON;
  private boolean charged = true;
  private Progress progress;
  private @Nullable String error;
  private @Nullable String reason;
  private boolean late;
  private boolean possibleDuplicate;
  private @Nullable HistoryEntry history;
  private List<Budget> closed = List.of();
  private @Nullable Reservation thenReserve;
  private OnReceiptFailed onReceiptFailed = OnReceiptFailed.DEAD_LETTER;
  private List<Remembered> memory = List.of();

  private SettlementDraft(StoredMessage message, Lease lease) {
    this.message = message;
    this.lease = lease;
    this.progress = message.progress();
  }

  static SettlementDraft of(StoredMessage message, Lease lease) {
    return new SettlementDraft(message, lease);
  }

  SettlementDraft at(Instant value) {
    at = value;
    return this;
  }

  SettlementDraft status(Status value) {
    status = value;
    return this;
  }

  /** To be tried again. */
  SettlementDraft again(Instant when) {
    status = Status.QUEUED;
    dueAt = when;
    return this;
  }

  SettlementDraft uncharged() {
    charged = false;
    return this;
  }

  SettlementDraft progress(Progress value) {
    progress = value;
    return this;
  }

  SettlementDraft because(String what, String why) {
    error = what;
    reason = why;
    return this;
  }

  SettlementDraft late() {
    late = true;
    return this;
  }

  SettlementDraft possibleDuplicate() {
    possibleDuplicate = true;
    return this;
  }

  SettlementDraft history(HistoryEntry value) {
    history = value;
    return this;
  }

  SettlementDraft closes(Budget... scopes) {
    closed = List.of(scopes);
    return this;
  }

  SettlementDraft then(Reservation next) {
    thenReserve = next;
    return this;
  }

  SettlementDraft onReceiptFailed(OnReceiptFailed value) {
    onReceiptFailed = value;
    return this;
  }

  SettlementDraft memory(Remembered... value) {
    memory = List.of(value);
    return this;
  }

  Settlement build() {
    return new Settlement(
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
        onReceiptFailed,
        memory);
  }
}
