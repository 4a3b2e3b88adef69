package dev.postrider.sqlite;

import dev.postrider.jdbc.Raw;
import dev.postrider.jdbc.Values;
import dev.postrider.message.MessageId;
import dev.postrider.store.StoredMessage;
import java.nio.ByteBuffer;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Rows of SQLite's tables to values, in the order of {@link Sql}'s columns. */
final class Rows {
  private Rows() {}

  static Raw raw(ResultSet row, Accounts accounts) throws SQLException {
    return new Raw(
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

  static StoredMessage message(ResultSet row, Accounts accounts) throws SQLException {
    return raw(row, accounts).decode();
  }

  static byte[] uid(MessageId id) {
    return bytes(id.value());
  }

  static MessageId id(byte[] uid) {
    return new MessageId(uuid(uid));
  }

  private static @Nullable MessageId nullableId(byte @Nullable [] uid) {
    return uid == null ? null : id(uid);
  }

  static byte[] bytes(UUID id) {
    return ByteBuffer.allocate(16)
        .putLong(id.getMostSignificantBits())
        .putLong(id.getLeastSignificantBits())
        .array();
  }

  static UUID uuid(byte[] stored) {
    ByteBuffer bytes = ByteBuffer.wrap(stored);
    return new UUID(bytes.getLong(), bytes.getLong());
  }
}
