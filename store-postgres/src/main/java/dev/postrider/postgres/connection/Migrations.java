package dev.postrider.postgres.connection;

import dev.postrider.jdbc.session.BuildVersion;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.jdbc.session.NewerFormat;
import dev.postrider.postgres.sql.FormatSql;
import dev.postrider.store.failure.StoreRefused;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings a database up to date: numbered scripts, each applied once, all in one transaction. Nodes
 * that start together take turns.
 *
 * <p><b>Versions side by side.</b> Where servers of an earlier version live, only {@linkplain
 * Migration#compatible compatible} scripts are applied; one that is not makes the newcomer refuse
 * to start. The database says which format a server must know at least to work on it ({@code
 * oldest}). A server asks for that when it starts, with every sign of life, and whenever it opens
 * the connection that it writes on: so one that was frozen while an incompatible script ran, and
 * whose connections were ended for it, writes nothing when it wakes up.
 */
public final class Migrations {
  private static final Logger log = LoggerFactory.getLogger(Migrations.class);
  private static final int OLDEST_SERVER = 13;
  private static final long LOCK = 0x706f737472696465L; // "postride"

  /** From here on the database says which version wrote it, and which ones may work on it. */
  private static final int FIRST_WITH_BUILDS = 26;

  /** What this build knows. */
  public static final Migrations OURS =
      new Migrations(
          List.of(
              Migration.breaking("001-messages.sql"),
              Migration.breaking("002-media.sql"),
              Migration.breaking("003-inbound.sql"),
              Migration.breaking("004-desk.sql"),
              Migration.breaking("005-reminders.sql"),
              Migration.breaking("006-instances.sql"),
              Migration.breaking("007-chat-alias.sql"),
              Migration.breaking("008-paused-since.sql"),
              Migration.breaking("009-search.sql"),
              Migration.breaking("010-oldest-waiting.sql"),
              Migration.breaking("011-reports.sql"),
              Migration.breaking("012-paused-heads.sql"),
              Migration.breaking("013-audit.sql"),
              Migration.breaking("014-encryption.sql"),
              Migration.breaking("015-memory.sql"),
              Migration.breaking("016-run-reports.sql"),
              Migration.breaking("017-told-alias.sql"),
              Migration.breaking("018-receipt-retries.sql"),
              Migration.breaking("019-inbound-files.sql"),
              Migration.breaking("020-run-resumed.sql"),
              Migration.breaking("021-import-receipts.sql"),
              Migration.breaking("022-joined-sessions.sql"),
              Migration.compatible("023-permanent-failures.sql"),
              Migration.breaking("024-run-lists.sql"),
              Migration.compatible("025-restore.sql"),
              Migration.compatible("026-builds.sql")));

  private final List<Migration> steps;

  public Migrations(List<Migration> steps) {
    this.steps = List.copyOf(steps);
  }

  /** The format that this build writes, and the latest that it knows. */
  public int latest() {
    return steps.size();
  }

  public List<Migration> steps() {
    return steps;
  }

  /** What a build knew that ended at this format. */
  public Migrations upTo(int format) {
    return new Migrations(steps.subList(0, format));
  }

  /** The same, and one step more. */
  public Migrations and(Migration step) {
    List<Migration> more = new ArrayList<>(steps);
    more.add(step);
    return new Migrations(more);
  }

  /** Brings the database to the format of this build, or finds that it can work on it as it is. */
  public void apply(Connection connection, String shown) throws SQLException {
    int server = connection.getMetaData().getDatabaseMajorVersion();
    if (server < OLDEST_SERVER) {
      throw new StoreRefused(
          shown
              + " is PostgreSQL "
              + server
              + "; version "
              + OLDEST_SERVER
              + " or newer is needed");
    }
    connection.setAutoCommit(false);
    JdbcSession session = new JdbcSession(connection);
    session.execute("SELECT pg_advisory_xact_lock(" + LOCK + ")");
    session.execute("CREATE TABLE IF NOT EXISTS postrider_format (version integer NOT NULL)");
    Integer found = session.one(FormatSql.CURRENT, row -> row.getInt(1));
    int current = found == null ? 0 : found;
    if (current > latest()) {
      requireKnown(session, shown, current);
    } else if (current < latest()) {
      bringUp(session, shown, current);
    }
    connection.commit();
  }

  private void requireKnown(JdbcSession session, String shown, int current) throws SQLException {
    Integer oldest =
        current < FIRST_WITH_BUILDS
            ? null
            : session.one(FormatSql.OLDEST, row -> row.getObject(1, Integer.class));
    if (oldest == null || latest() < oldest) {
      String by =
          current < FIRST_WITH_BUILDS
              ? null
              : session.one(FormatSql.BUILD, row -> row.getString(1));
      throw NewerFormat.of(shown, by, current, latest());
    }
    log.info(
        "{} has format {}; this version knows {}, and may work on it beside newer ones",
        shown,
        current,
        latest());
  }

  private void bringUp(JdbcSession session, String shown, int current) throws SQLException {
    int needed = oldest(latest());
    if (current > 0 && needed > current) {
      requireNobodyOlder(session, shown, needed);
      session.all(FormatSql.END_NODES, _ -> null);
    }
    for (int next = current + 1; next <= latest(); next++) {
      session.execute(steps.get(next - 1).script().get());
      if (next < FIRST_WITH_BUILDS) {
        session.update(FormatSql.ADD_PLAIN, next);
      } else {
        session.update(FormatSql.ADD, next, oldest(next), BuildVersion.NAME);
      }
    }
  }

  /** The format that a server must know at least where the database has this one. */
  private int oldest(int format) {
    int oldest = format;
    while (oldest > 1 && steps.get(oldest - 1).compatible()) {
      oldest--;
    }
    return oldest;
  }

  private static void requireNobodyOlder(JdbcSession session, String shown, int needed)
      throws SQLException {
    List<String> living = session.all(FormatSql.LIVING_OLDER, row -> row.getString(1), needed);
    if (!living.isEmpty()) {
      throw new StoreRefused(
          ("servers of an earlier version work on %s, and this one (Postrider %s) changes it in"
                  + " a way that they would not understand: %s. Stop them first; one that was "
                  + "killed"
                  + " counts as living until its lease is over. Nothing was changed")
              .formatted(shown, BuildVersion.NAME, String.join(", ", living)));
    }
  }

  // ---- while it works

  /** Nobody brings the database to another format until this transaction has ended. */
  public static void holdFormat(JdbcSession session) throws SQLException {
    session.execute("SELECT pg_advisory_xact_lock_shared(" + LOCK + ")");
  }

  /**
   * Why a server that knows so much must not go on; null if it may.
   *
   * @param oldest what the database wants it to know; null: it does not say
   */
  public @Nullable String outdatedBy(@Nullable Integer oldest) {
    return oldest == null || oldest <= latest()
        ? null
        : ("a newer version of Postrider has changed the database in a way that this one (Postrider"
                + " %s, format %d) does not understand: format %d is needed. It stops; start"
                + " the newer version in its place")
            .formatted(BuildVersion.NAME, latest(), oldest);
  }

  /** Asks that on a connection that was just opened. */
  public @Nullable String outdated(JdbcSession session) throws SQLException {
    return outdatedBy(session.one(FormatSql.OLDEST, row -> row.getObject(1, Integer.class)));
  }
}
