package dev.postrider.sqlite;

import dev.postrider.jdbc.Session;
import dev.postrider.jdbc.Values;
import dev.postrider.message.Status;
import dev.postrider.store.Lease;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Gives a chat its new name and moves what is queued for it there, in one transaction: a lane is
 * never half moved, whenever the process ends. To be called inside the committer's transaction;
 * belongs to the writer's thread.
 */
final class LaneMove {
  private record Queued(long row, boolean inLane, boolean head, int priority, long due) {}

  private final Session session;
  private final Accounts accounts;
  private final Aliases aliases;
  private final BehindIndexes indexes;
  private final LanePauses pauses;

  LaneMove(
      Session session,
      Accounts accounts,
      Aliases aliases,
      BehindIndexes indexes,
      LanePauses pauses) {
    this.session = session;
    this.accounts = accounts;
    this.aliases = aliases;
    this.indexes = indexes;
    this.pauses = pauses;
  }

  /** Gives how many went along, or null if the chat stays what it is. */
  @Nullable Integer move(Lease lease, String from, String named, Instant now) throws SQLException {
    accounts.check(lease);
    int account = accounts.idOrNew(session, lease.account());
    String to = aliases.chat(account, named);
    if (from.equals(to) || isSending(account, from)) {
      return null;
    }
    aliases.add(account, from, to);
    List<Queued> batch =
        session.all(
            Sql.QUEUED_OF_LANE,
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
    return batch.size();
  }

  /** Whether the lane's first message is on its way: what waits behind it must not overtake. */
  private boolean isSending(int account, String chat) throws SQLException {
    Integer status = session.one(Sql.LANE_HEAD, row -> row.getInt(2), account, chat);
    return status != null && status == Values.status(Status.SENDING);
  }

  private void place(int account, List<Queued> batch, String from, String to, long now)
      throws SQLException {
    Long held = session.one(Sql.LAST_OF_LANE, row -> row.getLong(1), account, to);
    long last = held == null ? 0 : held; // places begin with 1
    if (batch.stream().anyMatch(one -> one.inLane && one.priority == 0)) {
      session.update(Sql.RAISE_LANE, account, to); // live ones stand before bulk in their old lane
    }
    for (Queued one : batch) {
      boolean head = !one.inLane || last == 0;
      Long seq = one.inLane ? Long.valueOf(++last) : null;
      // Whoever becomes a head has been due since then, as with every promotion.
      long due = head && !one.head ? Math.max(one.due, now) : one.due;
      session.update(Sql.MOVE, to, seq, head ? LanePauses.HEAD : LanePauses.BEHIND, due, one.row);
      indexes.moved(one.row, from, to);
    }
  }
}
