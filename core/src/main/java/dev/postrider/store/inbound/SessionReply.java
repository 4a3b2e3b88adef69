package dev.postrider.store.inbound;

import dev.postrider.message.Message;
import dev.postrider.message.MessageId;
import java.time.Instant;
import java.util.List;

/**
 * A delivered message in its session's history: what the person really saw.
 *
 * @param at when it was delivered
 * @param receipts the platform's ids of its parts
 */
public record SessionReply(
    String sessionId, Instant at, MessageId id, Message message, List<String> receipts) {
  public SessionReply {
    receipts = List.copyOf(receipts);
  }
}
