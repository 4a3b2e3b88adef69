package dev.postrider.internal.lane;

import dev.postrider.store.message.Budget;
import dev.postrider.store.message.Head;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Leave to send: one of the account's slots, the lane, and a token of every bucket. Whoever holds
 * it closes it, in a {@code try}; closing is what frees the lane, on every way out.
 */
public final class Permit implements AutoCloseable {
  private final LaneScheduler lanes;
  final String chat;
  final boolean ordered;
  long row;
  List<CircuitBreaker> breakers = List.of(); // that let its request go first
  private List<Budget> spent;
  private Duration takenAt;
  private boolean tokenUsed;
  private Instant dueAt = Instant.MIN;
  private @Nullable Head comesBack;
  private boolean lookAgainSoon;
  private boolean turnedAway;
  private boolean closed;

  Permit(
      LaneScheduler lanes,
      String chat,
      boolean ordered,
      long row,
      List<Budget> spent,
      Duration takenAt) {
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
  void refill(List<Budget> budgets, Duration now) {
    spent = budgets;
    takenAt = now;
    tokenUsed = false;
  }

  Duration takenAt() {
    return takenAt;
  }

  /** The message goes back to its lane, to be tried when it is due: once the lane is free. */
  void comeBack(Head head) {
    comesBack = head;
  }

  /** Its head was due then. */
  void dueAt(Instant when) {
    dueAt = when;
  }

  /** When to reserve: what was due stays due, also if the clock was set back since. */
  Instant reserveAt(Instant clock) {
    Instant due = comesBack == null ? dueAt : comesBack.dueAt();
    return due.isAfter(clock) ? due : clock;
  }

  @Nullable Head comesBack() {
    return comesBack;
  }

  /** There was a token for the reservation and none for the request. */
  void turnAway() {
    turnedAway = true;
  }

  boolean wasTurnedAway() {
    return turnedAway;
  }

  /** Nobody knows what happened to the lane's head: somebody must look, once the lane is free. */
  void lookAgainSoon() {
    lookAgainSoon = true;
  }

  boolean wantsLookSoon() {
    return lookAgainSoon;
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
