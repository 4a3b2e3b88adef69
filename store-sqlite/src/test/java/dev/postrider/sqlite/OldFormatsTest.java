package dev.postrider.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.sqlite.file.Migrations;
import dev.postrider.testkit.internal.formats.KeptFormat;
import dev.postrider.testkit.internal.formats.OldStore;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Stores as earlier versions left them, and what those said of them: {@code dev/store-fixture}. */
class OldFormatsTest {
  @TempDir Path folder;

  static List<KeptFormat> formats() throws IOException {
    return KeptFormat.all(Path.of("src/test/resources/formats"));
  }

  private Path load(KeptFormat format) throws SQLException {
    Path file = folder.resolve(format + ".db");
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement()) {
      statement.executeUpdate("BEGIN;\n" + format.script() + "COMMIT;\n");
    }
    return file;
  }

  @ParameterizedTest
  @MethodSource("formats")
  void a_store_of_an_earlier_version_says_what_that_version_said_and_delivers(KeptFormat format)
      throws Exception {
    Path file = load(format);

    OldStore.check(format, time -> VirtualStores.open(file, time));
  }

  @ParameterizedTest
  @MethodSource("formats")
  void it_has_the_tables_and_indexes_of_a_new_one_afterwards(KeptFormat format) throws Exception {
    Path old = load(format);
    Path fresh = folder.resolve("fresh.db");
    for (Path file : List.of(old, fresh)) {
      OldStore.open(time -> VirtualStores.open(file, time));
    }

    assertThat(schema(old)).isEqualTo(schema(fresh));
  }

  private static List<String> schema(Path file) throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT sql FROM sqlite_schema ORDER BY name")) {
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
          .contains(Migrations.latest());
    }
  }
}
