package dev.postrider.postgres.message;

import dev.postrider.channel.Remembered;
import dev.postrider.jdbc.message.MemoryRow;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.jdbc.session.Values;
import dev.postrider.postgres.batch.BatchColumns;
import dev.postrider.postgres.connection.Accounts;
import dev.postrider.postgres.read.Rows;
import dev.postrider.postgres.sql.MemorySql;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Writes down what channels want to know again, of a chat under the name it has now. Any node may,
 * for any account, so a chat that is about to get another name waits until this is committed. Of a
 * batch the last word on each counts; rows are written in the order of their keys, so that nodes
 * wait for each other in one order.
 */
public final class MemoryWriter {
  private record Name(int account, String chat, String key) implements Comparable<Name> {
    private static final Comparator<Name> ORDER =
        Comparator.comparingInt(Name::account).thenComparing(Name::chat).thenComparing(Name::key);

    @Override
    public int compareTo(Name other) {
      return ORDER.compare(this, other);
    }
  }

  private record Entry(Name name, MemoryRow row) {}

  private final JdbcSession session;
  private final BatchColumns columns;
  private final Accounts accounts;
  private final List<Entry> waiting = new ArrayList<>(0);

  public MemoryWriter(JdbcSession session, BatchColumns columns, Accounts accounts) {
    this.session = session;
    this.columns = columns;
    this.accounts = accounts;
  }

  /** To be written with the others of the batch. */
  public void add(String account, List<MemoryRow> rows) throws SQLException {
    if (!rows.isEmpty()) {
      int number = accounts.idOrNew(account);
      rows.forEach(
          row ->
              waiting.add(new Entry(new Name(number, Rows.asStored(row.chat()), row.key()), row)));
    }
  }

  public void write() throws SQLException {
    if (waiting.isEmpty()) {
      return;
    }
    Map<LaneTails.Name, String> now = keepNames();
    TreeMap<Name, Entry> last = new TreeMap<>();
    for (Entry entry : waiting) {
      Name name = entry.name;
      String chat = now.getOrDefault(new LaneTails.Name(name.account, name.chat), name.chat);
      Name present = new Name(name.account, chat, name.key);
      last.put(present, new Entry(present, entry.row));
    }
    waiting.clear();
    List<Entry> kept = last.values().stream().filter(one -> one.row.value() != null).toList();
    for (Entry gone : last.values()) {
      if (gone.row.value() == null) {
        session.update(MemorySql.FORGET, gone.name.account, gone.name.chat, gone.name.key);
      }
    }
    if (!kept.isEmpty()) {
      session.update(
          MemorySql.REMEMBER,
          columns.ints(kept, one -> one.name.account),
          columns.texts(kept, one -> one.name.chat),
          columns.texts(kept, one -> one.name.key),
          columns.bytes(kept, one -> one.row.value()),
          columns.nullableLongs(kept, one -> one.row.expiresAt()));
    }
  }

  /** The names that chats of the batch have by now, where they have moved; they keep them. */
  private Map<LaneTails.Name, String> keepNames() throws SQLException {
    List<LaneTails.Name> chats =
        waiting.stream()
            .filter(entry -> !entry.name.chat.isEmpty())
            .map(entry -> new LaneTails.Name(entry.name.account, entry.name.chat))
            .distinct()
            .toList();
    Map<LaneTails.Name, String> now = new HashMap<>();
    if (!chats.isEmpty()) {
      List<Integer> of =
          List.copyOf(new TreeSet<>(chats.stream().map(LaneTails.Name::account).toList()));
      session.all(MemorySql.KEEP_NAMES, _ -> true, columns.ints(of, account -> account));
      session.all(
          MemorySql.NAMES_NOW,
          row -> now.put(new LaneTails.Name(row.getInt(1), row.getString(2)), row.getString(3)),
          columns.ints(chats, LaneTails.Name::account),
          columns.texts(chats, LaneTails.Name::chat));
    }
    return now;
  }

  /** Whether the value was the expected one, and is this now. */
  public boolean replace(String account, @Nullable String expected, Remembered by, Instant now)
      throws SQLException {
    MemoryRow row = MemoryRow.of(account, by, accounts.cipher());
    add(account, List.of(row));
    Name told = waiting.getFirst().name;
    String chat = keepNames().getOrDefault(new LaneTails.Name(told.account, told.chat), told.chat);
    waiting.clear();
    record Found(byte[] value, @Nullable Instant expiresAt) {}
    Found found =
        session.one(
            MemorySql.LOCK_MEMORY,
            one -> new Found(one.getBytes(1), Values.nullableInstant(one, 2)),
            told.account,
            chat,
            told.key);
    boolean expired = found != null && found.expiresAt != null && !found.expiresAt.isAfter(now);
    String known =
        found == null || expired
            ? null
            : MemoryRow.open(accounts.cipher(), account, told.key, found.value);
    if (!Objects.equals(known, expected)) {
      return false;
    }
    if (row.value() == null) {
      waiting.add(new Entry(new Name(told.account, chat, told.key), row));
      write();
      return true;
    }
    return found == null
        ? session.update(
                MemorySql.REMEMBER_FIRST,
                told.account,
                chat,
                told.key,
                row.value(),
                row.expiresAt())
            > 0
        : session.update(
                MemorySql.REPLACE, row.value(), row.expiresAt(), told.account, chat, told.key)
            > 0;
  }

  /** A chat gets a new name: to be called before it has it. */
  static void move(JdbcSession session, int account, String from, String to) throws SQLException {
    session.update(MemorySql.COPY_MEMORY, to, account, from);
    session.update(MemorySql.FORGET_CHAT, account, from);
  }
}
