package dev.postrider.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.postgres.connection.Migrations;
import dev.postrider.testkit.engine.World;
import dev.postrider.testkit.internal.formats.KeptFormat;
import dev.postrider.testkit.internal.formats.OldStore;
import dev.postrider.testkit.internal.postgres.PostgresServer;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Stores as earlier versions left them, and what those said of them: {@code dev/store-fixture}. */
class OldFormatsTest {
  /**
   * Columns, indexes and constraints, by name; what was added later stands at the end of its table.
   */
  private static final String SCHEMA =
      """
      SELECT table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable || ' '
        || coalesce(column_default, '') || ' ' || coalesce(collation_name, '')
      FROM information_schema.columns
      WHERE table_schema = current_schema()
      UNION ALL
      SELECT replace(indexdef, current_schema() || '.', '')
      FROM pg_indexes
      WHERE schemaname = current_schema()
      ORDER BY 1""";

  private final PostgresServer server = PostgresServer.shared();
  private final String database = "old_" + ProcessHandle.current().pid();
  private final String url = server.url().replace("/postgres?", "/" + database + "?");

  static List<KeptFormat> formats() throws IOException {
    return KeptFormat.all(Path.of("src/test/resources/formats"));
  }

  @BeforeEach
  void make() {
    server.execute("CREATE DATABASE " + database);
  }

  @AfterEach
  void drop() {
    server.execute("DROP DATABASE " + database + " WITH (FORCE)");
  }

  private void load(KeptFormat format) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute(format.script());
      statement.execute("UPDATE public.node SET expires = 0"); // whatever the clock says here
    }
  }

  @ParameterizedTest
  @MethodSource("formats")
  void a_store_of_an_earlier_version_says_what_that_version_said_and_delivers(KeptFormat format)
      throws Exception {
    load(format);

    OldStore.check(format, time -> VirtualStores.open(url, World.ALONE, time));
  }

  @ParameterizedTest
  @MethodSource("formats")
  void it_has_the_tables_and_indexes_of_a_new_one_afterwards(KeptFormat format) throws Exception {
    load(format);
    String fresh = server.newSchema();
    OldStore.open(time -> VirtualStores.open(url, World.ALONE, time));
    OldStore.open(time -> VirtualStores.open(fresh, World.ALONE, time));

    assertThat(schema(url)).isEqualTo(schema(fresh));
    server.drop(fresh);
  }

  private static List<String> schema(String of) throws SQLException {
    try (Connection connection = DriverManager.getConnection(of);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(SCHEMA)) {
      List<String> schema = new ArrayList<>();
      while (rows.next()) {
        schema.add(rows.getString(1));
      }
      return schema;
    }
  }

  @Test
  void the_first_format_is_kept_and_once_there_is_a_release_the_newest_one() throws Exception {
    assertThat(formats()).extracting(KeptFormat::number).contains(1);
    if (KeptFormat.anyRelease(Path.of("../CHANGELOG.md"))) {
      assertThat(formats())
          .as("make it with dev/store-fixture")
          .extracting(KeptFormat::number)
          .contains(Migrations.OURS.latest());
    }
  }
}
