package dev.postrider.reminder.csv;

import dev.postrider.message.MessageId;
import dev.postrider.reminder.Target;
import dev.postrider.store.reminder.TargetStatus;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The result of a run for one target, with the account that sent to it. */
public record TargetResult(
    Target target,
    TargetStatus status,
    @Nullable String error,
    @Nullable Instant endedAt,
    List<MessageId> messageIds) {
  public TargetResult {
    messageIds = List.copyOf(messageIds);
  }
}
