package dev.postrider.postgres.inbound;

import dev.postrider.inbound.InboundId;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.jdbc.session.Values;
import dev.postrider.postgres.batch.BatchColumns;
import dev.postrider.postgres.batch.BatchSideEffects;
import dev.postrider.postgres.connection.Accounts;
import dev.postrider.postgres.connection.PgErrors;
import dev.postrider.postgres.read.PlatformName;
import dev.postrider.postgres.read.Rows;
import dev.postrider.postgres.sql.InboundFileSql;
import dev.postrider.postgres.sql.InboundSql;
import dev.postrider.postgres.sql.TurnSql;
import dev.postrider.postgres.write.WriteOp;
import dev.postrider.store.inbound.ReceiveResult;
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
 * Stores the inbound messages of a batch. Any node may store inbound messages of any account, and
 * the same inbound message may come through two of them: the unique index decides, and whoever is
 * second waits until the first has committed. Rows are given in the order of arrival, then inbound
 * messages are inserted in the order of their names.
 */
public final class InboundIntake {
  /** A statement carries hardly more than this, whatever the batch holds. */
  private static final int BYTES_AT_ONCE = 8 << 20;

  private final JdbcSession session;
  private final BatchColumns columns;
  private final Accounts accounts;
  private final BatchSideEffects sideEffects;
  private final SessionRows sessions;

  public InboundIntake(
      JdbcSession session,
      BatchColumns columns,
      Accounts accounts,
      BatchSideEffects sideEffects,
      SessionRows sessions) {
    this.session = session;
    this.columns = columns;
    this.accounts = accounts;
    this.sideEffects = sideEffects;
    this.sessions = sessions;
  }

  /**
   * The sessions of all inbound messages are locked: rows rise in the order in which inbound
   * messages join them.
   */
  public void receive(List<WriteOp.Receive> ops) throws SQLException {
    if (ops.isEmpty()) {
      return;
    }
    Map<PlatformName, WriteOp.Event> firsts = new LinkedHashMap<>();
    Map<Integer, String> cursors = new TreeMap<>();
    for (WriteOp.Receive op : ops) {
      int account = accounts.idOrNew(op.account);
      op.events.forEach(
          event -> firsts.putIfAbsent(new PlatformName(account, event.name()), event));
      if (op.cursor != null) {
        cursors.put(account, op.cursor);
      }
    }
    List<Entry> entries = entries(firsts);
    Set<PlatformName> added = add(entries);
    List<Entry> fresh = entries.stream().filter(entry -> added.contains(entry.name)).toList();
    queue(fresh);
    addFiles(fresh);
    Map<PlatformName, InboundId> ids = new HashMap<>();
    firsts.forEach((name, event) -> ids.put(name, event.id()));
    ids.putAll(known(ids.keySet().stream().filter(name -> !added.contains(name)).toList()));
    for (WriteOp.Receive op : ops) {
      int account = accounts.idOrNew(op.account);
      List<ReceiveResult> answers = new ArrayList<>(op.events.size());
      for (WriteOp.Event event : op.events) {
        PlatformName name = new PlatformName(account, event.name());
        // Of those in one batch the first is new, and no other.
        answers.add(new ReceiveResult(ids.getOrDefault(name, event.id()), added.remove(name)));
      }
      op.is(answers);
    }
    save(cursors);
  }

  private record Entry(long row, PlatformName name, WriteOp.Event event) {}

  private List<Entry> entries(Map<PlatformName, WriteOp.Event> events) throws SQLException {
    List<Long> rows = session.all(InboundSql.NEXT_EVENTS, row -> row.getLong(1), events.size());
    List<Entry> entries = new ArrayList<>(events.size());
    events.forEach((name, event) -> entries.add(new Entry(rows.get(entries.size()), name, event)));
    return entries;
  }

  /** Tells which of them were not there. */
  private Set<PlatformName> add(List<Entry> events) throws SQLException {
    List<Entry> entries = events.stream().sorted(Comparator.comparing(Entry::name)).toList();
    Set<PlatformName> added = new HashSet<>();
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

  private List<PlatformName> insert(List<Entry> entries) throws SQLException {
    return session.all(
        InboundSql.ADD_EVENTS,
        Rows::name,
        columns.longs(entries, Entry::row),
        columns.uuids(entries, entry -> entry.event.id().value()),
        columns.ints(entries, entry -> entry.name.account()),
        columns.uuids(entries, entry -> entry.name.fingerprint()),
        columns.texts(entries, entry -> sessions.of(entry.event.session()).name()),
        columns.longs(entries, entry -> Values.micros(entry.event.receivedAt())),
        columns.bytes(entries, entry -> entry.event.content()));
  }

  /** Lets new inbound messages wait to be handed out, in the order of their rows. */
  private void queue(List<Entry> entries) throws SQLException {
    if (entries.isEmpty()) {
      return;
    }
    List<Integer> heads = new ArrayList<>(entries.size());
    for (Entry entry : entries) {
      SessionRows.Lane lane = sessions.of(entry.event.session());
      lane.spoke(Values.micros(entry.event.receivedAt()));
      int head = lane.join();
      heads.add(head);
      sideEffects.inboundAdded(entry.name.account());
      if (head == SessionRows.HEAD) {
        sideEffects.available();
      }
    }
    session.update(
        TurnSql.ADD_TO_INBOX,
        columns.longs(entries, Entry::row),
        columns.ints(entries, entry -> entry.name.account()),
        columns.texts(entries, entry -> sessions.of(entry.event.session()).name()),
        columns.ints(heads, head -> head),
        columns.longs(entries, entry -> Values.micros(entry.event.receivedAt())));
  }

  /** Files that are to be kept are fetched later. */
  private void addFiles(List<Entry> entries) throws SQLException {
    List<Entry> keep = entries.stream().filter(entry -> entry.event.files() > 0).toList();
    if (!keep.isEmpty()) {
      session.update(
          InboundFileSql.ADD_FILES,
          columns.uuids(keep, entry -> entry.event.id().value()),
          columns.ints(keep, entry -> entry.event.files()),
          columns.longs(keep, entry -> Values.micros(entry.event.receivedAt())));
    }
  }

  private Map<PlatformName, InboundId> known(List<PlatformName> names) throws SQLException {
    Map<PlatformName, InboundId> known = new HashMap<>();
    if (!names.isEmpty()) {
      session.all(
          InboundSql.KNOWN_EVENTS,
          row -> known.put(Rows.name(row), new InboundId(row.getObject(3, UUID.class))),
          columns.ints(names, PlatformName::account),
          columns.uuids(names, PlatformName::fingerprint));
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
          columns.ints(all, Map.Entry::getKey),
          columns.texts(all, entry -> Rows.clean(entry.getValue())));
    }
  }
}
