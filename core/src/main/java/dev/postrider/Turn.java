package dev.postrider;

import dev.postrider.internal.inbound.Handlers;
import dev.postrider.message.ContentHash;
import dev.postrider.message.Message;
import dev.postrider.problem.Refused;
import dev.postrider.store.inbound.StoredInbound;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/**
 * The handling of one inbound message, for as long as it is handled. There are two ways to answer:
 * {@link #reply} sends at once, {@link #answer} when the handler returns, in the same write that
 * says that the message is handled. Either goes to the chat and thread the message came from, and
 * quotes it where the platform can. Belongs to the handler's thread.
 */
public final class Turn {
  private final Postrider postrider;
  private final StoredInbound inbound;
  private final Handlers.Held held;
  private final Map<String, Integer> said = new HashMap<>();
  private final List<Message> answers = new ArrayList<>();

  Turn(Postrider postrider, StoredInbound inbound, Handlers.Held held) {
    this.postrider = postrider;
    this.inbound = inbound;
    this.held = held;
  }

  /** What messages name as their {@code turnId}: the id of the inbound message. */
  public String id() {
    return inbound.id().toString();
  }

  /** How often the message was handed out, this time included. */
  public int attempt() {
    return inbound.handling().attempts();
  }

  /** A message to where the inbound message came from, to be completed and sent. */
  public Message.Builder message() {
    return replyTo(inbound);
  }

  /** A message to where an inbound message came from, as part of its turn. */
  static Message.Builder replyTo(StoredInbound inbound) {
    return Message.to(inbound.account(), inbound.arrival().chat())
        .threadId(inbound.arrival().threadId())
        .replyToId(inbound.arrival().messageId())
        .sessionId(inbound.sessionId())
        .turnId(inbound.id().toString());
  }

  /** Sends a text now. */
  public Delivery reply(String text) {
    return reply(message().text(text).build());
  }

  /**
   * Sends a message now. If an earlier attempt at this turn has sent the same, it is not sent again
   * (unless it brings an idempotency key of its own).
   *
   * @throws Refused if it was not taken, or if the inbound message was given to somebody else
   */
  public Delivery reply(Message message) {
    if (held.isLost()) {
      throw new Refused(
          Refused.Cause.CONFLICT,
          "the turn took too long, and inbound message " + id() + " was given to somebody else");
    }
    return postrider.send(
        message.toBuilder()
            .idempotencyKey(
                message.idempotencyKey() == null ? key(message) : message.idempotencyKey())
            .leaseId(id().equals(message.turnId()) ? inbound.handling().lease() : null)
            .build());
  }

  /**
   * The same content has the same keys in every attempt: one for the first time, one for the next.
   */
  private String key(Message message) {
    String content = HexFormat.of().formatHex(ContentHash.of(message), 0, 12);
    int times = said.merge(content, 1, Integer::sum);
    return "turn:" + id() + ":" + content + ":" + times;
  }

  /** Sends a text when the handler has returned. */
  public void answer(String text) {
    answer(message().text(text).build());
  }

  /**
   * Sends a message when the handler has returned: all of its answers are stored in the write that
   * says that the inbound message is handled, or none.
   */
  public void answer(Message message) {
    answers.add(message);
  }

  List<Message> answers() {
    return answers;
  }
}
