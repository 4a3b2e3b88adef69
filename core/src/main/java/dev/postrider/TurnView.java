package dev.postrider;

import dev.postrider.store.inbound.InboundNote;
import dev.postrider.store.inbound.StoredInbound;
import dev.postrider.store.message.StoredMessage;
import java.util.List;

/**
 * The whole story of a turn.
 *
 * @param inbound what came in, and how its handling stands
 * @param notes what went wrong with handling it, the oldest first
 * @param messages what it caused, the oldest first
 */
public record TurnView(
    StoredInbound inbound, List<InboundNote> notes, List<StoredMessage> messages) {}
