package dev.postrider.postgres.inbound;

import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.jdbc.session.Values;
import dev.postrider.postgres.batch.BatchColumns;
import dev.postrider.postgres.connection.PgErrors;
import dev.postrider.postgres.sql.SessionSql;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The sessions a transaction has to do with: how many inbound messages wait in each, and which may
 * be handed out.
 *
 * <p>A session's row is the lock of its lane. Any node may add an inbound message to a session, or
 * end one, and whether an inbound message is the head depends on what is there before it. So a
 * transaction first says which sessions it will change, then locks them all at once, in the order
 * of their names, before it touches any inbound message: nodes wait for each other in one direction
 * only, and of two that add to the same session at the same moment the second sees what the first
 * has added.
 *
 * <p>A session that was {@linkplain SessionMove joined} to another stands for that one. It is known
 * when its own row is locked, so the other one is locked after it: the only lock out of order, and
 * a rare one.
 *
 * <p>Sessions may be joined while somebody has messages of both. As long as somebody has another
 * one than the first, there is no head; whoever gives one back that is no head looks whether there
 * can be one again.
 */
public final class SessionRows {
  /** What an inbound message is in its lane. */
  static final int BEHIND = 0;

  static final int HEAD = 1;
  static final int HEAD_OF_PAUSED = 2;

  /** What a session begins with. */
  private record Start(int account, String chat, @Nullable String thread, long at) {}

  /** One session, as it will be. */
  static final class Lane {
    private final String name;
    private final int waitedBefore;
    private final long lastBefore;
    private final @Nullable String movedTo;
    private boolean paused;
    private int waiting;
    private long last;
    private boolean fresh;

    private Lane(ResultSet row) throws SQLException {
      this.name = row.getString(1);
      this.waitedBefore = row.getInt(2);
      this.lastBefore = row.getLong(3);
      this.paused = row.getBoolean(4);
      this.movedTo = row.getString(5);
      this.waiting = waitedBefore;
      this.last = lastBefore;
    }

    String name() {
      return name;
    }

    /** What its first inbound message is. */
    int head() {
      return paused ? HEAD_OF_PAUSED : HEAD;
    }

    /** An inbound message comes; gives what it is. */
    int join() {
      return waiting++ == 0 ? head() : BEHIND;
    }

    /** An inbound message has ended. */
    void leave() {
      waiting--;
    }

    boolean isWaitedIn() {
      return waiting > 0;
    }

    /** Something was heard or said. */
    void spoke(long at) {
      last = Math.max(last, at);
      fresh = false;
    }

    /** What waits in another session waits in this one. */
    void take(Lane other) {
      waiting += other.waiting;
      other.waiting = 0;
      paused |= other.paused;
      spoke(other.last);
    }

    private boolean changed() {
      return waiting != waitedBefore || last != lastBefore;
    }
  }

  private final JdbcSession session;
  private final BatchColumns columns;
  private final Set<String> names = new TreeSet<>(); // sorted: nodes lock in one order
  private final Map<String, Start> starts = new TreeMap<>();
  private final Map<String, Lane> lanes = new TreeMap<>();

  public SessionRows(JdbcSession session, BatchColumns columns) {
    this.session = session;
    this.columns = columns;
  }

  /** This one will change, unless it is gone. */
  public void expect(String name) {
    names.add(name);
  }

  /** This one will change, and begins with this if it is not there. */
  public void expect(String name, int account, String chat, @Nullable String thread, Instant at) {
    names.add(name);
    starts.putIfAbsent(name, new Start(account, chat, thread, Values.micros(at)));
  }

  /** Locks all that are expected; to be called once. */
  public void lock() throws SQLException {
    Set<String> begun = new HashSet<>();
    Set<String> wanted = names;
    while (!wanted.isEmpty()) {
      begun.addAll(begin(wanted));
      session.all(
          SessionSql.LOCK_SESSIONS,
          row -> lanes.put(row.getString(1), new Lane(row)),
          columns.texts(List.copyOf(wanted), name -> name));
      wanted = movedTo(wanted);
    }
    if (!lanes.keySet().containsAll(starts.keySet())) {
      throw new PgErrors.Collision("a session was forgotten while something came");
    }
    begun.forEach(name -> of(name).fresh = true);
  }

  private Set<String> begin(Set<String> wanted) throws SQLException {
    List<Map.Entry<String, Start>> all =
        starts.entrySet().stream().filter(start -> wanted.contains(start.getKey())).toList();
    return all.isEmpty()
        ? Set.of()
        : new HashSet<>(
            session.all(
                SessionSql.ADD_SESSIONS,
                row -> row.getString(1),
                columns.texts(all, Map.Entry::getKey),
                columns.ints(all, entry -> entry.getValue().account),
                columns.texts(all, entry -> entry.getValue().chat),
                columns.texts(all, entry -> entry.getValue().thread),
                columns.longs(all, entry -> entry.getValue().at)));
  }

  /** The sessions that these were joined to, unless they are locked already. */
  private Set<String> movedTo(Set<String> former) {
    Set<String> now = new TreeSet<>();
    for (String name : former) {
      Lane lane = lanes.get(name);
      String to = lane == null ? null : lane.movedTo;
      if (to != null && !lanes.containsKey(to)) {
        now.add(to);
        Start start = starts.get(name);
        if (start != null) {
          starts.putIfAbsent(to, start);
        }
      }
    }
    return now;
  }

  /** The session that is meant by a name. */
  Lane of(String name) {
    Lane lane = find(name);
    if (lane == null) {
      throw new IllegalStateException("nobody has locked the session");
    }
    return lane;
  }

  /** The session that is meant by a name; null if it is not there. */
  @Nullable Lane find(String name) {
    Lane lane = lanes.get(name);
    while (lane != null && lane.movedTo != null) {
      lane = lanes.get(lane.movedTo);
    }
    return lane;
  }

  public void save() throws SQLException {
    List<Lane> changed = new ArrayList<>();
    List<Lane> idle = new ArrayList<>(0);
    for (Lane lane : lanes.values()) {
      if (lane.fresh) {
        idle.add(lane); // what was to begin it was known already
      } else if (lane.changed()) {
        changed.add(lane);
      }
    }
    if (!changed.isEmpty()) {
      session.update(
          SessionSql.SAVE_SESSIONS,
          columns.texts(changed, Lane::name),
          columns.ints(changed, lane -> lane.waiting),
          columns.longs(changed, lane -> lane.last));
    }
    if (!idle.isEmpty()) {
      session.update(SessionSql.DROP_SESSIONS, columns.texts(idle, Lane::name));
    }
  }
}
