package dev.postrider.testkit.store;

import dev.postrider.message.HistoryEntry;
import dev.postrider.message.Progress;
import dev.postrider.message.Status;
import dev.postrider.pace.Budget;
import dev.postrider.store.Lease;
import dev.postrider.store.Reservation;
import dev.postrider.store.Settlement;
import dev.postrider.store.StoredMessage;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes settlements: delivered and charged, unless told otherwise. */
final class Ending {
  private final StoredMessage message;
  private final Lease lease;
  private Status status = Status.DELIVERED;
  private Instant at = Draft.NOON;
  private Instant dueAt = Draft.NOON;
  private boolean charged = true;
  private Progress progress;
  private @Nullable String error;
  private @Nullable String reason;
  private boolean late;
  private boolean possibleDuplicate;
  private @Nullable HistoryEntry history;
  private List<Budget> closed = List.of();
  private @Nullable Reservation thenReserve;

  private Ending(StoredMessage message, Lease lease) {
    this.message = message;
    this.lease = lease;
    this.progress = message.progress();
  }

  static Ending of(StoredMessage message, Lease lease) {
    return new Ending(message, lease);
  }

  Ending at(Instant value) {
    at = value;
    return this;
  }

  Ending status(Status value) {
    status = value;
    return this;
  }

  /** To be tried again. */
  Ending again(Instant when) {
    status = Status.QUEUED;
    dueAt = when;
    return this;
  }

  Ending uncharged() {
    charged = false;
    return this;
  }

  Ending progress(Progress value) {
    progress = value;
    return this;
  }

  Ending because(String what, String why) {
    error = what;
    reason = why;
    return this;
  }

  Ending late() {
    late = true;
    return this;
  }

  Ending possibleDuplicate() {
    possibleDuplicate = true;
    return this;
  }

  Ending history(HistoryEntry value) {
    history = value;
    return this;
  }

  Ending closes(Budget... scopes) {
    closed = List.of(scopes);
    return this;
  }

  Ending then(Reservation next) {
    thenReserve = next;
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
        thenReserve);
  }
}
