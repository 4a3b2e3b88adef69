package dev.postrider.sqlite.file;

import dev.postrider.jdbc.session.BuildVersion;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.jdbc.session.NewerFormat;
import dev.postrider.store.failure.StoreRefused;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.List;

/** Brings a file up to date: numbered scripts, each applied once, in a transaction of its own. */
public final class Migrations {
  private static final List<String> SCRIPTS =
      List.of(
          "001-messages.sql",
          "002-media.sql",
          "003-inbound.sql",
          "004-desk.sql",
          "005-reminders.sql",
          "006-chat-alias.sql",
          "007-paused-since.sql",
          "008-search.sql",
          "009-oldest-waiting.sql",
          "010-paused-heads.sql",
          "011-audit.sql",
          "012-encryption.sql",
          "013-memory.sql",
          "014-run-reports.sql",
          "015-told-alias.sql",
          "016-receipt-retries.sql",
          "017-inbound-files.sql",
          "018-run-resumed.sql",
          "019-import-receipts.sql",
          "020-joined-sessions.sql",
          "021-permanent-failures.sql",
          "022-run-lists.sql",
          "023-restore.sql",
          "024-builds.sql");

  /** From here on the store says which version wrote it. */
  private static final int FIRST_WITH_BUILDS = 24;

  private static final String ADD_FORMAT =
      "INSERT INTO format (number, postrider, at) VALUES (?, ?, unixepoch() * 1000000)";
  private static final String SAYS_BUILD = "SELECT 1 FROM sqlite_schema WHERE name = 'format'";
  private static final String BUILD = "SELECT postrider FROM format ORDER BY number DESC LIMIT 1";

  private Migrations() {}

  public static int latest() {
    return SCRIPTS.size();
  }

  public static void apply(JdbcSession session, String path) throws SQLException {
    apply(session, path, latest());
  }

  /** Brings it to this version, as tests of later ones need it. */
  public static void apply(JdbcSession session, String path, int version) throws SQLException {
    Integer found = session.one("PRAGMA user_version", row -> row.getInt(1));
    int current = found == null ? 0 : found;
    if (current > latest()) {
      throw newer(session, path, current);
    }
    for (int next = current; next < version; next++) {
      session.execute("BEGIN IMMEDIATE");
      try {
        for (String statement : script(SCRIPTS.get(next)).split(";\\s*\n")) {
          if (!statement.isBlank()) {
            session.execute(statement);
          }
        }
        if (next + 1 >= FIRST_WITH_BUILDS) {
          session.update(ADD_FORMAT, next + 1, BuildVersion.NAME);
        }
        session.execute("PRAGMA user_version = " + (next + 1));
        session.execute("COMMIT");
      } catch (SQLException e) {
        session.execute("ROLLBACK");
        throw e;
      }
    }
  }

  /** What is told of a store that a newer version wrote. */
  public static StoreRefused newer(JdbcSession session, String path, int format)
      throws SQLException {
    boolean says = session.one(SAYS_BUILD, _ -> true) != null;
    String build = says ? session.one(BUILD, row -> row.getString(1)) : null;
    return NewerFormat.of(path, build, format, latest());
  }

  private static String script(String name) {
    try (InputStream in = Migrations.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("the build lacks " + name);
      }
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return text.replaceAll("(?m)--.*$", "");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
