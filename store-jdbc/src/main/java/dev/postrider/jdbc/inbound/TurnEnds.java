package dev.postrider.jdbc.inbound;

import dev.postrider.inbound.InboundId;
import dev.postrider.inbound.InboundStatus;
import dev.postrider.inbound.TurnState;
import dev.postrider.message.Message;
import dev.postrider.store.message.NewMessage;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What turns are called, and how they end. */
public final class TurnEnds {
  private TurnEnds() {}

  /**
   * The inbound message whose turn a message names, if there is such an inbound message; null if
   * its {@code turnId} is a word of somebody's own, or none.
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

  /** The turn a new message must be allowed to name; null if it need not be. */
  public static @Nullable InboundId claimedBy(NewMessage entry) {
    return entry.replayOf() == null ? of(entry.message()) : null;
  }

  /**
   * Whether a message may name the turn of an inbound message that has not ended.
   *
   * @param given the lease the message was sent under, if it says so
   * @param held the lease of whoever has the inbound message
   */
  public static boolean mayName(
      @Nullable UUID given, InboundStatus event, int attempts, @Nullable UUID held) {
    return given == null
        ? event == InboundStatus.LEASED || attempts == 0
        : event == InboundStatus.LEASED && given.equals(held);
  }

  /**
   * How a turn ends.
   *
   * @param event how its inbound message ended
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
