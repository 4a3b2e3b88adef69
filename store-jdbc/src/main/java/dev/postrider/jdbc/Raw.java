package dev.postrider.jdbc;

import dev.postrider.message.Message;
import dev.postrider.message.MessageId;
import dev.postrider.message.Plan;
import dev.postrider.store.StoredMessage;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A row as it was read. Making a message of it takes longer than reading it, and need not be done
 * by whoever holds the database: the writer hands raw rows out, and they are decoded on the way to
 * the caller.
 */
public record Raw(
    long row,
    MessageId id,
    String account,
    String chat,
    int status,
    int attempts,
    int reservation,
    int flags,
    long created,
    long due,
    long expires,
    @Nullable Instant tried,
    @Nullable Instant ended,
    byte @Nullable [] progress,
    @Nullable String error,
    @Nullable String reason,
    @Nullable MessageId replayOf,
    @Nullable MessageId replayedAs,
    byte[] content,
    byte @Nullable [] plan) {

  public StoredMessage decode() {
    Message message = Codec.message(account, chat, content);
    Plan planned = Codec.plan(id, message, plan);
    return new StoredMessage(
        row,
        id,
        message,
        planned,
        Values.status(status),
        attempts,
        reservation,
        Values.instant(created),
        Values.instant(due),
        Values.instant(expires),
        tried,
        ended,
        Codec.progress(planned.parts().size(), progress),
        error,
        reason,
        (flags & Values.LATE) != 0,
        (flags & Values.POSSIBLE_DUPLICATE) != 0,
        replayOf,
        replayedAs);
  }
}
