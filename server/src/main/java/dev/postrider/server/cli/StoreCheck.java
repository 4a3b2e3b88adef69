package dev.postrider.server.cli;

import dev.postrider.server.cli.Doctor.Finding;
import dev.postrider.server.config.ServerConfig;
import dev.postrider.server.config.Sizes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** Looks at the place where messages live, without opening the store: a server may have it open. */
final class StoreCheck {
  private static final String SQLITE = "sqlite:";
  private static final long LITTLE_SPACE = 1L << 30;
  private static final Instant BEFORE_US = Instant.parse("2025-01-01T00:00:00Z");

  private final String url;

  StoreCheck(ServerConfig config) {
    url = config.postrider().store();
  }

  void run(List<Finding> findings) {
    try {
      if (url.startsWith(SQLITE)) {
        Path file = Path.of(url.substring(SQLITE.length())).toAbsolutePath();
        place(file, findings);
        clock(Files.exists(file) ? file : null, findings);
      } else {
        database(findings);
      }
    } catch (IOException e) {
      findings.add(new Finding("store", false, "Cannot be looked at: " + e.getMessage()));
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
              ? new Finding(
                  "store", false, "It is a standby and cannot be written; name the primary.")
              : new Finding("store", true, "PostgreSQL " + version + " answers."));
      Duration ahead = Duration.between(before, row.getObject(1, OffsetDateTime.class).toInstant());
      findings.add(
          new Finding(
              "clock",
              true,
              ahead.abs().toSeconds() < 2
                  ? "It agrees with the database's."
                  : "It differs from the database's by "
                      + ahead.toSeconds()
                      + " s; the database's decides."));
    } catch (SQLException e) {
      findings.add(
          new Finding(
              "store",
              false,
              "The database does not let us in: "
                  + e.getMessage()
                  + ". Check the address, the user and the password in 'store'."));
    }
  }

  private static Properties patient() {
    Properties properties = new Properties();
    properties.setProperty("connectTimeout", "5");
    properties.setProperty("socketTimeout", "5");
    return properties;
  }

  private static void place(Path file, List<Finding> findings) throws IOException {
    @Nullable Path existing = file.getParent();
    while (existing != null && !Files.exists(existing)) {
      existing = existing.getParent();
    }
    if (existing == null || !Files.isDirectory(existing)) {
      findings.add(
          new Finding(
              "store",
              false,
              existing + " is not a directory; choose another place for the store."));
      return;
    }
    boolean there = Files.exists(file);
    boolean writable = Files.isWritable(existing) && (!there || Files.isWritable(file));
    findings.add(
        writable
            ? new Finding(
                "store",
                true,
                there
                    ? file + " (" + Sizes.format(Files.size(file)) + ") can be written."
                    : file + " will be made by the first start.")
            : new Finding(
                "store",
                false,
                file + " cannot be written; give the user who runs the server write access."));
    long free = Files.getFileStore(existing).getUsableSpace();
    findings.add(
        new Finding(
            "disk",
            free >= LITTLE_SPACE,
            free >= LITTLE_SPACE
                ? Sizes.format(free) + " free."
                : "Only " + Sizes.format(free) + " free; make room, or messages will be refused."));
  }

  private static void clock(@Nullable Path file, List<Finding> findings) throws IOException {
    Instant now = Instant.now();
    if (now.isBefore(BEFORE_US)) {
      findings.add(new Finding("clock", false, "It says " + now + "; set the clock."));
    } else if (file != null
        && Files.getLastModifiedTime(file).toInstant().isAfter(now.plus(Duration.ofMinutes(1)))) {
      findings.add(
          new Finding(
              "clock",
              false,
              ("It says %s, but the store was written at %s; the clock was set back."
                      + " Messages would be sent late.")
                  .formatted(now, Files.getLastModifiedTime(file).toInstant())));
    } else {
      findings.add(new Finding("clock", true, "It says " + now + "."));
    }
  }
}
