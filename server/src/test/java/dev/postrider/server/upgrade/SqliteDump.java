package dev.postrider.server.upgrade;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Collectors;

/** A SQLite database as statements that make it again. */
final class SqliteDump {
  private SqliteDump() {}

  static String of(Connection connection, int format) throws SQLException {
    StringBuilder script = new StringBuilder();
    List<String> tables =
        StoreFixtures.texts(
            connection,
            "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
                + " ORDER BY name");
    schema(script, connection, "table");
    for (String table : tables) {
      rows(script, connection, table);
    }
    if (!StoreFixtures.texts(
            connection, "SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_sequence'")
        .isEmpty()) {
      script.append("DELETE FROM sqlite_sequence;\n");
      rows(script, connection, "sqlite_sequence");
    }
    schema(script, connection, "index");
    return script.append("PRAGMA user_version = ").append(format).append(";\n").toString();
  }

  private static void schema(StringBuilder script, Connection connection, String type)
      throws SQLException {
    String sql =
        "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%%'"
            + " AND type = '%s' ORDER BY name";
    for (String one : StoreFixtures.texts(connection, sql.formatted(type))) {
      script.append(one).append(";\n");
    }
  }

  private static void rows(StringBuilder script, Connection connection, String table)
      throws SQLException {
    String columns =
        StoreFixtures.texts(connection, "SELECT name FROM pragma_table_info('" + table + "')")
            .stream()
            .map("quote(\"%s\")"::formatted)
            .collect(Collectors.joining(" || ', ' || "));
    for (String row : StoreFixtures.texts(connection, "SELECT " + columns + " FROM " + table)) {
      script.append("INSERT INTO ").append(table).append(" VALUES (").append(row).append(");\n");
    }
  }
}
