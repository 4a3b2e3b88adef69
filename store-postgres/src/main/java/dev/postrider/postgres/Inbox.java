package dev.postrider.postgres;

import dev.postrider.inbound.InboundId;
import dev.postrider.jdbc.Session;
import dev.postrider.jdbc.Values;
import dev.postrider.store.Received;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Stores the events of a batch. Any node may store events of any account, and the same event may
 * come through two of them: the unique index decides, and whoever is second waits until the first
 * has committed. Rows are given in the order of arrival, then events are inserted in the order of
 * their names.
 */
final class Inbox {
  /** A statement carries hardly more than this, whatever the batch holds. */
  private static final int BYTES_AT_ONCE = 8 << 20;

  private final Session session;
  private final Batches batches;
  private final Accounts accounts;
  private final Effects effects;
  private final Sessions sessions;

  Inbox(Session session, Batches batches, Accounts accounts, Effects effects, Sessions sessions) {
    this.session = session;
    this.batches = batches;
    this.accounts = accounts;
    this.effects = effects;
    this.sessions = sessions;
  }

  /** The sessions of all events are locked: rows rise in the order in which events join them. */
  void receive(List<Op.Receive> ops) throws SQLException {
    if (ops.isEmpty()) {
      return;
    }
    Map<Name, Op.Event> firsts = new LinkedHashMap<>();
    Map<Integer, String> cursors = new TreeMap<>();
    for (Op.Receive op : ops) {
      int account = accounts.idOrNew(op.account);
      op.events.forEach(event -> firsts.putIfAbsent(new Name(account, event.name()), event));
      if (op.cursor != null) {
        cursors.put(account, op.cursor);
      }
    }
    List<Entry> entries = entries(firsts);
    Set<Name> added = add(entries);
    queue(entries.stream().filter(entry -> added.contains(entry.name)).toList());
    Map<Name, InboundId> ids = new HashMap<>();
    firsts.forEach((name, event) -> ids.put(name, event.id()));
    ids.putAll(known(ids.keySet().stream().filter(name -> !added.contains(name)).toList()));
    for (Op.Receive op : ops) {
      int account = accounts.idOrNew(op.account);
      List<Received> answers = new ArrayList<>(op.events.size());
      for (Op.Event event : op.events) {
        Name name = new Name(account, event.name());
        // Of those in one batch the first is new, and no other.
        answers.add(new Received(ids.getOrDefault(name, event.id()), added.remove(name)));
      }
      op.is(answers);
    }
    save(cursors);
  }

  private record Entry(long row, Name name, Op.Event event) {}

  private List<Entry> entries(Map<Name, Op.Event> events) throws SQLException {
    List<Long> rows = session.all(InboundSql.NEXT_EVENTS, row -> row.getLong(1), events.size());
    List<Entry> entries = new ArrayList<>(events.size());
    events.forEach((name, event) -> entries.add(new Entry(rows.get(entries.size()), name, event)));
    return entries;
  }

  /** Tells which of them were not there. */
  private Set<Name> add(List<Entry> events) throws SQLException {
    List<Entry> entries = events.stream().sorted(Comparator.comparing(Entry::name)).toList();
    Set<Name> added = new HashSet<>();
    int from = 0;
    long bytes = 0;
    for (int i = 0; i < entries.size(); i++) {
      bytes += entries.get(i).event.content().length;
      if (bytes >= BYTES_AT_ONCE || i == entries.size() - 1) {
        added.addAll(insert(entries.subList(from, i + 1)));
        from = i + 1;
        bytes = 0;
      }
    }
    return added;
  }

  private List<Name> insert(List<Entry> entries) throws SQLException {
    return session.all(
        InboundSql.ADD_EVENTS,
        Rows::name,
        batches.longs(entries, Entry::row),
        batches.uuids(entries, entry -> entry.event.id().value()),
        batches.ints(entries, entry -> entry.name.account()),
        batches.uuids(entries, entry -> entry.name.fingerprint()),
        batches.texts(entries, entry -> entry.event.session()),
        batches.longs(entries, entry -> Values.micros(entry.event.receivedAt())),
        batches.bytes(entries, entry -> entry.event.content()));
  }

  /** Lets new events wait to be handed out, in the order of their rows. */
  private void queue(List<Entry> entries) throws SQLException {
    if (entries.isEmpty()) {
      return;
    }
    List<Integer> heads = new ArrayList<>(entries.size());
    for (Entry entry : entries) {
      Sessions.Lane lane = sessions.of(entry.event.session());
      lane.spoke(Values.micros(entry.event.receivedAt()));
      int head = lane.join();
      heads.add(head);
      effects.eventCame(entry.name.account());
      if (head == Sessions.HEAD) {
        effects.available();
      }
    }
    session.update(
        DeskSql.ADD_TO_INBOX,
        batches.longs(entries, Entry::row),
        batches.ints(entries, entry -> entry.name.account()),
        batches.texts(entries, entry -> entry.event.session()),
        batches.ints(heads, head -> head),
        batches.longs(entries, entry -> Values.micros(entry.event.receivedAt())));
  }

  private Map<Name, InboundId> known(List<Name> names) throws SQLException {
    Map<Name, InboundId> known = new HashMap<>();
    if (!names.isEmpty()) {
      session.all(
          InboundSql.KNOWN_EVENTS,
          row -> known.put(Rows.name(row), new InboundId(row.getObject(3, UUID.class))),
          batches.ints(names, Name::account),
          batches.uuids(names, Name::fingerprint));
    }
    if (known.size() < names.size()) {
      throw new PgErrors.Collision("an event was forgotten while it was told again");
    }
    return known;
  }

  private void save(Map<Integer, String> cursors) throws SQLException {
    if (!cursors.isEmpty()) {
      List<Map.Entry<Integer, String>> all = List.copyOf(cursors.entrySet());
      session.update(
          InboundSql.SAVE_CURSORS,
          batches.ints(all, Map.Entry::getKey),
          batches.texts(all, entry -> Rows.clean(entry.getValue())));
    }
  }
}
