package dev.postrider;

import dev.postrider.store.InboundNote;
import dev.postrider.store.StoredInbound;
import dev.postrider.store.StoredMessage;
import java.util.List;

/**
 * The whole story of a turn.
 *
 * @param event what came in, and how its handling stands
 * @param notes what went wrong with handling it, the oldest first
 * @param messages what it caused, the oldest first
 */
public record TurnView(
    StoredInbound event, List<InboundNote> notes, List<StoredMessage> messages) {}
