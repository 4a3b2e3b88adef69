package dev.postrider.server.cli.doctor;

import dev.postrider.server.config.ServerConfig;
import dev.postrider.server.config.Sizes;
import dev.postrider.server.tls.Identity;
import dev.postrider.store.StoreProvider;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/** Looks at the place where messages live, without opening the store: a server may have it open. */
final class StoreCheck {
  private static final String SQLITE = "sqlite:";
  private static final long LITTLE_SPACE = 1L << 30;
  private static final Instant BEFORE_US = Instant.parse("2025-01-01T00:00:00Z");

  private static final int WRITES = 7;
  private static final double SLOW_MS = 50;

  private static final String ANY_FORMAT = "SELECT to_regclass('postrider_format') IS NOT NULL";

  /** Each format it has had, and the one that a server must know since. */
  private static final String FORMATS =
      """
      SELECT version, coalesce((to_jsonb(f) ->> 'oldest')::integer, 0)
      FROM postrider_format f
      ORDER BY version""";

  private final String url;

  StoreCheck(ServerConfig config) {
    url = config.postrider().store();
  }

  void run(List<Finding> findings) {
    try {
      if (url.startsWith(SQLITE)) {
        Path file = Path.of(url.substring(SQLITE.length())).toAbsolutePath();
        boolean there = Files.exists(file);
        if (place(file, findings) && there) {
          format(file, findings);
          privacy(file, findings);
        }
        clock(there ? file : null, findings);
      } else {
        database(findings);
      }
    } catch (IOException e) {
      findings.add(
          Finding.bad(
              "store", "It cannot be looked at: " + e.getMessage() + ".", "Look at the disk."));
    }
  }

  /** The format that this build writes. */
  private int ours() {
    return ServiceLoader.load(StoreProvider.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(provider -> provider.accepts(url))
        .mapToInt(StoreProvider::format)
        .findFirst()
        .orElse(0);
  }

  /** Whether this build reads what is in the store; others may work on it that know less. */
  private Finding format(int found, int oldest) {
    int ours = ours();
    if (oldest > ours) {
      return Finding.bad(
          "store",
          "A newer Postrider wrote it (format %d; this one knows %d).".formatted(found, ours),
          "Run the newer version, or use another store.");
    }
    if (found > ours) {
      return Finding.well(
          "store",
          "Its format is %d; this version knows %d, and may work beside newer ones."
              .formatted(found, ours));
    }
    return Finding.well(
        "store",
        found == ours
            ? "Its format is " + found + ", this version's own."
            : "Its format is %d; the next start brings it to %d.".formatted(found, ours));
  }

  private void format(Path file, List<Finding> findings) {
    try (Connection connection =
            DriverManager.getConnection("jdbc:sqlite:file:" + file + "?mode=ro");
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("PRAGMA user_version")) {
      int found = row.next() ? row.getInt(1) : 0;
      findings.add(format(found, found));
    } catch (SQLException e) {
      findings.add(
          Finding.bad(
              "store",
              file + " cannot be read: " + e.getMessage() + ".",
              "If it is damaged, bring back a copy, or move it away and start with an empty one."));
    }
  }

  private static void privacy(Path file, List<Finding> findings) {
    if (Identity.isOpenToOthers(file)) {
      findings.add(
          Finding.bad(
              "store",
              "Everybody on this machine can read " + file + ", and with it all messages.",
              "Run: chmod o-rwx %s*".formatted(file)));
    }
  }

  /** Connects as the server would, and compares clocks; changes nothing. */
  private void database(List<Finding> findings) {
    Instant before = Instant.now();
    try (Connection connection = DriverManager.getConnection(url, patient());
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT clock_timestamp(), pg_is_in_recovery()")) {
      row.next();
      String version = connection.getMetaData().getDatabaseProductVersion();
      boolean standby = row.getBoolean(2);
      findings.add(
          standby
              ? Finding.bad(
                  "store", "It is a standby and cannot be written.", "Name the primary in 'store'.")
              : Finding.well("store", "PostgreSQL " + version + " answers."));
      Duration ahead = Duration.between(before, row.getObject(1, OffsetDateTime.class).toInstant());
      findings.add(
          Finding.well(
              "clock",
              ahead.abs().toSeconds() < 2
                  ? "It agrees with the database's."
                  : "It differs from the database's by "
                      + ahead.toSeconds()
                      + " s; the database's decides."));
      databaseFormat(statement, findings);
    } catch (SQLException e) {
      findings.add(
          Finding.bad(
              "store",
              "The database does not let us in: " + e.getMessage() + ".",
              "Check the address, the user and the password in 'store'."));
    }
  }

  /** Nothing is said of a database that no server has used yet. */
  private void databaseFormat(Statement statement, List<Finding> findings) throws SQLException {
    int found = 0;
    int oldest = 0;
    try (ResultSet any = statement.executeQuery(ANY_FORMAT)) {
      if (!any.next() || !any.getBoolean(1)) {
        return;
      }
    }
    try (ResultSet row = statement.executeQuery(FORMATS)) {
      while (row.next()) {
        found = row.getInt(1);
        oldest = row.getInt(2) == 0 ? found : row.getInt(2);
      }
    }
    if (found > 0) {
      findings.add(format(found, oldest));
    }
  }

  private static Properties patient() {
    Properties properties = new Properties();
    properties.setProperty("connectTimeout", "5");
    properties.setProperty("socketTimeout", "5");
    return properties;
  }

  /** Looks at the place; false if there is no store to look at. */
  private static boolean place(Path file, List<Finding> findings) throws IOException {
    @Nullable Path existing = file.getParent();
    while (existing != null && !Files.exists(existing)) {
      existing = existing.getParent();
    }
    if (existing == null || !Files.isDirectory(existing)) {
      findings.add(
          Finding.bad(
              "store", existing + " is not a directory.", "Choose another place for the store."));
      return false;
    }
    boolean there = Files.exists(file);
    boolean writable = Files.isWritable(existing) && (!there || Files.isWritable(file));
    findings.add(
        writable
            ? Finding.well(
                "store",
                there
                    ? file + " (" + Sizes.format(Files.size(file)) + ") can be written."
                    : file + " will be made by the first start.")
            : Finding.bad(
                "store",
                file + " cannot be written.",
                "Give the user who runs the server write access."));
    long free = Files.getFileStore(existing).getUsableSpace();
    findings.add(
        free >= LITTLE_SPACE
            ? Finding.well("disk", Sizes.format(free) + " free.")
            : Finding.bad(
                "disk",
                "Only " + Sizes.format(free) + " free.",
                "Make room, or messages will be refused."));
    if (writable) {
      speed(existing, findings);
    }
    return true;
  }

  /** How long a write takes to reach the disk: no message is accepted faster. */
  private static void speed(Path directory, List<Finding> findings) throws IOException {
    Path scratch = Files.createTempFile(directory, "postrider-doctor-", ".tmp");
    try (FileChannel channel = FileChannel.open(scratch, StandardOpenOption.WRITE)) {
      List<Long> times = new ArrayList<>();
      for (int i = 0; i < WRITES; i++) {
        long began = System.nanoTime();
        channel.write(ByteBuffer.allocate(4096));
        channel.force(false);
        times.add((System.nanoTime() - began) / 1_000);
      }
      times.sort(null);
      double millis = times.get(WRITES / 2) / 1_000.0;
      String sentence = "A write takes %.1f ms to reach it.".formatted(millis);
      findings.add(
          millis <= SLOW_MS
              ? Finding.well("disk", sentence)
              : Finding.bad(
                  "disk",
                  sentence,
                  "Every message waits as long before it is accepted; put the store on a faster"
                      + " disk."));
    } finally {
      Files.deleteIfExists(scratch);
    }
  }

  private static void clock(@Nullable Path file, List<Finding> findings) throws IOException {
    Instant now = Instant.now();
    if (now.isBefore(BEFORE_US)) {
      findings.add(Finding.bad("clock", "It says " + now + ".", "Set the clock."));
    } else if (file != null
        && Files.getLastModifiedTime(file).toInstant().isAfter(now.plus(Duration.ofMinutes(1)))) {
      findings.add(
          Finding.bad(
              "clock",
              "It says %s, but the store was written at %s: it was set back."
                  .formatted(now, Files.getLastModifiedTime(file).toInstant()),
              "Set the clock, or messages are sent late."));
    } else {
      findings.add(Finding.well("clock", "It says " + now + "."));
    }
  }
}
