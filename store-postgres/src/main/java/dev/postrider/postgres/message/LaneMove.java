package dev.postrider.postgres.message;

import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.jdbc.session.Values;
import dev.postrider.message.Status;
import dev.postrider.postgres.batch.BatchColumns;
import dev.postrider.postgres.batch.BatchSideEffects;
import dev.postrider.postgres.connection.Accounts;
import dev.postrider.postgres.inbound.SessionMove;
import dev.postrider.postgres.sql.MemorySql;
import dev.postrider.postgres.sql.MessageSql;
import dev.postrider.postgres.write.WriteOp;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Gives a chat its new name and moves what is queued for it there, in one transaction and under the
 * lock of the account: a lane is never half moved, whenever the process ends. Arrivals for either
 * name get their places first: they were accepted before.
 */
public final class LaneMove {
  private record Queued(long row, boolean inLane, boolean head, int priority, long due) {}

  private record Place(long row, @Nullable Long seq, int head, long due) {}

  private final JdbcSession session;
  private final BatchColumns columns;
  private final Accounts accounts;
  private final BatchSideEffects sideEffects;
  private final LaneAssigner laneAssigner;
  private final SessionMove sessions;

  public LaneMove(
      JdbcSession session,
      BatchColumns columns,
      Accounts accounts,
      BatchSideEffects sideEffects,
      LaneAssigner laneAssigner,
      SessionMove sessions) {
    this.session = session;
    this.columns = columns;
    this.accounts = accounts;
    this.sideEffects = sideEffects;
    this.laneAssigner = laneAssigner;
    this.sessions = sessions;
  }

  public void move(WriteOp.MoveLane op) throws SQLException {
    int account = accounts.idOrNew(op.lease().account());
    String moved = session.one(MessageSql.CHAT_NOW, row -> row.getString(1), account, op.to);
    String to = moved == null ? op.to : moved;
    boolean same = op.from.equals(to);
    if (same || isSending(account, op.from)) {
      if (same) {
        session.update(MessageSql.FORGET_TOLD, account, op.from);
      }
      op.is(null);
      return;
    }
    session.update(MessageSql.FORGET_TOLD, account, op.from);
    sessions.move(account, op.from, to, op.sessionKey); // before what others lock after sessions
    session.all(MemorySql.CHANGE_NAMES, _ -> true, account);
    laneAssigner.takeIn(account, to, op.at);
    laneAssigner.takeIn(account, op.from, op.at);
    session.update(MessageSql.MOVE_ALIASES, to, account, op.from);
    session.update(MessageSql.ADD_ALIAS, account, op.from, to);
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
            op.from);
    place(new LaneTails.Name(account, to), batch, Values.micros(op.at));
    LanePauses.move(session, account, op.from, to);
    MemoryWriter.move(session, account, op.from, to);
    sideEffects.changed(account);
    op.is(batch.size());
  }

  /** Whether the lane's first message is on its way: what waits behind it must not overtake. */
  private boolean isSending(int account, String chat) throws SQLException {
    Integer status = session.one(MessageSql.LANE_STATUS, row -> row.getInt(1), account, chat);
    return status != null && status == Values.status(Status.SENDING);
  }

  private void place(LaneTails.Name to, List<Queued> batch, long now) throws SQLException {
    if (batch.isEmpty()) {
      return;
    }
    LaneTails.Lane lane =
        LaneTails.ask(session, columns, List.of(to)).tails().of(to.account(), to.chat());
    if (lane.hasBulk() && batch.stream().anyMatch(one -> one.inLane && one.priority == 0)) {
      laneAssigner.raise(Set.of(to)); // live ones stand before bulk in their old lane
    }
    List<Place> places = new ArrayList<>(batch.size());
    for (Queued one : batch) {
      boolean head = !one.inLane || lane.isEmpty();
      Long seq = one.inLane ? Long.valueOf(lane.next(one.priority == 1)) : null;
      // Whoever becomes a head has been due since then, as with every promotion.
      long due = head && !one.head ? Math.max(one.due, now) : one.due;
      places.add(new Place(one.row, seq, head ? LanePauses.HEAD : LanePauses.BEHIND, due));
    }
    session.update(
        MessageSql.MOVE,
        to.chat(),
        columns.longs(places, Place::row),
        columns.nullableLongs(places, Place::seq),
        columns.ints(places, Place::head),
        columns.longs(places, Place::due));
    session.update(MessageSql.MOVE_MESSAGES, to.chat(), columns.longs(places, Place::row));
  }
}
