package dev.postrider.store.message;

import dev.postrider.message.Message;
import dev.postrider.message.MessageId;
import dev.postrider.message.Plan;
import dev.postrider.message.Progress;
import dev.postrider.message.Status;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A message as the store keeps it.
 *
 * @param row the store's own short key
 * @param attempts attempts charged so far, the one under way included
 * @param reservation counts every reservation, charged or not; names the attempt a completion
 *     belongs to
 * @param triedAt when the last attempt was reserved
 * @param reason machine-readable cause of the end or of the wait: {@code attempts-exhausted}, …
 * @param unreadable why its content is not what was accepted; null, nearly always: it is
 */
public record StoredMessage(
    long row,
    MessageId id,
    Message message,
    Plan plan,
    Status status,
    int attempts,
    int reservation,
    Instant createdAt,
    Instant dueAt,
    Instant expiresAt,
    @Nullable Instant triedAt,
    @Nullable Instant endedAt,
    Progress progress,
    @Nullable String error,
    @Nullable String reason,
    boolean late,
    boolean possibleDuplicate,
    @Nullable MessageId replayOf,
    @Nullable MessageId replayedAs,
    @Nullable Unreadable unreadable) {

  /** The moment from which the message's age counts: when it was accepted, or wanted to be sent. */
  public Instant bornAt() {
    Instant sendAt = message.sendAt();
    return sendAt != null && sendAt.isAfter(createdAt) ? sendAt : createdAt;
  }
}
