package dev.postrider.sqlite.read;

import dev.postrider.jdbc.message.RawMessage;
import dev.postrider.jdbc.session.Values;
import dev.postrider.message.MessageId;
import dev.postrider.sqlite.file.Accounts;
import dev.postrider.sqlite.sql.MessageSql;
import dev.postrider.store.message.Head;
import dev.postrider.store.message.StoredMessage;
import java.nio.ByteBuffer;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Rows of SQLite's tables to values, in the order of {@link MessageSql}'s columns. */
public final class Rows {
  private Rows() {}

  public static RawMessage raw(ResultSet row, Accounts accounts) throws SQLException {
    return new RawMessage(
        row.getLong(1),
        id(row.getBytes(2)),
        accounts.name(row.getInt(3)),
        row.getString(4),
        row.getInt(7),
        row.getInt(9),
        row.getInt(10),
        row.getInt(11),
        row.getLong(12),
        row.getLong(13),
        row.getLong(14),
        Values.nullableInstant(row, 15),
        Values.nullableInstant(row, 16),
        row.getBytes(17),
        row.getString(18),
        row.getString(19),
        nullableId(row.getBytes(20)),
        nullableId(row.getBytes(21)),
        row.getBytes(22),
        row.getBytes(23),
        accounts.cipher());
  }

  /** What a lane's head is known by, of a message whole. */
  public static Head head(ResultSet row, String account) throws SQLException {
    int flags = row.getInt(11);
    return Values.head(
        row.getLong(1), account, row.getString(4), row.getInt(8), row.getLong(13), flags);
  }

  public static StoredMessage message(ResultSet row, Accounts accounts) throws SQLException {
    return raw(row, accounts).decode();
  }

  public static byte[] uid(MessageId id) {
    return bytes(id.value());
  }

  public static MessageId id(byte[] uid) {
    return new MessageId(uuid(uid));
  }

  private static @Nullable MessageId nullableId(byte @Nullable [] uid) {
    return uid == null ? null : id(uid);
  }

  public static byte[] bytes(UUID id) {
    return ByteBuffer.allocate(16)
        .putLong(id.getMostSignificantBits())
        .putLong(id.getLeastSignificantBits())
        .array();
  }

  public static UUID uuid(byte[] stored) {
    ByteBuffer bytes = ByteBuffer.wrap(stored);
    return new UUID(bytes.getLong(), bytes.getLong());
  }
}
