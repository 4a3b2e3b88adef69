package dev.postrider.internal.lane;

import dev.postrider.channel.Remembered;
import dev.postrider.message.EndReason;
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

/** A settlement in the making: what every one has, and the rest by name. */
final class SettlementBuilder {
  private final StoredMessage message;
  private final Lease lease;
  private final Status status;
  private final Instant at;
  private final Instant dueAt;
  private final Progress progress;
  private boolean charged = true;
  private @Nullable String error;
  private @Nullable String reason;
  private boolean late;
  private boolean possibleDuplicate;
  private @Nullable HistoryEntry history;
  private List<Budget> closed = List.of();
  private @Nullable Reservation thenReserve;
  private OnReceiptFailed onReceiptFailed = OnReceiptFailed.DEAD_LETTER;
  private List<Remembered> memory = List.of();

  SettlementBuilder(
      StoredMessage message,
      Lease lease,
      Status status,
      Instant at,
      Instant dueAt,
      Progress progress) {
    this.message = message;
    this.lease = lease;
    this.status = status;
    this.at = at;
    this.dueAt = dueAt;
    this.progress = progress;
    this.possibleDuplicate = message.possibleDuplicate();
  }

  SettlementBuilder uncharged() {
    charged = false;
    return this;
  }

  SettlementBuilder because(@Nullable String what, @Nullable EndReason why) {
    error = what;
    reason = why == null ? null : why.label();
    return this;
  }

  SettlementBuilder late(boolean value) {
    late = value;
    return this;
  }

  /** Once in doubt, always in doubt. */
  SettlementBuilder possibleDuplicate(boolean value) {
    possibleDuplicate |= value;
    return this;
  }

  SettlementBuilder history(@Nullable HistoryEntry value) {
    history = value;
    return this;
  }

  SettlementBuilder closed(List<Budget> value) {
    closed = value;
    return this;
  }

  SettlementBuilder thenReserve(Reservation value) {
    thenReserve = value;
    return this;
  }

  SettlementBuilder onReceiptFailed(OnReceiptFailed value) {
    onReceiptFailed = value;
    return this;
  }

  SettlementBuilder memory(List<Remembered> value) {
    memory = value;
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
