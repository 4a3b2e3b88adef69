package dev.postrider.jdbc.export;

import dev.postrider.jdbc.export.SqlExport.Insert;
import dev.postrider.jdbc.export.SqlExport.Own;
import dev.postrider.store.StoreExport.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The statements that read and write a kind of line. Reading goes on after the key of the last row,
 * along the index of that key; adding leaves what is there as it is.
 *
 * @param select rows in the order of their key
 * @param accepted rows in the order in which they were accepted; null: there is none
 * @param items what belongs to a row besides; null: nothing
 * @param insert adds a row, or nothing
 * @param then run for each row that was added
 */
public record ExportStatements(
    NamedSql select,
    @Nullable NamedSql accepted,
    @Nullable NamedSql items,
    NamedSql insert,
    List<Then> then) {
  /** The number of a row: rises as messages are accepted. */
  static final String ROW = "row_no";

  static final String COUNT_MESSAGES = "SELECT count(*) FROM message";

  // import_receipt's primary key
  public static final String IMPORT_RECEIPT =
      "SELECT name, size, hash, at FROM import_receipt WHERE name = ?";

  /** Something that follows, once or for each item of a list. */
  public record Then(NamedSql sql, @Nullable String each) {}

  NamedSql inOrderOfAcceptance() {
    return accepted == null ? select : accepted;
  }

  static ExportStatements of(Kind kind, SqlExport store) {
    ExportSection section = ExportSection.of(kind);
    @Nullable Own own = store.own(kind);
    @Nullable String whole = own == null ? null : own.select();
    List<Insert> then = new ArrayList<>();
    if (own != null) {
      own.then().forEach(sql -> then.add(Insert.once(sql)));
    }
    ExportSection.Items items = section.items();
    if (items != null) {
      then.add(Insert.each(items.field(), insertItem(section, items, store)));
    }
    then.addAll(ExportSection.then(kind));
    String select = whole == null ? select(section, store) : whole;
    return new ExportStatements(
        NamedSql.of(select + byKey(section, store)),
        items == null ? null : NamedSql.of(select + " m.id > :row_no ORDER BY m.id LIMIT :limit"),
        items == null ? null : NamedSql.of(selectItems(items, store)),
        NamedSql.of(own == null ? insert(kind, section, store) : own.insert()),
        then.stream().map(one -> new Then(NamedSql.of(one.sql()), one.each())).toList());
  }

  private static <T> String list(List<T> of, Function<T, String> text) {
    return of.stream().map(text).filter(one -> !one.isEmpty()).collect(Collectors.joining(", "));
  }

  /** Up to the condition about the key. */
  private static String select(ExportSection section, SqlExport store) {
    Kind within = section.within();
    String outer = "";
    if (within == Kind.ACCOUNT) {
      outer = " account = :account AND";
    } else if (within != null) {
      outer = " %1$s = (SELECT p.id FROM %1$s p WHERE p.uid = :%1$s) AND".formatted(within.label());
    }
    return "SELECT %s FROM %s WHERE%s"
        .formatted(
            list(section.fields(), field -> selected(field, section.table(), store)),
            section.table(),
            outer);
  }

  private static String byKey(ExportSection section, SqlExport store) {
    if (section.key().isEmpty()) {
      return " true LIMIT :limit";
    }
    String key = list(section.key(), column -> ordering(section, store, column));
    boolean sums = section.fields().stream().anyMatch(field -> field.select().startsWith("sum("));
    return " (%s) > (%s)%s ORDER BY %s LIMIT :limit"
        .formatted(
            key, list(section.key(), column -> ":" + column), sums ? " GROUP BY " + key : "", key);
  }

  private static String ordering(ExportSection section, SqlExport store, String column) {
    String own = store.column(section.table(), column);
    return section.isId(column) || section.isNumber(column) ? own : store.byBytes(own);
  }

  private static String selected(ExportField field, String table, SqlExport store) {
    String own = store.column(table, field.column());
    return own.equals(field.column()) ? field.select() : own + " AS " + field.column();
  }

  private static String insert(Kind kind, ExportSection section, SqlExport store) {
    return "INSERT INTO %s (%s) SELECT %s %s ON CONFLICT DO NOTHING"
        .formatted(
            section.table(),
            list(section.fields(), field -> store.column(section.table(), field.column())),
            list(section.fields(), ExportField::insert),
            ExportSection.from(kind));
  }

  private static String selectItems(ExportSection.Items items, SqlExport store) {
    return "SELECT %s FROM %s WHERE %s = :%s ORDER BY n"
        .formatted(
            list(items.fields(), ExportField::select),
            items.table(),
            store.column(items.table(), items.parent()),
            ROW);
  }

  private static String insertItem(
      ExportSection section, ExportSection.Items items, SqlExport store) {
    return "INSERT INTO %s (%s, n, %s) SELECT m.id, :n, %s FROM %s m WHERE m.uid = :uid"
        .formatted(
            items.table(),
            store.column(items.table(), items.parent()),
            list(items.fields(), ExportField::column),
            list(items.fields(), ExportField::insert),
            section.table());
  }
}
