package dev.postrider.postgres;

import dev.postrider.jdbc.Session;
import dev.postrider.jdbc.Values;
import dev.postrider.pace.Budget;
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
final class Effects {
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

  void spend(Collection<Budget> spent) {
    for (Budget budget : spent) {
      budgets.merge(
          budget.scope(),
          budget,
          (before, now) -> now.revision() > before.revision() ? now : before);
    }
  }

  void came(int account) {
    counts.computeIfAbsent(account, _ -> new Count()).active++;
  }

  void went(int account) {
    counts.computeIfAbsent(account, _ -> new Count()).active--;
  }

  void died(int account) {
    counts.computeIfAbsent(account, _ -> new Count()).dead++;
  }

  void buried(int account) {
    counts.computeIfAbsent(account, _ -> new Count()).dead--;
  }

  private EventCount events(int account) {
    return events.computeIfAbsent(account, _ -> new EventCount());
  }

  void eventCame(int account) {
    events(account).waiting++;
  }

  void eventWent(int account) {
    events(account).waiting--;
  }

  void eventDied(int account) {
    events(account).dead++;
  }

  void eventBuried(int account) {
    events(account).dead--;
  }

  /** Other nodes are told, once this is committed, that there may be something to hand out. */
  void available() {
    calls.add(Call.Kind.HAND_OUT.letter() + "0");
  }

  /** The account's owner, if it is another node, is told once this is committed. */
  void arrived(int account) {
    calls.add(Call.Kind.ARRIVED.letter() + String.valueOf(account));
  }

  /** Other nodes are told once this is committed; whoever does not hear it sees it grow. */
  void changed(int account) {
    calls.add(Call.Kind.CHANGED.letter() + String.valueOf(account));
    counts.computeIfAbsent(account, _ -> new Count()).changes++;
  }

  /** This node has stored an arrival for an account of its own. */
  void ownArrival(String account) {
    ownArrivals.add(account);
  }

  Set<String> ownArrivals() {
    return ownArrivals;
  }

  void write(Session session, Batches batches) throws SQLException {
    if (!budgets.isEmpty()) {
      List<Budget> all = List.copyOf(budgets.values());
      session.update(
          Sql.SAVE_BUDGETS,
          batches.texts(all, Budget::scope),
          batches.longs(all, Budget::revision),
          batches.longs(all, budget -> Values.micros(budget.until())),
          batches.texts(all, Budget::state));
    }
    Map<Integer, Count> changed = new LinkedHashMap<>(counts);
    changed.values().removeIf(count -> count.active == 0 && count.dead == 0 && count.changes == 0);
    if (!changed.isEmpty()) {
      List<Map.Entry<Integer, Count>> all = List.copyOf(changed.entrySet());
      session.update(
          Sql.COUNT,
          batches.ints(all, Map.Entry::getKey),
          batches.longs(all, entry -> entry.getValue().active),
          batches.longs(all, entry -> entry.getValue().dead),
          batches.ints(all, entry -> entry.getValue().changes));
    }
    countEvents(session, batches);
    if (!calls.isEmpty()) {
      batches.call(session, calls);
    }
  }

  /** Into rows of this node's own: nobody is waited for. */
  private void countEvents(Session session, Batches batches) throws SQLException {
    events.values().removeIf(count -> count.waiting == 0 && count.dead == 0);
    if (!events.isEmpty()) {
      List<Map.Entry<Integer, EventCount>> all = List.copyOf(events.entrySet());
      session.update(
          SessionSql.COUNT_EVENTS,
          batches.node(),
          batches.ints(all, Map.Entry::getKey),
          batches.longs(all, entry -> entry.getValue().waiting),
          batches.longs(all, entry -> entry.getValue().dead));
    }
  }
}
