package dev.postrider.postgres;

import dev.postrider.jdbc.Session;
import dev.postrider.jdbc.Values;
import dev.postrider.message.Status;
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
final class LaneMove {
  private record Queued(long row, boolean inLane, boolean head, int priority, long due) {}

  private record Place(long row, @Nullable Long seq, int head, long due) {}

  private final Session session;
  private final Batches batches;
  private final Accounts accounts;
  private final Effects effects;
  private final Placing placing;

  LaneMove(Session session, Batches batches, Accounts accounts, Effects effects, Placing placing) {
    this.session = session;
    this.batches = batches;
    this.accounts = accounts;
    this.effects = effects;
    this.placing = placing;
  }

  void move(Op.MoveLane op) throws SQLException {
    int account = accounts.idOrNew(op.lease().account());
    String moved = session.one(Sql.CHAT_NOW, row -> row.getString(1), account, op.to);
    String to = moved == null ? op.to : moved;
    if (op.from.equals(to) || isSending(account, op.from)) {
      op.is(null);
      return;
    }
    placing.takeIn(account, to, op.at);
    placing.takeIn(account, op.from, op.at);
    session.update(Sql.MOVE_ALIASES, to, account, op.from);
    session.update(Sql.ADD_ALIAS, account, op.from, to);
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
            op.from);
    place(new Lanes.Name(account, to), batch, Values.micros(op.at));
    LanePauses.move(session, account, op.from, to);
    effects.changed(account);
    op.is(batch.size());
  }

  /** Whether the lane's first message is on its way: what waits behind it must not overtake. */
  private boolean isSending(int account, String chat) throws SQLException {
    Integer status = session.one(Sql.LANE_STATUS, row -> row.getInt(1), account, chat);
    return status != null && status == Values.status(Status.SENDING);
  }

  private void place(Lanes.Name to, List<Queued> batch, long now) throws SQLException {
    if (batch.isEmpty()) {
      return;
    }
    Lanes.Lane lane = Lanes.look(session, batches, List.of(to)).of(to.account(), to.chat());
    if (lane.hasBulk() && batch.stream().anyMatch(one -> one.inLane && one.priority == 0)) {
      placing.raise(Set.of(to)); // live ones stand before bulk in their old lane
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
        Sql.MOVE,
        to.chat(),
        batches.longs(places, Place::row),
        batches.nullableLongs(places, Place::seq),
        batches.ints(places, Place::head),
        batches.longs(places, Place::due));
    session.update(Sql.MOVE_MESSAGES, to.chat(), batches.longs(places, Place::row));
  }
}
