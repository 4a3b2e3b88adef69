package dev.postrider.store.inbound;

import dev.postrider.inbound.TurnState;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * How the handling of an inbound message stands.
 *
 * @param attempts how often it was handed out; counted before it is
 * @param deaths how often its lease expired without an answer
 * @param dueAt when it may be handed out next: while it waits, not before; while somebody has it,
 *     when the lease runs out
 * @param lease of whoever has it; null if nobody has
 * @param handedOutAt the last time; null if it never was
 * @param error what went wrong last
 * @param turn null if it was never handed out
 */
public record HandlingState(
    int attempts,
    int deaths,
    Instant dueAt,
    @Nullable UUID lease,
    @Nullable Instant handedOutAt,
    @Nullable Instant endedAt,
    @Nullable String error,
    @Nullable TurnState turn,
    @Nullable Instant turnEndedAt) {

  /** Of an inbound message nobody was given yet. */
  public static HandlingState waiting(Instant dueAt) {
    return new HandlingState(0, 0, dueAt, null, null, null, null, null, null);
  }
}
