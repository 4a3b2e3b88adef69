package dev.postrider.lane;

import dev.postrider.pace.Budget;
import java.time.Instant;
import java.util.List;

/**
 * Leave to send: one of the account's slots, the lane, and a token of every bucket. Whoever holds
 * it closes it, in a {@code try}; closing is what frees the lane, on every way out.
 */
public final class Permit implements AutoCloseable {
  private final LaneScheduler lanes;
  final String chat;
  final boolean ordered;
  long row;
  List<Breaker> breakers = List.of(); // that let its request go first
  private List<Budget> spent;
  private Instant takenAt;
  private boolean tokenUsed;
  private boolean closed;

  Permit(
      LaneScheduler lanes,
      String chat,
      boolean ordered,
      long row,
      List<Budget> spent,
      Instant takenAt) {
    this.lanes = lanes;
    this.chat = chat;
    this.ordered = ordered;
    this.row = row;
    this.spent = spent;
    this.takenAt = takenAt;
  }

  /** What to store with the reservation, so that a restart knows of the tokens taken. */
  public List<Budget> spent() {
    return spent;
  }

  /** The message this permit is used for. */
  void useFor(long messageRow) {
    row = messageRow;
  }

  /** From here on the token is gone: a request may go out. */
  void useToken() {
    tokenUsed = true;
  }

  /** A fresh token for the next request. */
  void refill(List<Budget> budgets, Instant now) {
    spent = budgets;
    takenAt = now;
    tokenUsed = false;
  }

  Instant takenAt() {
    return takenAt;
  }

  boolean holdsToken() {
    return !tokenUsed;
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      lanes.release(this);
    }
  }
}
