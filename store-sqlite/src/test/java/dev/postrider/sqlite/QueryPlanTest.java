package dev.postrider.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.jdbc.SqlRestoration;
import dev.postrider.jdbc.encryption.ContentCipher;
import dev.postrider.jdbc.export.ExportStatements;
import dev.postrider.jdbc.export.NamedSql;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.sqlite.file.Accounts;
import dev.postrider.sqlite.file.Migrations;
import dev.postrider.sqlite.sql.InboundFileSql;
import dev.postrider.sqlite.sql.InboundSql;
import dev.postrider.sqlite.sql.ListSql;
import dev.postrider.sqlite.sql.MemorySql;
import dev.postrider.sqlite.sql.MessageSql;
import dev.postrider.sqlite.sql.ReminderSql;
import dev.postrider.sqlite.sql.RestoreSql;
import dev.postrider.sqlite.sql.RunSql;
import dev.postrider.sqlite.sql.TurnSql;
import dev.postrider.store.StoreExport.Kind;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.sqlite.SQLiteConfig;

/** Every statement walks an index: its cost grows neither with the backlog nor with history. */
class QueryPlanTest {
  /** Reads of tables that hold a handful of rows, and the count taken once at the start. */
  private static final List<String> MAY_SCAN =
      List.of(
          "ALL_ACCOUNTS",
          "PAUSED_LANES",
          "SENDING_ROWS",
          "SENDING_LANES",
          "DELETE_MINUTES",
          "LANES_BY_AGE",
          "COUNT",
          "COUNT_DUE",
          "COUNT_RECEIPT_STATUS", // what its own limit leaves
          "COUNT_REASONS", // of one run, when somebody looks at it
          "COUNT_PAUSED",
          "COUNT_DEAD",
          "DEAD_GROUPS",
          "COUNT_LATER",
          "ANY_BULK",
          "ANY_ALIAS",
          "ANY_PAUSE",
          "CHAT_ALIASES",
          "TOLD_ALIASES",
          "FILES", // of those that are asked for
          "LIST_LEASED_EVENTS",
          "PLACED", // what its own limit leaves
          "LOOSE",
          "ACTIVE_INBOUND",
          "LAST_RESTORE",
          "COUNT_ACTIVE", // once, at the end of a restoration
          "PAUSE_RUNS", // those that have not ended
          "FORGET_RETRIES");

  private static final List<String> TABLES =
      List.of(
          "blob_use",
          "receipt_retry",
          "inbound_note",
          "inbound_cursor",
          "reminder_target",
          "run_account",
          "run_target",
          "run_day");

  private static final List<Class<?>> SOURCES =
      List.of(
          MessageSql.class,
          ListSql.class,
          InboundSql.class,
          TurnSql.class,
          InboundFileSql.class,
          MemorySql.class,
          ReminderSql.class,
          RunSql.class,
          RestoreSql.class,
          SqlRestoration.class);

  static Stream<Field> statements() {
    return SOURCES.stream()
        .flatMap(source -> Stream.of(source.getDeclaredFields()))
        .filter(
            field -> field.getType() == String.class && !Modifier.isPrivate(field.getModifiers()));
  }

  @ParameterizedTest
  @MethodSource("statements")
  void a_statement_neither_scans_nor_sorts(Field statement) throws Exception {
    String sql = (String) statement.get(null);
    List<String> plan = plan(sql);
    String index = comments().get(statement.getName());
    if (index != null
        && index.matches(
            "(message|blob|upload|inbound|receipt|session|mirrored|follow|reminder|run|memory)"
                + "_\\w+")
        && !TABLES.contains(index)) {
      assertThat(plan).anyMatch(step -> step.contains(index));
    }
    if (MAY_SCAN.contains(statement.getName())) {
      return;
    }
    assertThat(plan).noneMatch(step -> step.startsWith("SCAN") && !step.contains("CONSTANT ROW"));
    assertThat(plan).noneMatch(step -> step.contains("TEMP B-TREE"));
  }

  static Stream<Named<NamedSql>> exports() {
    SqliteExport export = new SqliteExport(null, new Accounts(ContentCipher.OFF), null, null);
    return Stream.of(Kind.values())
        .flatMap(
            kind -> {
              ExportStatements all = export.statements(kind);
              return Stream.concat(
                      Stream.of(all.select(), all.insert()),
                      Stream.concat(
                          Stream.of(all.accepted(), all.items()).filter(Objects::nonNull),
                          all.then().stream().map(ExportStatements.Then::sql)))
                  .map(sql -> Named.of(kind.label(), sql));
            });
  }

  /**
   * But for what was sent on which day, which is little: that is ordered by day, not by account.
   */
  @ParameterizedTest
  @MethodSource("exports")
  void an_export_neither_scans_nor_sorts(NamedSql statement) throws SQLException {
    assertThat(plan(statement.sql()))
        .noneMatch(
            step ->
                step.startsWith("SCAN")
                    && !step.contains("CONSTANT ROW")
                    && !step.contains("run_day"))
        .noneMatch(step -> step.contains("TEMP B-TREE"));
  }

  /** The index each statement's comment names. */
  private static Map<String, String> comments() throws IOException {
    Map<String, String> named = new HashMap<>();
    for (Class<?> source : SOURCES) {
      String text = Files.readString(source(source));
      Matcher matcher =
          Pattern.compile("// (\\w+)[^\n]*\n  (?:public )?static final String (\\w+)")
              .matcher(text);
      while (matcher.find()) {
        named.put(matcher.group(2), matcher.group(1));
      }
    }
    assertThat(named).hasSizeGreaterThan(30);
    return named;
  }

  private static Path source(Class<?> statements) {
    String file = statements.getName().replace('.', '/') + ".java";
    Path own = Path.of("src/main/java", file);
    return Files.exists(own) ? own : Path.of("../store-jdbc/src/main/java", file);
  }

  private static List<String> plan(String sql) throws SQLException {
    try (var connection = new SQLiteConfig().createConnection("jdbc:sqlite::memory:")) {
      JdbcSession session = new JdbcSession(connection);
      Migrations.apply(session, "memory");
      List<String> steps = new ArrayList<>();
      try (var statement = connection.createStatement();
          var rows = statement.executeQuery("EXPLAIN QUERY PLAN " + sql)) {
        while (rows.next()) {
          steps.add(rows.getString("detail"));
        }
      }
      return steps;
    }
  }
}
