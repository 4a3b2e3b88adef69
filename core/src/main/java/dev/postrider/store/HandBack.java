package dev.postrider.store;

import dev.postrider.inbound.InboundStatus;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What came of handling an event.
 *
 * @param event as it was handed out
 * @param lease under which; if it is not the event's lease any more, nothing is changed
 * @param status {@code HANDLED}; {@code PENDING}, to be handed out again; or {@code FAILED}
 * @param dueAt when it may be handed out again
 * @param died whether whoever had it was not heard of again
 * @param note what went wrong, for its history; null if nothing did
 * @param answers messages that are accepted in the same write if the lease still holds; each for
 *     the event's account. Lanes take them however full they are. If one is refused, nothing is
 *     changed
 */
public record HandBack(
    StoredInbound event,
    UUID lease,
    InboundStatus status,
    Instant at,
    Instant dueAt,
    boolean died,
    @Nullable InboundNote note,
    List<NewMessage> answers) {
  public HandBack {
    answers = List.copyOf(answers);
  }
}
