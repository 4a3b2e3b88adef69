package dev.postrider.jdbc;

import dev.postrider.jdbc.encryption.ContentCipher;
import dev.postrider.jdbc.encryption.ContentCipher.Column;
import dev.postrider.jdbc.encryption.ContentCipher.UnreadableContent;
import dev.postrider.jdbc.message.MemoryRow;
import dev.postrider.jdbc.reminder.TargetCodec;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.store.Reencryption.Step;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Walks the tables that hold contents, each in the order of its key. A page has the beginnings of
 * contents only, so that memory does not depend on how long they are; what has to change is read
 * one by one, and written only if nobody has changed it meanwhile.
 */
public final class ReencryptionWalk {
  private static final int PAGE = 200;
  private static final int BEGINNING = 33; // the mark, the key's id, and longer than a hash

  private static final String TARGET = "account, chat";
  private static final String MEMORY = "account, key";

  /** A content, and what it is. */
  private record Cell(String name, Column column) {}

  /**
   * @param key what rows are ordered by, with an index
   * @param boundTo the column with the id that contents are bound to; for targets account and chat,
   *     for what is remembered account and key
   */
  private record Table(String name, List<String> key, String boundTo, List<Cell> cells) {
    private String firstKeys() {
      return String.join(", ", key);
    }

    // Each by its primary key; mirrored by mirrored_session.
    String page(boolean first) {
      StringBuilder sql = new StringBuilder("SELECT ").append(firstKeys());
      for (Cell cell : cells) {
        sql.append(", substr(").append(cell.name).append(", 1, ").append(BEGINNING).append(")");
      }
      sql.append(" FROM ").append(name);
      if (!first) {
        sql.append(" WHERE (").append(firstKeys()).append(") > (").append(marks()).append(")");
      }
      return sql.append(" ORDER BY ").append(firstKeys()).append(" LIMIT ").append(PAGE).toString();
    }

    private String marks() {
      return String.join(", ", Collections.nCopies(key.size(), "?"));
    }

    private String isRow() {
      return " WHERE (" + firstKeys() + ") = (" + marks() + ")";
    }

    String row() {
      List<String> names = cells.stream().map(Cell::name).toList();
      return "SELECT " + boundTo + ", " + String.join(", ", names) + " FROM " + name + isRow();
    }

    String change() {
      List<String> changes = cells.stream().map(cell -> cell.name + " = ?").toList();
      String first = cells.getFirst().name;
      return "UPDATE "
          + name
          + " SET "
          + String.join(", ", changes)
          + isRow()
          + " AND "
          + first
          + " = ?";
    }
  }

  private final ContentCipher cipher;
  private final List<Table> tables;

  /** How far the walk has come: the table, and its last row that was looked at. */
  public record Place(int table, Object @Nullable [] after) {
    public static final Place FIRST = new Place(0, null);
  }

  /** What a step has come to, and where to go on; null: nowhere. */
  public record Taken(Step step, @Nullable Place next) {}

  /**
   * @param saidId what the column is called that has the id of what was said in a session
   */
  public ReencryptionWalk(ContentCipher cipher, String saidId) {
    this.cipher = cipher;
    this.tables =
        List.of(
            new Table(
                "message",
                List.of("id"),
                "uid",
                List.of(
                    new Cell("content", Column.MESSAGE),
                    new Cell("plan", Column.PLAN),
                    new Cell("content_hash", Column.CONTENT_HASH))),
            new Table("inbound", List.of("id"), "uid", List.of(new Cell("content", Column.EVENT))),
            new Table(
                "mirrored",
                List.of("session", "at", saidId),
                saidId,
                List.of(new Cell("content", Column.MESSAGE))),
            new Table(
                "reminder", List.of("id"), "uid", List.of(new Cell("document", Column.REMINDER))),
            new Table(
                "run", List.of("id"), "reminder", List.of(new Cell("document", Column.REMINDER))),
            new Table(
                "reminder_target",
                List.of("reminder", "n"),
                TARGET,
                List.of(new Cell("content", Column.TARGET))),
            new Table(
                "run_target",
                List.of("run", "n"),
                TARGET,
                List.of(new Cell("content", Column.TARGET))),
            new Table(
                "memory",
                List.of("account", "chat", "key"),
                MEMORY,
                List.of(new Cell("value", Column.MEMORY))));
  }

  // ---- walking

  private List<Row> page(JdbcSession session, Place from) throws SQLException {
    Table table = tables.get(from.table);
    Object[] after = from.after;
    return after == null
        ? session.all(table.page(true), row -> row(table, row))
        : session.all(table.page(false), row -> row(table, row), after);
  }

  private @Nullable Place following(Place from, List<Row> page) {
    if (page.size() == PAGE) {
      return new Place(from.table, page.getLast().key);
    }
    return from.table + 1 == tables.size() ? null : new Place(from.table + 1, null);
  }

  /** Counts contents by the key they are under; null stands for none. */
  public Optional<Place> count(JdbcSession session, Place from, Map<@Nullable Integer, Long> counts)
      throws SQLException {
    List<Row> page = page(session, from);
    page.forEach(row -> row.keys.forEach(key -> counts.merge(key.orElse(null), 1L, Long::sum)));
    return Optional.ofNullable(following(from, page));
  }

  /**
   * Takes the next page. To be called with a session that writes; what is undone can be taken
   * again.
   */
  public Taken next(JdbcSession session, SqlReader reader, Place from) throws SQLException {
    List<Row> page = page(session, from);
    Optional<Integer> wanted = Optional.ofNullable(cipher.first());
    long changed = 0;
    long unreadable = 0;
    for (Row row : page) {
      boolean due = row.keys.stream().anyMatch(key -> !key.equals(wanted));
      try {
        changed += due && change(session, reader, tables.get(from.table), row.key) ? 1 : 0;
      } catch (UnreadableContent e) {
        unreadable++;
      }
    }
    Place next = following(from, page);
    return new Taken(new Step(page.size(), changed, unreadable, next == null), next);
  }

  /**
   * @param keys those that its contents are under
   */
  private record Row(Object[] key, List<Optional<Integer>> keys) {}

  private static Row row(Table table, ResultSet row) throws SQLException {
    int width = table.key.size();
    Object[] key = new Object[width];
    for (int i = 0; i < width; i++) {
      key[i] = row.getObject(i + 1);
    }
    List<Optional<Integer>> keys = new ArrayList<>();
    for (int i = 0; i < table.cells.size(); i++) {
      byte[] beginning = row.getBytes(width + 1 + i);
      if (beginning != null) {
        Column column = table.cells.get(i).column;
        keys.add(Optional.ofNullable(ContentCipher.keyOf(column, beginning)));
      }
    }
    return new Row(key, keys);
  }

  private boolean change(JdbcSession session, SqlReader reader, Table table, Object[] key)
      throws SQLException {
    List<@Nullable Object> values =
        session.one(table.row(), row -> changed(reader, table, row), key);
    if (values == null) {
      return false; // gone meanwhile
    }
    Object old = values.removeLast();
    Collections.addAll(values, key);
    values.add(old);
    return session.update(table.change(), values.toArray()) > 0;
  }

  /** The contents as they shall be, and the first as it is. */
  private List<@Nullable Object> changed(SqlReader reader, Table table, ResultSet row)
      throws SQLException {
    byte[] bound =
        switch (table.boundTo) {
          case TARGET -> TargetCodec.row(reader.account(row.getInt(1)), row.getString(2));
          case MEMORY -> MemoryRow.row(reader.account(row.getInt(1)), row.getString(2));
          default -> ContentCipher.bytes(reader.id(row, 1));
        };
    int first = table.boundTo.contains(",") ? 3 : 2;
    List<@Nullable Object> values = new ArrayList<>();
    for (int i = 0; i < table.cells.size(); i++) {
      Column column = table.cells.get(i).column;
      byte[] stored = row.getBytes(first + i);
      values.add(
          stored == null ? null : cipher.seal(column, bound, cipher.open(column, bound, stored)));
    }
    values.add(row.getBytes(first));
    return values;
  }
}
