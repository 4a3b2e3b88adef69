package dev.postrider.postgres.read;

import dev.postrider.inbound.InboundId;
import dev.postrider.jdbc.inbound.TurnEnds;
import dev.postrider.jdbc.message.RawMessage;
import dev.postrider.jdbc.session.Values;
import dev.postrider.message.Message;
import dev.postrider.message.MessageId;
import dev.postrider.postgres.connection.Accounts;
import dev.postrider.postgres.sql.MessageSql;
import dev.postrider.store.message.AcceptResult;
import dev.postrider.store.message.StoredMessage;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Rows of PostgreSQL's tables to values, in the order of {@link MessageSql}'s columns. */
public final class Rows {
  private Rows() {}

  public static RawMessage raw(ResultSet row, Accounts accounts) throws SQLException {
    return new RawMessage(
        row.getLong(1),
        id(row, 2),
        accounts.name(row.getInt(3)),
        row.getString(4),
        row.getInt(5),
        row.getInt(6),
        row.getInt(7),
        row.getInt(8),
        row.getLong(9),
        row.getLong(10),
        row.getLong(11),
        Values.nullableInstant(row, 12),
        Values.nullableInstant(row, 13),
        row.getBytes(14),
        row.getString(15),
        row.getString(16),
        nullableId(row, 17),
        nullableId(row, 18),
        row.getBytes(19),
        row.getBytes(20),
        accounts.cipher());
  }

  public static StoredMessage message(ResultSet row, Accounts accounts) throws SQLException {
    return raw(row, accounts).decode();
  }

  /** The message that has the key already; its hash stands in that column. */
  public static AcceptResult duplicate(
      ResultSet row, Accounts accounts, int column, byte @Nullable [] hash) throws SQLException {
    StoredMessage known = message(row, accounts);
    return new AcceptResult.Duplicate(
        known, accounts.cipher().isHash(known.id().value(), row.getBytes(column), hash));
  }

  static MessageId id(ResultSet row, int column) throws SQLException {
    return new MessageId(row.getObject(column, UUID.class));
  }

  /** A name whose two columns are the first. */
  public static PlatformName name(ResultSet row) throws SQLException {
    return new PlatformName(row.getInt(1), row.getObject(2, UUID.class));
  }

  private static @Nullable MessageId nullableId(ResultSet row, int column) throws SQLException {
    UUID uid = row.getObject(column, UUID.class);
    return uid == null ? null : new MessageId(uid);
  }

  /** The event whose turn a message names, or null. */
  static @Nullable public UUID turn(Message message) {
    InboundId turn = TurnEnds.of(message);
    return turn == null ? null : turn.value();
  }

  /** A platform's words may hold what PostgreSQL's text cannot. */
  static @Nullable public String clean(@Nullable String text) {
    return text == null ? null : cleaned(text);
  }

  /** A name as it will be read again: half a character becomes a question mark. */
  public static String asStored(String name) {
    return new String(cleaned(name).getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
  }

  /** As {@link #clean}, of what is there. */
  public static String cleaned(String text) {
    return text.indexOf('\0') < 0 ? text : text.replace('\0', '\uFFFD');
  }
}
