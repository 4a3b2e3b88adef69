package dev.postrider.sqlite;

import dev.postrider.message.Message;
import dev.postrider.message.MessageId;
import dev.postrider.message.Plan;
import dev.postrider.message.Priority;
import dev.postrider.message.Status;
import dev.postrider.store.Head;
import dev.postrider.store.StoredMessage;
import java.nio.ByteBuffer;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Rows to values and values to columns. */
final class Rows {
  static final int LATE = 1;
  static final int POSSIBLE_DUPLICATE = 2;
  static final int UNORDERED = 4;
  static final int SCHEDULED = 8;

  private static final Status[] STATUSES = {
    Status.QUEUED,
    Status.SENDING,
    Status.DELIVERED,
    Status.FAILED,
    Status.EXPIRED,
    Status.HELD,
    Status.CANCELLED
  };

  private Rows() {}

  /**
   * A row as it was read. Making a message of it takes longer than reading it, and need not be done
   * by whoever holds the database: the writer hands raw rows out, and they are decoded on the way
   * to the caller.
   */
  record Raw(
      long row,
      byte[] uid,
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
      byte @Nullable [] replayOf,
      byte @Nullable [] replayedAs,
      byte[] content,
      byte @Nullable [] plan) {

    StoredMessage decode() {
      MessageId id = id(uid);
      Message message = Codec.message(account, chat, content);
      Plan planned = Codec.plan(id, message, plan);
      return new StoredMessage(
          row,
          id,
          message,
          planned,
          Rows.status(status),
          attempts,
          reservation,
          instant(created),
          instant(due),
          instant(expires),
          tried,
          ended,
          Codec.progress(planned.parts().size(), progress),
          error,
          reason,
          (flags & LATE) != 0,
          (flags & POSSIBLE_DUPLICATE) != 0,
          nullableId(replayOf),
          nullableId(replayedAs));
    }
  }

  static Raw raw(ResultSet row, Accounts accounts) throws SQLException {
    return new Raw(
        row.getLong(1),
        row.getBytes(2),
        accounts.name(row.getInt(3)),
        row.getString(4),
        row.getInt(7),
        row.getInt(9),
        row.getInt(10),
        row.getInt(11),
        row.getLong(12),
        row.getLong(13),
        row.getLong(14),
        nullableInstant(row, 15),
        nullableInstant(row, 16),
        row.getBytes(17),
        row.getString(18),
        row.getString(19),
        row.getBytes(20),
        row.getBytes(21),
        row.getBytes(22),
        row.getBytes(23));
  }

  static StoredMessage message(ResultSet row, Accounts accounts) throws SQLException {
    return raw(row, accounts).decode();
  }

  static Head head(ResultSet row, String account) throws SQLException {
    int flags = row.getInt(6);
    return new Head(
        row.getLong(1),
        account,
        row.getString(2),
        row.getInt(4) == 0 ? Priority.LIVE : Priority.BULK,
        instant(row.getLong(5)),
        (flags & UNORDERED) == 0,
        (flags & SCHEDULED) != 0);
  }

  static int status(Status status) {
    return switch (status) {
      case QUEUED -> 0;
      case SENDING -> 1;
      case DELIVERED -> 2;
      case FAILED -> 3;
      case EXPIRED -> 4;
      case HELD -> 5;
      case CANCELLED -> 6;
    };
  }

  static Status status(int stored) {
    return STATUSES[stored];
  }

  static int priority(Priority priority) {
    return switch (priority) {
      case LIVE -> 0;
      case BULK -> 1;
    };
  }

  static byte[] uid(MessageId id) {
    return ByteBuffer.allocate(16)
        .putLong(id.value().getMostSignificantBits())
        .putLong(id.value().getLeastSignificantBits())
        .array();
  }

  static MessageId id(byte[] uid) {
    ByteBuffer bytes = ByteBuffer.wrap(uid);
    return new MessageId(new UUID(bytes.getLong(), bytes.getLong()));
  }

  private static @Nullable MessageId nullableId(byte @Nullable [] uid) {
    return uid == null ? null : id(uid);
  }

  static long micros(Instant instant) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, instant);
  }

  static @Nullable Long nullableMicros(@Nullable Instant instant) {
    return instant == null ? null : micros(instant);
  }

  static Instant instant(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }

  static @Nullable Instant nullableInstant(ResultSet row, int column) throws SQLException {
    long micros = row.getLong(column);
    return row.wasNull() ? null : instant(micros);
  }
}
