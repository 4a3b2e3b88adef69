package dev.postrider.sqlite.message;

import dev.postrider.config.SessionKey;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.jdbc.session.Values;
import dev.postrider.message.Status;
import dev.postrider.sqlite.file.Accounts;
import dev.postrider.sqlite.inbound.SessionMove;
import dev.postrider.sqlite.read.LateIndexes;
import dev.postrider.sqlite.sql.MessageSql;
import dev.postrider.store.message.Lease;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Gives a chat its new name and moves what is queued for it there, in one transaction: a lane is
 * never half moved, whenever the process ends. To be called inside the committer's transaction;
 * belongs to the writer's thread.
 */
public final class LaneMove {
  private record Queued(long row, boolean inLane, boolean head, int priority, long due) {}

  private final JdbcSession session;
  private final Accounts accounts;
  private final ChatAliases aliases;
  private final LateIndexes indexes;
  private final LanePauses pauses;
  private final MemoryWriter memory;
  private final SessionMove sessions;

  public LaneMove(
      JdbcSession session,
      Accounts accounts,
      ChatAliases aliases,
      LateIndexes indexes,
      LanePauses pauses,
      MemoryWriter memory,
      SessionMove sessions) {
    this.session = session;
    this.accounts = accounts;
    this.aliases = aliases;
    this.indexes = indexes;
    this.pauses = pauses;
    this.memory = memory;
    this.sessions = sessions;
  }

  /** Gives how many went along, or null if the chat stays what it is. */
  public @Nullable Integer move(Lease lease, String from, String named, SessionKey key, Instant now)
      throws SQLException {
    accounts.check(lease);
    int account = accounts.idOrNew(session, lease.account());
    String to = aliases.chat(account, named);
    if (from.equals(to)) {
      aliases.forgetTold(account, from);
      return null;
    }
    if (isSending(account, from)) {
      return null;
    }
    aliases.forgetTold(account, from);
    sessions.move(account, from, to, key);
    aliases.add(account, from, to);
    List<Queued> batch =
        session.all(
            MessageSql.QUEUED_OF_LANE,
            row ->
                new Queued(
                    row.getLong(1),
                    row.getObject(2) != null,
                    row.getInt(3) != LanePauses.BEHIND,
                    row.getInt(4),
                    row.getLong(5)),
            account,
            from);
    place(account, batch, from, to, Values.micros(now));
    pauses.move(account, from, to);
    memory.move(account, from, to);
    return batch.size();
  }

  /** Whether the lane's first message is on its way: what waits behind it must not overtake. */
  private boolean isSending(int account, String chat) throws SQLException {
    Integer status = session.one(MessageSql.LANE_HEAD, row -> row.getInt(2), account, chat);
    return status != null && status == Values.status(Status.SENDING);
  }

  private void place(int account, List<Queued> batch, String from, String to, long now)
      throws SQLException {
    Long held = session.one(MessageSql.LAST_OF_LANE, row -> row.getLong(1), account, to);
    long last = held == null ? 0 : held; // places begin with 1
    if (batch.stream().anyMatch(one -> one.inLane && one.priority == 0)) {
      session.update(
          MessageSql.RAISE_LANE, account, to); // live ones stand before bulk in their old lane
    }
    for (Queued one : batch) {
      boolean head = !one.inLane || last == 0;
      Long seq = one.inLane ? Long.valueOf(++last) : null;
      // Whoever becomes a head has been due since then, as with every promotion.
      long due = head && !one.head ? Math.max(one.due, now) : one.due;
      session.update(
          MessageSql.MOVE, to, seq, head ? LanePauses.HEAD : LanePauses.BEHIND, due, one.row);
      indexes.moved(one.row, from, to);
    }
  }
}
