package dev.postrider.store.inbound;

import dev.postrider.inbound.InboundStatus;
import dev.postrider.store.message.NewMessage;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The result of handling an inbound message.
 *
 * @param inbound as it was handed out
 * @param lease under which; if it is not the inbound message's lease any more, nothing is changed
 * @param status {@code HANDLED}; {@code PENDING}, to be handed out again; or {@code FAILED}
 * @param dueAt when it may be handed out again
 * @param leaseExpired whether its lease expired without an answer
 * @param note what went wrong, for its history; null if nothing did
 * @param answers messages that are accepted in the same write if the lease still holds; each for
 *     the inbound message's account. Lanes take them however full they are. If one is refused,
 *     nothing is changed
 */
public record Completion(
    StoredInbound inbound,
    UUID lease,
    InboundStatus status,
    Instant at,
    Instant dueAt,
    boolean leaseExpired,
    @Nullable InboundNote note,
    List<NewMessage> answers) {
  public Completion {
    answers = List.copyOf(answers);
  }
}
