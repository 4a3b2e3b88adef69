package dev.postrider.postgres.batch;

import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.jdbc.session.Values;
import dev.postrider.postgres.sql.MessageSql;
import dev.postrider.postgres.sql.SessionSql;
import dev.postrider.store.message.Budget;
import java.sql.SQLException;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What a transaction does besides, gathered while it runs and written once at its end: budgets, of
 * which only the last word counts, how many messages and events came and went, and the calls that
 * wake other nodes.
 */
public final class BatchSideEffects {
  private static final class Count {
    long active;
    long dead;
    int changes;
  }

  private static final class EventCount {
    long waiting;
    long dead;
  }

  private final Map<String, Budget> budgets = new TreeMap<>(); // sorted: nodes lock in one order
  private final Map<Integer, Count> counts = new TreeMap<>();
  private final Map<Integer, EventCount> events = new TreeMap<>();
  private final Set<String> calls = new LinkedHashSet<>();
  private final Set<String> ownArrivals = new LinkedHashSet<>();

  public void spend(Collection<Budget> spent) {
    for (Budget budget : spent) {
      budgets.merge(
          budget.scope(),
          budget,
          (before, now) -> now.revision() > before.revision() ? now : before);
    }
  }

  public void messageAdded(int account) {
    counts.computeIfAbsent(account, _ -> new Count()).active++;
  }

  public void messageEnded(int account) {
    counts.computeIfAbsent(account, _ -> new Count()).active--;
  }

  public void deadLetterAdded(int account) {
    counts.computeIfAbsent(account, _ -> new Count()).dead++;
  }

  public void deadLetterRemoved(int account) {
    counts.computeIfAbsent(account, _ -> new Count()).dead--;
  }

  private EventCount events(int account) {
    return events.computeIfAbsent(account, _ -> new EventCount());
  }

  public void inboundAdded(int account) {
    events(account).waiting++;
  }

  public void inboundEnded(int account) {
    events(account).waiting--;
  }

  public void inboundDeadLetterAdded(int account) {
    events(account).dead++;
  }

  public void inboundDeadLetterRemoved(int account) {
    events(account).dead--;
  }

  /** Other nodes are told, once this is committed, that there may be something to hand out. */
  public void available() {
    calls.add(Notification.Kind.INBOUND.letter() + "0");
  }

  /** The account's owner, if it is another node, is told once this is committed. */
  public void arrived(int account) {
    calls.add(Notification.Kind.ARRIVED.letter() + String.valueOf(account));
  }

  /** Other nodes are told once this is committed; whoever does not hear it sees it grow. */
  public void changed(int account) {
    calls.add(Notification.Kind.CHANGED.letter() + String.valueOf(account));
    counts.computeIfAbsent(account, _ -> new Count()).changes++;
  }

  /** This node has stored an arrival for an account of its own. */
  public void ownArrival(String account) {
    ownArrivals.add(account);
  }

  public Set<String> ownArrivals() {
    return ownArrivals;
  }

  public void write(JdbcSession session, BatchColumns columns) throws SQLException {
    writeLater(session, columns);
    session.flush();
  }

  /** With the next statement of the transaction. */
  public void writeLater(JdbcSession session, BatchColumns columns) throws SQLException {
    if (!budgets.isEmpty()) {
      List<Budget> all = List.copyOf(budgets.values());
      session.updateLater(
          MessageSql.SAVE_BUDGETS,
          columns.texts(all, Budget::scope),
          columns.longs(all, Budget::revision),
          columns.longs(all, budget -> Values.micros(budget.until())),
          columns.texts(all, Budget::state));
    }
    Map<Integer, Count> changed = new LinkedHashMap<>(counts);
    changed.values().removeIf(count -> count.active == 0 && count.dead == 0 && count.changes == 0);
    if (!changed.isEmpty()) {
      List<Map.Entry<Integer, Count>> all = List.copyOf(changed.entrySet());
      session.updateLater(
          MessageSql.COUNT,
          columns.ints(all, Map.Entry::getKey),
          columns.longs(all, entry -> entry.getValue().active),
          columns.longs(all, entry -> entry.getValue().dead),
          columns.ints(all, entry -> entry.getValue().changes));
    }
    countEvents(session, columns);
    if (!calls.isEmpty()) {
      columns.callLater(session, calls);
    }
  }

  /** Into rows of this node's own: nobody is waited for. */
  private void countEvents(JdbcSession session, BatchColumns columns) throws SQLException {
    events.values().removeIf(count -> count.waiting == 0 && count.dead == 0);
    if (!events.isEmpty()) {
      List<Map.Entry<Integer, EventCount>> all = List.copyOf(events.entrySet());
      session.updateLater(
          SessionSql.COUNT_EVENTS,
          columns.node(),
          columns.ints(all, Map.Entry::getKey),
          columns.longs(all, entry -> entry.getValue().waiting),
          columns.longs(all, entry -> entry.getValue().dead));
    }
  }
}
