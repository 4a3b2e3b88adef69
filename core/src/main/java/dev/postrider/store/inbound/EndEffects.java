package dev.postrider.store.inbound;

import dev.postrider.inbound.InboundId;
import dev.postrider.inbound.TurnState;
import org.jspecify.annotations.Nullable;

/**
 * What followed from the end of a message.
 *
 * @param mirrored what was added to its session's history; null if nothing was
 * @param turn the turn that ended with it; null if none did
 */
public record EndEffects(@Nullable SessionReply mirrored, @Nullable TurnEnd turn) {
  public static final EndEffects NOTHING = new EndEffects(null, null);

  /**
   * A turn that has ended.
   *
   * @param account of its inbound message
   */
  public record TurnEnd(InboundId id, String account, TurnState state) {}
}
