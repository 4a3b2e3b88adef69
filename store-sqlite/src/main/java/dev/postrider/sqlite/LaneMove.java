package dev.postrider.sqlite;

import dev.postrider.jdbc.Session;
import dev.postrider.jdbc.Values;
import dev.postrider.store.Lease;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;

/**
 * Moves what is queued for a chat to the chat's new name. To be called inside the committer's
 * transaction; belongs to the writer's thread.
 */
final class LaneMove {
  private record Queued(long row, boolean inLane, boolean head, int priority, long due) {}

  private final Session session;
  private final Accounts accounts;

  LaneMove(Session session, Accounts accounts) {
    this.session = session;
    this.accounts = accounts;
  }

  int move(Lease lease, String from, String to, Instant now, int limit) throws SQLException {
    accounts.check(lease);
    if (from.equals(to)) {
      return 0;
    }
    int account = accounts.idOrNew(session, lease.account());
    List<Queued> batch =
        session.all(
            Sql.QUEUED_OF_LANE,
            row ->
                new Queued(
                    row.getLong(1),
                    row.getObject(2) != null,
                    row.getInt(3) == 1,
                    row.getInt(4),
                    row.getLong(5)),
            account,
            from,
            limit);
    place(account, batch, to, Values.micros(now));
    promote(account, from, Values.micros(now));
    session.update(Sql.COPY_PAUSE, to, lease.account(), from);
    if (batch.size() < limit) {
      session.update(Sql.RESUME_LANE, lease.account(), from);
    }
    return batch.size();
  }

  private void place(int account, List<Queued> batch, String to, long now) throws SQLException {
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
      session.update(Sql.MOVE, to, seq, head ? 1 : 0, due, one.row);
    }
  }

  /** What is left, if the limit left anything, has a head; one that is being sent still is it. */
  private void promote(int account, String from, long now) throws SQLException {
    Long next = session.one(Sql.NEXT_OF_LANE, row -> row.getLong(1), account, from);
    if (next != null) {
      session.one(Sql.PROMOTE, _ -> null, now, next);
    }
  }
}
