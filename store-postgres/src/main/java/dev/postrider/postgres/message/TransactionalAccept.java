package dev.postrider.postgres.message;

import dev.postrider.jdbc.inbound.TurnEnds;
import dev.postrider.jdbc.message.IncomingBytes;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.jdbc.session.Values;
import dev.postrider.message.Message;
import dev.postrider.message.Ordering;
import dev.postrider.message.Status;
import dev.postrider.postgres.batch.Notification;
import dev.postrider.postgres.connection.Accounts;
import dev.postrider.postgres.connection.PgErrors;
import dev.postrider.postgres.read.Rows;
import dev.postrider.postgres.sql.MessageSql;
import dev.postrider.postgres.write.WriteOp;
import dev.postrider.store.message.AcceptResult;
import dev.postrider.store.message.NewMessage;
import dev.postrider.store.message.StoredMessage;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Accepts a message inside somebody else's transaction, as an arrival: nothing is locked that
 * others wait for, however long the transaction lasts. The caller's connection may look at another
 * schema, so tables are named in full.
 */
public final class TransactionalAccept {
  private final Accounts accounts;
  private final String channel;
  private final String node;
  private final String addMessage;
  private final String addToQueue;
  private final String byKey;
  private final String openTurn;
  private final String holdBlob;
  private final String addUse;
  private final String addFollow;

  /**
   * @param schema where the tables are, quoted
   */
  public TransactionalAccept(Accounts accounts, String schema, String channel, String node) {
    this.accounts = accounts;
    this.channel = channel;
    this.node = node;
    // message_key
    addMessage =
        "INSERT INTO "
            + schema
            + ".message (uid, account, chat, created, expires, idem_key, content_hash, turn,"
            + " content, plan) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING"
            + " RETURNING id";
    addToQueue =
        "INSERT INTO "
            + schema
            + ".queue (id, account, chat, head, arriving, status, priority, attempts, reservation,"
            + " flags, due, expires, progress) VALUES (?, ?, ?, 0, true, 0, ?, 0, 0, ?, ?, ?,"
            + " ?)";
    // message_key, queue_pkey, ended_pkey
    byKey =
        MessageSql.BY_KEY
            .replace(" message m", " " + schema + ".message m")
            .replace(" queue q", " " + schema + ".queue q")
            .replace(" ended e", " " + schema + ".ended e");
    // inbound_uid, inbox_pkey
    openTurn =
        "SELECT i.status, i.attempts, i.lease FROM "
            + schema
            + ".inbound e JOIN "
            + schema
            + ".inbox i ON i.id = e.id WHERE e.uid = ?";
    // blob_pkey
    holdBlob = "SELECT hash FROM " + schema + ".blob WHERE hash = ? FOR KEY SHARE";
    addUse = "INSERT INTO " + schema + ".blob_use (hash, message) VALUES (?, ?)";
    addFollow = "INSERT INTO " + schema + ".follow (message, turn) VALUES (?, ?)";
  }

  public AcceptResult accept(Connection transaction, NewMessage entry) throws SQLException {
    if (transaction.getAutoCommit()) {
      throw new IllegalArgumentException(
          "the connection is in auto-commit mode; begin a transaction to join");
    }
    JdbcSession session = new JdbcSession(transaction);
    Message message = entry.message();
    int account = accounts.idOrNew(message.account());
    WriteOp.Accept encoded = new WriteOp.Accept(entry, accounts.cipher());
    AcceptResult known = byKey(session, account, entry);
    if (known != null) {
      return known;
    }
    if (encoded.claimsTurn() && !mayName(session, message)) {
      return new AcceptResult.TurnLost();
    }
    String missing = missing(session, encoded);
    if (missing != null) {
      return new AcceptResult.MediaMissing(missing);
    }
    Long row =
        session.one(
            addMessage,
            found -> found.getLong(1),
            entry.id().value(),
            account,
            message.to(),
            Values.micros(entry.createdAt()),
            Values.micros(entry.expiresAt()),
            message.idempotencyKey(),
            encoded.hash,
            message.turnId(),
            encoded.content,
            encoded.plan);
    if (row == null) { // somebody has stored the key since
      AcceptResult first = byKey(session, account, entry);
      if (first == null) {
        throw new PgErrors.Collision();
      }
      return first;
    }
    session.update(
        addToQueue,
        row,
        account,
        message.to(),
        Values.priority(message.priority()),
        (message.ordering() == Ordering.NONE ? Values.UNORDERED : 0)
            | (entry.scheduled() && message.ordering() == Ordering.FIFO ? Values.SCHEDULED : 0),
        Values.micros(entry.dueAt()),
        Values.micros(entry.expiresAt()),
        encoded.progress);
    for (String hash : encoded.media) {
      session.update(addUse, hash, row);
    }
    if (message.followed()) {
      session.update(addFollow, row, Rows.turn(message));
    }
    // Not in the node's own name: this node, too, hears of it only when it is committed.
    session.one(
        "SELECT pg_notify(?, ?)",
        _ -> null,
        channel,
        Notification.Kind.ARRIVED.letter() + String.valueOf(account) + " " + node + " joined");
    return new AcceptResult.Stored(stored(entry, row), null, false, false);
  }

  private boolean mayName(JdbcSession session, Message message) throws SQLException {
    UUID given = message.leaseId();
    Boolean allowed =
        session.one(
            openTurn,
            row ->
                TurnEnds.mayName(
                    given,
                    Values.inboundStatus(row.getInt(1)),
                    row.getInt(2),
                    row.getObject(3, UUID.class)),
            Rows.turn(message));
    return allowed == null ? given == null : allowed;
  }

  /** The first of its files that is not in custody; the others stay there from here on. */
  private @Nullable String missing(JdbcSession session, WriteOp.Accept encoded)
      throws SQLException {
    for (String hash : encoded.media) {
      if (!IncomingBytes.isName(hash)
          || session.one(holdBlob, row -> row.getString(1), hash) == null) {
        return hash;
      }
    }
    return null;
  }

  private @Nullable AcceptResult byKey(JdbcSession session, int account, NewMessage entry)
      throws SQLException {
    if (entry.contentHash() == null) {
      return null;
    }
    return session.one(
        byKey,
        found -> Rows.duplicate(found, accounts, MessageSql.MESSAGE_WIDTH + 1, entry.contentHash()),
        account,
        entry.message().idempotencyKey());
  }

  private static StoredMessage stored(NewMessage entry, long row) {
    return new StoredMessage(
        row,
        entry.id(),
        entry.message(),
        entry.plan(),
        Status.QUEUED,
        0,
        0,
        entry.createdAt(),
        entry.dueAt(),
        entry.expiresAt(),
        null,
        null,
        entry.progress(),
        null,
        null,
        false,
        entry.possibleDuplicate(),
        entry.replayOf(),
        null,
        null);
  }
}
