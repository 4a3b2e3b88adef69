package dev.postrider.store.reminder;

import dev.postrider.message.MessageId;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A target of a run.
 *
 * @param n its place among the run's targets, from 0
 * @param step how many of the run's messages it has got
 * @param tries how often it was begun; what is said of an earlier try changes nothing
 * @param messages what was sent to it, in order
 */
public record RunTarget(
    UUID run,
    int n,
    ReminderTarget target,
    TargetStatus status,
    int step,
    int tries,
    List<MessageId> messages,
    @Nullable String error,
    @Nullable Instant beganAt,
    @Nullable Instant endedAt) {
  public RunTarget {
    messages = List.copyOf(messages);
  }
}
