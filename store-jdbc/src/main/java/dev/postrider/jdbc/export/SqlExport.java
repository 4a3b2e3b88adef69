package dev.postrider.jdbc.export;

import dev.postrider.jdbc.encryption.ContentCipher;
import dev.postrider.jdbc.encryption.ContentCipher.UnreadableContent;
import dev.postrider.jdbc.export.ExportField.Account;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.jdbc.session.Values;
import dev.postrider.store.ImportReceipt;
import dev.postrider.store.ImportedEntry;
import dev.postrider.store.StoreExport;
import dev.postrider.store.failure.StoreRefused;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;

/**
 * The export of a store on a database. {@link ExportSection} has the fields of each kind of line,
 * {@link ExportStatements} makes the statements; the store adds those that differ, and says how it
 * represents values.
 */
public abstract class SqlExport implements StoreExport {
  private static final String BETWEEN = "\0"; // below every character of a key

  /**
   * Adds something, with the values of a line as its parameters.
   *
   * @param each the list for each of whose items it runs; null: it runs once
   */
  public record Insert(String sql, @Nullable String each) {
    public static Insert once(String sql) {
      return new Insert(sql, null);
    }

    public static Insert each(String list, String sql) {
      return new Insert(sql, list);
    }
  }

  /**
   * Statements of a store's own.
   *
   * @param select up to the condition about the key, or the number {@code m.id} of the row; null:
   *     the usual
   * @param insert adds the row, or nothing
   * @param then follow if the row was added
   */
  public record Own(@Nullable String select, String insert, List<String> then) {}

  /** Something to do with the database. */
  @FunctionalInterface
  public interface Work<T> {
    T run(JdbcSession session) throws SQLException;
  }

  private final ContentCipher cipher;
  private final Map<Kind, ExportStatements> statements = new EnumMap<>(Kind.class);

  protected SqlExport(ContentCipher cipher) {
    this.cipher = cipher;
  }

  final ContentCipher cipher() {
    return cipher;
  }

  /** For tests of query plans. */
  public final ExportStatements statements(Kind kind) {
    return statements.computeIfAbsent(kind, one -> ExportStatements.of(one, this));
  }

  // ---- what differs from store to store

  protected abstract <T> T read(Work<T> work);

  /** In one transaction. */
  protected abstract <T> T write(Work<T> work);

  protected abstract @Nullable Own own(Kind kind);

  /** What this store calls a column. */
  protected abstract String column(String table, String column);

  /** An expression that orders a column by the bytes of its texts. */
  protected abstract String byBytes(String column);

  protected abstract String accountName(int number) throws SQLException;

  /** The account's number, given to it now if it has none yet. */
  protected abstract int accountNumber(JdbcSession session, String name) throws SQLException;

  protected abstract Object id(UUID id);

  protected abstract @Nullable UUID id(ResultSet row, String column) throws SQLException;

  protected abstract Object flag(boolean flag);

  /** A text as it will be read again. */
  protected abstract String text(String text);

  /** Called inside the transaction with the values of the lines that were added. */
  protected abstract void added(JdbcSession session, Kind kind, List<Map<String, Object>> rows)
      throws SQLException;

  // ---- out

  @Override
  public final long messages() {
    return read(
        session -> {
          Long all = session.one(ExportStatements.COUNT_MESSAGES, row -> row.getLong(1));
          return all == null ? 0L : all;
        });
  }

  @Override
  public final Iterator<Line> lines(Kind kind, Order order) {
    return new Lines(kind, order);
  }

  /** Reads page after page, of one outer key after the other. */
  private final class Lines implements Iterator<Line> {
    private final Kind kind;
    private final ExportSection section;
    private final ExportStatements sql;
    private final boolean accepted;
    private final Iterator<Line> outer;
    private @Nullable Line within;
    private final Map<String, Object> after = new HashMap<>();
    private Iterator<Line> page = Collections.emptyIterator();
    private boolean more; // whether there may be another page within the same
    private @Nullable StoreRefused refused;

    Lines(Kind kind, Order order) {
      this.kind = kind;
      this.section = ExportSection.of(kind);
      this.sql = statements(kind);
      this.accepted = order == Order.ACCEPTED && sql.accepted() != null;
      Kind around = section.within();
      this.outer = around == null ? Collections.emptyIterator() : lines(around, Order.KEY);
      if (around == null) {
        begin();
      }
    }

    private void begin() {
      more = true;
      after.put("limit", section.page());
      after.put(ExportStatements.ROW, 0L);
      for (String column : section.key()) {
        after.put(
            column,
            section.isId(column)
                ? id(new UUID(0, 0))
                : section.isNumber(column) ? Long.MIN_VALUE : "");
      }
    }

    @Override
    public boolean hasNext() {
      while (!page.hasNext()) {
        if (refused != null) {
          throw refused;
        }
        if (!more && !outer.hasNext()) {
          return false;
        }
        if (!more) {
          within = outer.next();
          begin();
        }
        List<Line> lines = read(this::page);
        more = !section.key().isEmpty() && lines.size() == section.page();
        page = lines.iterator();
      }
      return true;
    }

    @Override
    public Line next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      return page.next();
    }

    private List<Line> page(JdbcSession session) throws SQLException {
      if (within != null) {
        after.put(
            within.kind().label(),
            within.kind() == Kind.ACCOUNT
                ? accountNumber(session, within.key())
                : id(UUID.fromString(within.key())));
      }
      NamedSql select = accepted ? sql.inOrderOfAcceptance() : sql.select();
      return session.all(
          select.sql(), row -> refused == null ? line(session, row) : null, select.values(after));
    }

    private @Nullable Line line(JdbcSession session, ResultSet row) throws SQLException {
      Map<String, Object> fields = new LinkedHashMap<>();
      if (within != null && within.kind() != Kind.ACCOUNT) {
        fields.put(within.kind().label(), within.key());
      }
      try {
        readFields(section.fields(), row, fields);
      } catch (UnreadableContent e) {
        refused =
            new StoreRefused(
                "%s %s cannot be exported: %s; discard it once it is a dead letter"
                    .formatted(kind.label(), name(fields), e.why().because()));
        return null;
      }
      List<String> key = new ArrayList<>();
      if (within != null) {
        key.add(within.key());
      }
      for (String column : section.key()) {
        key.add(key(row, column));
      }
      if (accepted) {
        after.put(ExportStatements.ROW, row.getLong(ExportStatements.ROW));
      }
      readItems(session, row, fields);
      return new Line(
          kind, String.join(BETWEEN, key), name(fields), ExportJson.write(kind, fields));
    }

    /** The value of a column of the key, as text that sorts as it does; reading goes on there. */
    private String key(ResultSet row, String column) throws SQLException {
      if (section.isId(column)) {
        UUID id = Objects.requireNonNull(id(row, column));
        after.put(column, id(id));
        return id.toString();
      }
      if (section.isNumber(column)) {
        long number = row.getLong(column);
        after.put(column, number);
        return "%016x".formatted(number ^ Long.MIN_VALUE);
      }
      String text = row.getString(column);
      after.put(column, text);
      return text;
    }

    private String name(Map<String, Object> fields) {
      return section.called().stream()
          .map(field -> String.valueOf(fields.get(field)))
          .collect(Collectors.joining("/"));
    }

    private void readItems(JdbcSession session, ResultSet row, Map<String, Object> fields)
        throws SQLException {
      ExportSection.Items items = section.items();
      NamedSql select = sql.items();
      if (items != null && select != null && row.getBoolean(items.field())) {
        Map<String, Object> of = Map.of(ExportStatements.ROW, row.getLong(ExportStatements.ROW));
        fields.put(
            items.field(),
            session.all(
                select.sql(),
                item -> readFields(items.fields(), item, new LinkedHashMap<>()),
                select.values(of)));
      }
    }

    private Map<String, Object> readFields(
        List<ExportField> fields, ResultSet row, Map<String, Object> line) throws SQLException {
      for (ExportField field : fields) {
        Object value =
            field.select().isEmpty()
                ? null
                : field.type().out().of(SqlExport.this, row, field.column(), line);
        if (value != null) {
          line.put(field.name(), value);
        }
      }
      return line;
    }
  }

  // ---- in

  @Override
  public final int add(Kind kind, List<String> lines) {
    List<Map<String, Object>> rows = lines.stream().map(line -> values(kind, line)).toList();
    return rows.isEmpty() ? 0 : write(session -> checked(session, kind, rows));
  }

  @Override
  public final Optional<ImportReceipt> importReceipt(String name) {
    return read(
            session ->
                session.all(
                    ExportStatements.IMPORT_RECEIPT,
                    row ->
                        new ImportReceipt(
                            row.getString(1),
                            row.getLong(2),
                            row.getString(3),
                            Values.instant(row.getLong(4))),
                    name))
        .stream()
        .findFirst();
  }

  @Override
  public final int addImported(List<ImportedEntry> entries) {
    List<Map<String, Object>> receipts = new ArrayList<>();
    List<List<Map<String, Object>>> messages = new ArrayList<>();
    for (ImportedEntry entry : entries) {
      receipts.add(values(Kind.IMPORT_RECEIPT, ImportedLines.of(entry.receipt())));
      messages.add(
          entry.messages().stream()
              .map(message -> values(Kind.MESSAGE, ImportedLines.of(message)))
              .toList());
    }
    return entries.isEmpty() ? 0 : write(session -> addImported(session, receipts, messages));
  }

  private int addImported(
      JdbcSession session,
      List<Map<String, Object>> receipts,
      List<List<Map<String, Object>>> messages)
      throws SQLException {
    int[] counts = run(session, statements(Kind.IMPORT_RECEIPT).insert(), receipts);
    List<Map<String, Object>> fresh = new ArrayList<>();
    int stored = 0;
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] > 0) {
        stored++;
        fresh.addAll(messages.get(i));
      }
    }
    if (!fresh.isEmpty() && checked(session, Kind.MESSAGE, fresh) < fresh.size()) {
      throw new StoreRefused("a message has the id of one that is there");
    }
    return stored;
  }

  /** The database knows which fields a line must have; its words would tell contents. */
  private int checked(JdbcSession session, Kind kind, List<Map<String, Object>> rows)
      throws SQLException {
    try {
      return add(session, kind, rows);
    } catch (SQLException e) {
      boolean violates =
          String.valueOf(e.getSQLState()).startsWith("23") || (e.getErrorCode() & 0xff) == 19;
      if (!violates) {
        throw e;
      }
      throw new StoreRefused(
          ("a line of the kind %s is not what an export writes: a field is missing, or one names"
                  + " something that is not there")
              .formatted(kind.label()));
    }
  }

  private int add(JdbcSession session, Kind kind, List<Map<String, Object>> rows)
      throws SQLException {
    for (Map<String, Object> row : rows) {
      if (row.get("account") instanceof Account(String name)) {
        row.put("account", accountNumber(session, name));
      }
    }
    ExportStatements sql = statements(kind);
    int[] counts = run(session, sql.insert(), rows);
    List<Map<String, Object>> fresh = new ArrayList<>();
    for (int i = 0; i < counts.length; i++) {
      if (counts[i] > 0) {
        fresh.add(rows.get(i));
      }
    }
    for (ExportStatements.Then then : sql.then()) {
      run(session, then.sql(), then.each() == null ? fresh : each(fresh, then.each()));
    }
    added(session, kind, fresh);
    return fresh.size();
  }

  private static int[] run(JdbcSession session, NamedSql sql, List<Map<String, Object>> rows)
      throws SQLException {
    return session.updateAll(sql.sql(), rows, (_, row) -> sql.values(row));
  }

  /** The items in that list of every row, each with the values of its row. */
  private static List<Map<String, Object>> each(List<Map<String, Object>> rows, String list) {
    List<Map<String, Object>> all = new ArrayList<>();
    for (Map<String, Object> row : rows) {
      int n = 0;
      for (Object item : (List<?>) row.getOrDefault(list, List.of())) {
        Map<String, Object> values = new HashMap<>(row);
        ((Map<?, ?>) item).forEach((name, value) -> values.put((String) name, value));
        values.put("n", ++n);
        all.add(values);
      }
    }
    return all;
  }

  /** The parameters that a line gives, by column. */
  private Map<String, Object> values(Kind kind, String json) {
    try {
      ExportSection section = ExportSection.of(kind);
      Map<String, Object> line = ExportJson.read(json);
      if (!kind.label().equals(line.get(ExportJson.KIND))) {
        throw new IllegalArgumentException("it is not of the kind " + kind.label());
      }
      Map<String, Object> values = values(section.fields(), line);
      ExportSection.Items items = section.items();
      if (items != null) {
        values.put(
            items.field(),
            ExportJson.items(line.get(items.field())).stream()
                .map(item -> values(items.fields(), ExportJson.read(item)))
                .toList());
      }
      ExportDerived.add(kind, this, line, values);
      return values;
    } catch (IllegalArgumentException
        | ClassCastException
        | DateTimeException
        | JacksonException e) {
      throw new StoreRefused("a line is not what an export writes: " + e.getMessage());
    }
  }

  private Map<String, Object> values(List<ExportField> fields, Map<String, Object> line) {
    Map<String, Object> values = new HashMap<>();
    for (ExportField field : fields) {
      Object given = line.get(field.name());
      Object value =
          given == null && !field.type().always()
              ? null
              : field.type().in().of(this, given == null ? false : given, line);
      if (value != null) {
        values.put(field.column(), value);
      }
    }
    return values;
  }
}
