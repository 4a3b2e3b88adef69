package dev.postrider.postgres.message;

import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.postgres.batch.BatchColumns;
import dev.postrider.postgres.sql.MessageSql;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The lanes that a batch puts messages into: where each ends now, and where it will end as places
 * are given. To be used under the locks of their accounts.
 */
final class LaneTails {
  record Name(int account, String chat) {}

  /** One lane, as it will be. */
  static final class Lane {
    private final Name name;
    private long last;
    private final long first;
    private long stored = -1; // how many the database holds of it; unknown until counted
    private long added;
    private boolean bulk;
    private final boolean arrivals;
    private final @Nullable String movedTo;
    private final boolean paused;

    private Lane(
        Name name,
        long last,
        long first,
        boolean bulk,
        boolean arrivals,
        @Nullable String movedTo,
        boolean paused) {
      this.name = name;
      this.last = last;
      this.first = first;
      this.bulk = bulk;
      this.arrivals = arrivals;
      this.movedTo = movedTo;
      this.paused = paused;
    }

    Name name() {
      return name;
    }

    boolean isEmpty() {
      return last == 0;
    }

    /** Whether messages that were accepted elsewhere, and earlier, wait for their place. */
    boolean hasArrivals() {
      return arrivals;
    }

    /** What {@code head} is for its head, and for what is outside its order. */
    int head() {
      return paused ? LanePauses.PAUSED_HEAD : LanePauses.HEAD;
    }

    /** Whether bulk messages of it would become live behind a live one. */
    boolean hasBulk() {
      return bulk;
    }

    void raised() {
      bulk = false;
    }

    /** The next place. */
    long next(boolean isBulk) {
      last++;
      bulk |= isBulk;
      added++;
      return last;
    }

    /** How many it holds: from its first and last place if that will do, else counted. */
    long depth(JdbcSession session, long limit) throws SQLException {
      long places = last == 0 ? 0 : last - Math.max(1, first) + 1;
      if (places < limit) {
        return places;
      }
      if (stored < 0) {
        Long held =
            session.one(MessageSql.COUNT_LANE, row -> row.getLong(1), name.account, name.chat);
        stored = held == null ? 0 : held;
      }
      return stored + added;
    }
  }

  private final Map<Name, Lane> lanes = new LinkedHashMap<>();

  /** Lanes that are looked at with the next statement whose result is needed, at the latest. */
  static final class Asked {
    private final JdbcSession session;
    private final BatchColumns columns;
    private final JdbcSession.Pending<Lane> found;

    private Asked(JdbcSession session, BatchColumns columns, JdbcSession.Pending<Lane> found) {
      this.session = session;
      this.columns = columns;
      this.found = found;
    }

    /** The lanes; of chats that have moved, those where they are now as well. */
    LaneTails tails() throws SQLException {
      LaneTails looked = new LaneTails();
      looked.add(found.rows());
      List<Name> moved = new ArrayList<>(0);
      for (Lane lane : looked.lanes.values()) {
        if (lane.movedTo != null) {
          moved.add(new Name(lane.name.account, lane.movedTo));
        }
      }
      moved.removeIf(looked.lanes::containsKey);
      if (!moved.isEmpty()) {
        looked.add(ask(session, columns, moved).found.rows());
      }
      return looked;
    }
  }

  /** Asks for these lanes, all at once. */
  static Asked ask(JdbcSession session, BatchColumns columns, List<Name> names)
      throws SQLException {
    List<Name> distinct = names.stream().distinct().toList();
    return new Asked(
        session,
        columns,
        session.later(
            MessageSql.LANES,
            row ->
                new Lane(
                    distinct.get(row.getRow() - 1),
                    row.getLong(1),
                    row.getLong(2),
                    row.getBoolean(3),
                    row.getBoolean(4),
                    row.getString(5),
                    row.getBoolean(6)),
            columns.ints(distinct, Name::account),
            columns.texts(distinct, Name::chat)));
  }

  private void add(List<Lane> found) {
    found.forEach(lane -> lanes.put(lane.name, lane));
  }

  /** The name that the chat has now. */
  String chat(int account, String name) {
    String moved = of(account, name).movedTo;
    return moved == null ? name : moved;
  }

  Lane of(int account, String chat) {
    @Nullable Lane lane = lanes.get(new Name(account, chat));
    if (lane == null) {
      throw new IllegalStateException("nobody has looked at the lane");
    }
    return lane;
  }
}
