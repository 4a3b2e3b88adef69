package dev.postrider.postgres;

import dev.postrider.jdbc.Session;
import dev.postrider.jdbc.Values;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Moves what is queued for a chat to the chat's new name, under the lock of the account. Arrivals
 * of the account get their places first: they were accepted before.
 */
final class LaneMove {
  private record Queued(long row, boolean inLane, boolean head, int priority, long due) {}

  private record Place(long row, @Nullable Long seq, boolean head, long due) {}

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
    String name = op.lease().account();
    int account = accounts.idOrNew(name);
    if (op.from.equals(op.to)) {
      op.is(0);
      return;
    }
    int taken = placing.takeIn(account, op.at, op.limit);
    if (taken == op.limit) {
      op.is(taken); // there may be more that must go first
      return;
    }
    List<Queued> batch =
        session.all(
            Sql.QUEUED_OF_LANE,
            row ->
                new Queued(
                    row.getLong(1),
                    row.getObject(2) != null,
                    row.getBoolean(3),
                    row.getInt(4),
                    row.getLong(5)),
            account,
            op.from,
            op.limit - taken);
    long now = Values.micros(op.at);
    place(new Lanes.Name(account, op.to), batch, now);
    // What is left, if the limit left anything, has a head; one that is being sent still is it.
    session.all(
        Sql.PROMOTE,
        _ -> null,
        now,
        batches.ints(List.of(account), id -> id),
        batches.texts(List.of(op.from), chat -> chat));
    movePause(account, name, op, taken + batch.size() < op.limit);
    op.is(taken + batch.size());
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
      places.add(new Place(one.row, seq, head, due));
    }
    session.update(
        Sql.MOVE,
        to.chat(),
        batches.longs(places, Place::row),
        batches.nullableLongs(places, Place::seq),
        batches.flags(places, Place::head),
        batches.longs(places, Place::due));
    session.update(Sql.MOVE_MESSAGES, to.chat(), batches.longs(places, Place::row));
  }

  private void movePause(int account, String name, Op.MoveLane op, boolean wholly)
      throws SQLException {
    int copied = session.update(Sql.COPY_PAUSE, op.to, name, op.from);
    int removed = wholly ? session.update(Sql.RESUME_LANE, name, op.from) : 0;
    if (copied + removed > 0) {
      effects.changed(account);
    }
  }
}
