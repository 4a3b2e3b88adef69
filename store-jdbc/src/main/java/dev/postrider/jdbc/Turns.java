package dev.postrider.jdbc;

import dev.postrider.inbound.InboundId;
import dev.postrider.inbound.InboundStatus;
import dev.postrider.inbound.TurnState;
import dev.postrider.message.Message;
import org.jspecify.annotations.Nullable;

/** What turns are called, and how they end. */
public final class Turns {
  private Turns() {}

  /**
   * The event whose turn a message names, if there is such an event; null if its {@code turnId} is
   * a word of somebody's own, or none.
   */
  public static @Nullable InboundId of(Message message) {
    String turn = message.turnId();
    if (turn == null || turn.length() != 36) {
      return null;
    }
    try {
      InboundId id = InboundId.parse(turn);
      return id.toString().equals(turn) ? id : null;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /**
   * How a turn ends.
   *
   * @param event how its event ended
   * @param delivered how many of its messages have arrived
   * @param lost how many ended as dead letters
   */
  public static TurnState end(InboundStatus event, int delivered, int lost) {
    if (event != InboundStatus.HANDLED || lost > 0) {
      return TurnState.FAILED;
    }
    return delivered > 0 ? TurnState.DELIVERED : TurnState.EMPTY;
  }
}
