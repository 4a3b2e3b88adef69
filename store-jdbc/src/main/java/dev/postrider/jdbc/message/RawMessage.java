package dev.postrider.jdbc.message;

import dev.postrider.jdbc.encryption.ContentCipher;
import dev.postrider.jdbc.encryption.ContentCipher.Column;
import dev.postrider.jdbc.encryption.ContentCipher.UnreadableContent;
import dev.postrider.jdbc.session.Values;
import dev.postrider.message.Message;
import dev.postrider.message.MessageId;
import dev.postrider.message.Ordering;
import dev.postrider.message.Plan;
import dev.postrider.store.message.StoredMessage;
import dev.postrider.store.message.Unreadable;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A row as it was read. Making a message of it takes longer than reading it, and need not be done
 * by whoever holds the database: the writer hands raw rows out, and they are decoded on the way to
 * the caller.
 */
public record RawMessage(
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
    byte @Nullable [] plan,
    ContentCipher cipher) {
  /** Stands where the text cannot be read. */
  public static final String UNREADABLE = "(unreadable)";

  /** What cannot be decrypted is a message all the same: it has a place, and must end. */
  public StoredMessage decode() {
    try {
      byte[] opened = cipher.open(Column.MESSAGE, id.value(), content);
      Message message = MessageCodec.message(account, chat, opened);
      byte[] parts = cipher.openIfAny(Column.PLAN, id.value(), plan);
      return decoded(message, MessageCodec.plan(id, message, parts), null);
    } catch (UnreadableContent e) {
      Ordering ordering = (flags & Values.UNORDERED) == 0 ? Ordering.FIFO : Ordering.NONE;
      Message message = Message.to(account, chat).text(UNREADABLE).ordering(ordering).build();
      return decoded(message, MessageCodec.plan(id, message, (byte @Nullable []) null), e.why());
    }
  }

  private StoredMessage decoded(Message message, Plan planned, @Nullable Unreadable unreadable) {
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
        MessageCodec.progress(planned.parts().size(), progress),
        error == null && unreadable != null ? unreadable.because() : error,
        reason,
        (flags & Values.LATE) != 0,
        (flags & Values.POSSIBLE_DUPLICATE) != 0,
        replayOf,
        replayedAs,
        unreadable);
  }
}
