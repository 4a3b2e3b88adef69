package dev.postrider.jdbc.export;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postrider.jdbc.encryption.ContentCipher.Column;
import dev.postrider.jdbc.message.Fingerprint;
import dev.postrider.jdbc.message.MemoryRow;
import dev.postrider.jdbc.message.MessageCodec;
import dev.postrider.jdbc.reminder.TargetCodec;
import dev.postrider.jdbc.session.Values;
import dev.postrider.message.MessageId;
import dev.postrider.message.Priority;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.LocalDate;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A field of an exported line.
 *
 * @param select the expression that reads its column; empty: nothing reads it
 * @param insert the expression that writes its column
 */
record ExportField(String name, String column, String select, String insert, Type type) {

  /**
   * How a value is read from a row, and made a parameter again.
   *
   * @param always whether there is a parameter even if the line has no such field
   */
  record Type(Out out, In in, boolean always) {
    Type(Out out, In in) {
      this(out, in, false);
    }
  }

  /** Gives text, a number, true, JSON or texts; null if the line is to have no such field. */
  @FunctionalInterface
  interface Out {
    @Nullable Object of(SqlExport store, ResultSet row, String column, Map<String, Object> line)
        throws SQLException;
  }

  /** Gives a parameter; an absent field is false. */
  @FunctionalInterface
  interface In {
    @Nullable Object of(SqlExport store, Object field, Map<String, Object> line);
  }

  /** JSON that is passed on exactly as it is written. */
  record Json(String text) {
    byte[] bytes() {
      return text.getBytes(UTF_8);
    }
  }

  /** An account by its name; becomes its number. */
  record Account(String name) {}

  /** Fields such as {@code keepUntil=look_at:instant}: name, column if another, type if no text. */
  static List<ExportField> parse(String table, String fields) {
    return Stream.of(fields.strip().split("\\s+")).map(field -> one(table, field)).toList();
  }

  private static ExportField one(String table, String field) {
    String[] typed = field.split(":");
    String[] named = typed[0].split("=");
    String column =
        named.length > 1
            ? named[1]
            : named[0].replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
    String type = typed.length > 1 ? typed[1] : "text";
    String select = column;
    String insert = ":" + column;
    switch (type) {
      case "max" -> select = "coalesce(max(%s), 0) AS %s".formatted(column, column);
      case "sum" -> select = "sum(%s) AS %s".formatted(column, column);
      case "zero" -> insert = "0";
      case "parent" -> insert = "p.id";
      case "imported" -> insert = "'imported'";
      case "messageRow" -> {
        select =
            "(SELECT m.uid FROM message m WHERE m.id = %s.message) AS message".formatted(table);
        insert = "(SELECT m.id FROM message m WHERE m.uid = :message)";
      }
      default -> {}
    }
    if (type.equals("parent") || type.equals("imported")) {
      select = "";
    }
    return new ExportField(named[0], column, select, insert, type(type));
  }

  private static Type type(String name) {
    return switch (name) {
      case "text" -> TEXT;
      case "number", "max", "sum", "zero" -> new Type(ExportField::number, (_, field, _) -> field);
      case "flag" ->
          new Type(
              (_, row, column, _) -> row.getBoolean(column) ? true : null,
              (store, field, _) -> store.flag((Boolean) field),
              true);
      case "id", "parent", "messageRow" -> ID;
      case "account" ->
          new Type(
              (store, row, column, _) -> store.accountName(row.getInt(column)),
              (_, _, line) -> new Account(required(line, "account")),
              true);
      case "instant" -> INSTANT;
      case "day" ->
          new Type(
              (_, row, column, _) -> LocalDate.ofEpochDay(row.getLong(column)).toString(),
              (_, field, _) -> LocalDate.parse((String) field).toEpochDay());
      case "json" -> json((_, _, stored) -> stored, (_, _, given) -> given);
      case "content" -> content(Column.MESSAGE);
      case "plan" -> content(Column.PLAN);
      case "arrival" -> content(Column.EVENT);
      case "hash" -> HASH;
      case "document" -> DOCUMENT;
      case "target" -> TARGET;
      case "memory" -> MEMORY;
      case "messages" -> MESSAGES;
      case "fingerprint" ->
          new Type(
              (_, _, _, _) -> null,
              (store, _, line) -> store.id(Fingerprint.of(required(line, "receipt"))),
              true);
      case "imported" -> new Type((_, _, _, _) -> null, (_, _, _) -> null);
      case "status" -> word(Values.STATUSES);
      case "priority" -> word(Priority.values());
      case "inboundStatus" -> word(Values.INBOUND_STATUSES);
      case "turn" -> word(Values.TURN_STATES);
      case "state" -> word(Values.STATES);
      case "runStatus" -> word(Values.RUN_STATUSES);
      case "targetStatus" -> word(Values.TARGET_STATUSES);
      default -> throw new IllegalArgumentException(name);
    };
  }

  static String required(Map<String, Object> line, String name) {
    Object value = line.get(name);
    if (value == null) {
      throw new IllegalArgumentException("'" + name + "' is missing");
    }
    return (String) value;
  }

  private static @Nullable Long number(
      SqlExport store, ResultSet row, String column, Map<String, Object> line) throws SQLException {
    long number = row.getLong(column);
    return row.wasNull() ? null : Long.valueOf(number);
  }

  private static final Type TEXT =
      new Type(
          (_, row, column, _) -> {
            String text = row.getString(column);
            return text == null ? null : text.replace('\0', '\uFFFD'); // not every store has it
          },
          (store, field, _) -> store.text((String) field));

  private static final Type ID =
      new Type(
          (store, row, column, _) -> {
            UUID id = store.id(row, column);
            return id == null ? null : id.toString();
          },
          (store, field, _) -> store.id(UUID.fromString((String) field)));

  private static final Type INSTANT =
      new Type(
          (store, row, column, line) -> {
            Long micros = number(store, row, column, line);
            return micros == null ? null : Values.instant(micros).toString();
          },
          (_, field, _) -> Values.micros(Instant.parse((String) field)));

  /** One of several words, stored as its place among them. */
  private static Type word(Enum<?>[] words) {
    List<String> labels =
        Stream.of(words).map(word -> word.name().toLowerCase(Locale.ROOT)).toList();
    return new Type(
        (store, row, column, line) -> {
          Long stored = number(store, row, column, line);
          return stored == null ? null : labels.get(stored.intValue());
        },
        (_, field, _) -> {
          if (!labels.contains(field)) {
            throw new IllegalArgumentException("'" + field + "' is none of " + labels);
          }
          return (long) labels.indexOf(field);
        });
  }

  // ---- bytes, most of them encrypted

  /** From stored bytes to those that stand in the line, or back. */
  @FunctionalInterface
  private interface Bytes {
    byte[] of(SqlExport store, Map<String, Object> line, byte[] bytes);
  }

  /** Something whose stored form is bytes. */
  private static Type bytes(
      Bytes open, Bytes seal, Function<byte[], Object> out, Function<Object, byte[]> in) {
    return new Type(
        (store, row, column, line) -> {
          byte[] stored = row.getBytes(column);
          return stored == null ? null : out.apply(open.of(store, line, stored));
        },
        (store, field, line) -> seal.of(store, line, in.apply(field)));
  }

  private static Type json(Bytes open, Bytes seal) {
    return bytes(
        open, seal, bytes -> new Json(new String(bytes, UTF_8)), field -> ((Json) field).bytes());
  }

  /** What contents are bound to: the id, or of a run that of its reminder. */
  private static UUID boundTo(Map<String, Object> line) {
    return UUID.fromString(required(line, line.containsKey("reminder") ? "reminder" : "id"));
  }

  private static Bytes opening(Column as) {
    return (store, line, stored) -> store.cipher().open(as, boundTo(line), stored);
  }

  private static Bytes sealing(Column as) {
    return (store, line, content) -> store.cipher().seal(as, boundTo(line), content);
  }

  private static Type content(Column as) {
    return json(opening(as), sealing(as));
  }

  private static final Type HASH =
      bytes(
          opening(Column.CONTENT_HASH),
          sealing(Column.CONTENT_HASH),
          HexFormat.of()::formatHex,
          field -> HexFormat.of().parseHex((String) field));

  private static final Type DOCUMENT =
      bytes(
          opening(Column.REMINDER),
          sealing(Column.REMINDER),
          bytes -> new String(bytes, UTF_8),
          field -> ((String) field).getBytes(UTF_8));

  /** What a target is called, and its variables: bound to its account and chat. */
  private static final Type TARGET =
      json(
          (store, line, stored) -> store.cipher().open(Column.TARGET, target(store, line), stored),
          (store, line, given) -> store.cipher().seal(Column.TARGET, target(store, line), given));

  private static byte[] target(SqlExport store, Map<String, Object> line) {
    return TargetCodec.row(required(line, "account"), store.text(required(line, "chat")));
  }

  private static final Type MEMORY =
      new Type(
          (store, row, column, line) ->
              MemoryRow.open(
                  store.cipher(),
                  required(line, "account"),
                  required(line, "key"),
                  row.getBytes(column)),
          (store, field, line) ->
              MemoryRow.seal(
                  store.cipher(),
                  required(line, "account"),
                  required(line, "key"),
                  (String) field));

  private static final Type MESSAGES =
      new Type(
          (_, row, column, _) -> {
            byte[] stored = row.getBytes(column);
            return stored == null
                ? null
                : TargetCodec.messages(stored).stream().map(MessageId::toString).toList();
          },
          (_, field, _) ->
              TargetCodec.messages(
                  Stream.of(MessageCodec.JSON.readValue(((Json) field).text, String[].class))
                      .map(MessageId::parse)
                      .toList()));
}
