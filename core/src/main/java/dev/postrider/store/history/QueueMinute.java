package dev.postrider.store.history;

import java.time.Instant;

/**
 * One minute of the queues: what happened in it, and how deep they were at its end. Several nodes
 * each write what happened at theirs; the one that does the chores also writes the depths.
 *
 * @param at when it began
 * @param inbound what came in
 * @param outbound what went out
 */
public record QueueMinute(Instant at, Flow inbound, Flow outbound) {

  /**
   * One direction.
   *
   * @param waiting how many waited
   * @param underWay how many somebody had: leased, or being sent
   * @param deadLetters how many dead letters there were
   * @param taken how many were received, or accepted, in this minute
   * @param done how many were handled, or delivered
   * @param errors how many attempts failed
   * @param lost how many became dead letters in this minute
   */
  public record Flow(
      long waiting,
      long underWay,
      long deadLetters,
      long taken,
      long done,
      long errors,
      long lost) {}
}
