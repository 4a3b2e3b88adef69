package dev.postrider.store.message;

import dev.postrider.message.Message;
import dev.postrider.message.MessageId;
import dev.postrider.message.Plan;
import dev.postrider.message.Progress;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A message to be written down, with its whole plan.
 *
 * @param contentHash tells the same content from other content under one idempotency key; null
 *     without a key
 * @param maxLaneDepth most active messages the lane may hold with this one
 * @param reservation if present, the first attempt is reserved in the same write, provided that the
 *     message is the first of its lane
 * @param replayOf the dead letter this message replays; it is marked as replayed in the same write
 * @param possibleDuplicate whether a part of it may have arrived before: the doubt of what it
 *     replays
 */
public record NewMessage(
    MessageId id,
    Message message,
    Plan plan,
    Progress progress,
    Instant createdAt,
    Instant dueAt,
    Instant expiresAt,
    byte @Nullable [] contentHash,
    long maxLaneDepth,
    @Nullable Reservation reservation,
    @Nullable MessageId replayOf,
    boolean possibleDuplicate) {

  /** The same, for a lane that may hold so many. */
  public NewMessage withMaxLaneDepth(long depth) {
    return new NewMessage(
        id,
        message,
        plan,
        progress,
        createdAt,
        dueAt,
        expiresAt,
        contentHash,
        depth,
        reservation,
        replayOf,
        possibleDuplicate);
  }

  /** Waits outside its lane until its time has come; its place in the lane is that moment. */
  public boolean scheduled() {
    return dueAt.isAfter(createdAt);
  }
}
