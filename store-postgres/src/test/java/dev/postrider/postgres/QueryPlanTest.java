package dev.postrider.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.config.ClusterSettings;
import dev.postrider.jdbc.Session;
import dev.postrider.testkit.postgres.PostgresServer;
import dev.postrider.time.SystemScheduler;
import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every statement walks the indexes that its comment names: its cost grows neither with the backlog
 * nor with history. Plans are generic, as the writer's connection has them: none depends on what
 * the tables hold at the moment.
 */
class QueryPlanTest {
  /** Tables that hold a row per message. */
  private static final Pattern SCAN =
      Pattern.compile("Seq Scan on (message|queue|ended|history)\\b");

  /** Sorts of a handful of rows that were found by an index. */
  private static final Set<String> MAY_SORT =
      Set.of("LANES", "SCHEDULED", "NODES", "HOLDINGS", "DEPTHS", "BEGIN", "HISTORY");

  private static String url = "";

  @BeforeAll
  static void makeTables() {
    url = PostgresServer.shared().newSchema();
    SystemScheduler time = new SystemScheduler();
    new PostgresStoreProvider().open(url, ClusterSettings.of("plans"), time).close();
    time.close();
  }

  @AfterAll
  static void dropTables() {
    PostgresServer.shared().drop(url);
  }

  static Stream<Field> statements() {
    return Stream.of(Sql.class.getDeclaredFields())
        .filter(
            field ->
                field.getType() == String.class
                    && !Modifier.isPrivate(field.getModifiers())
                    && !field.getName().equals("NOW"));
  }

  @ParameterizedTest
  @MethodSource("statements")
  void a_statement_walks_its_indexes(Field statement) throws Exception {
    String name = statement.getName();
    String plan = plan((String) statement.get(null));

    assertThat(SCAN.matcher(plan).results().count()).as(plan).isZero();
    for (String index : indexesNamed(name)) {
      assertThat(plan).contains(index);
    }
    if (!MAY_SORT.contains(name)) {
      assertThat(plan).doesNotContain("Sort Key");
    }
  }

  /** The indexes that the comment of a statement names. */
  private static Set<String> indexesNamed(String statement) throws IOException, SQLException {
    String source = Files.readString(Path.of("src/main/java/dev/postrider/postgres/Sql.java"));
    Matcher matcher =
        Pattern.compile("((?:  // [^\n]*\n)+)  static final String (\\w+)").matcher(source);
    Map<String, String> comments = new HashMap<>();
    while (matcher.find()) {
      comments.put(matcher.group(2), matcher.group(1));
    }
    assertThat(comments).hasSizeGreaterThan(40);
    Set<String> named = new TreeSet<>();
    try (Connection connection = DriverManager.getConnection(url)) {
      for (String index :
          new Session(connection)
              .all(
                  "SELECT indexname FROM pg_indexes WHERE schemaname = current_schema()",
                  row -> row.getString(1))) {
        if (comments.getOrDefault(statement, "").matches("(?s).*\\b" + index + "\\b.*")) {
          named.add(index);
        }
      }
    }
    return named;
  }

  private static String plan(String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url)) {
      Session session = new Session(connection);
      session.execute(Transactions.SETTINGS);
      List<String> parameters = new ArrayList<>();
      StringBuilder numbered = new StringBuilder();
      for (char c : sql.toCharArray()) {
        if (c == '?') {
          parameters.add("NULL");
          numbered.append('$').append(parameters.size());
        } else {
          numbered.append(c);
        }
      }
      session.execute("PREPARE planned AS " + numbered);
      String arguments = parameters.isEmpty() ? "" : "(" + String.join(", ", parameters) + ")";
      return String.join(
          "\n", session.all("EXPLAIN EXECUTE planned" + arguments, row -> row.getString(1)));
    }
  }
}
