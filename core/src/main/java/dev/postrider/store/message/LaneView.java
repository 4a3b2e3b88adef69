package dev.postrider.store.message;

import dev.postrider.message.MessageId;
import dev.postrider.message.Status;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A lane that holds messages or is paused, for people to look at. */
public record LaneView(
    String account,
    String chat,
    long depth,
    boolean paused,
    @Nullable String pauseReason,
    @Nullable MessageId headId,
    @Nullable Status headStatus,
    @Nullable Instant headDueAt) {

  public LaneState state() {
    return paused
        ? LaneState.PAUSED
        : headStatus == Status.SENDING ? LaneState.SENDING : LaneState.WAITING;
  }
}
