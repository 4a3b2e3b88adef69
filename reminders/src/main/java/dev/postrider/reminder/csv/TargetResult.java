package dev.postrider.reminder.csv;

import dev.postrider.message.MessageId;
import dev.postrider.store.reminder.TargetStatus;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The result of a run for one target. */
public record TargetResult(
    String to,
    @Nullable String account,
    @Nullable String name,
    TargetStatus status,
    @Nullable String error,
    @Nullable Instant endedAt,
    List<MessageId> messageIds) {
  public TargetResult {
    messageIds = List.copyOf(messageIds);
  }
}
