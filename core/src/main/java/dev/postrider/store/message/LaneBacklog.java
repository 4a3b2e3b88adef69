package dev.postrider.store.message;

import dev.postrider.message.MessageId;
import dev.postrider.message.Status;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a lane waits with.
 *
 * @param first its head; if nothing has a place in it, any message that is outside its order or
 *     waits for its time; null if it is empty
 * @param paused the note that it is stopped; null if it is not
 */
public record LaneBacklog(Lane lane, @Nullable First first, @Nullable PausedLane paused) {

  /**
   * A message, as small as it can be.
   *
   * @param placed whether it has a place in the lane: others wait behind it
   * @param scheduled waits outside its lane for its time
   */
  public record First(
      MessageId id,
      Status status,
      boolean placed,
      boolean scheduled,
      Instant createdAt,
      Instant dueAt,
      @Nullable Instant triedAt,
      @Nullable String error) {}
}
