package dev.postrider.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** What this process and the database's processes have used of the processor; on Linux. */
final class Cpu {
  private static final double TICKS = 100; // per second, on every Linux there is

  /** How long a backend needs to end, and to be counted by its parent. */
  private static final Duration END = Duration.ofMillis(500);

  private final long postmaster;

  private Cpu(long postmaster) {
    this.postmaster = postmaster;
  }

  /** Used until now, in seconds. */
  record Used(double here, double database) {
    Used since(Used before) {
      return new Used(here - before.here, database - before.database);
    }
  }

  static Cpu of(String url) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet pid = statement.executeQuery("SELECT pg_backend_pid()")) {
      pid.next();
      return new Cpu(Long.parseLong(stat(pid.getLong(1)).get(1)));
    }
  }

  Used used() {
    LockSupport.parkNanos(END.toNanos());
    double database = ticks(postmaster, 4); // its own, and of children that have ended
    for (ProcessHandle child : ProcessHandle.of(postmaster).orElseThrow().children().toList()) {
      database += ticks(child.pid(), 2);
    }
    return new Used(ticks(ProcessHandle.current().pid(), 2) / TICKS, database / TICKS);
  }

  private static double ticks(long pid, int fields) {
    return stat(pid).stream().skip(11).limit(fields).mapToLong(Long::parseLong).sum();
  }

  /** The fields of a process behind its name, state first. */
  private static List<String> stat(long pid) {
    try {
      String line = Files.readString(Path.of("/proc/" + pid + "/stat"));
      return List.of(line.substring(line.lastIndexOf(')') + 2).split(" ", -1));
    } catch (IOException e) { // it has just ended; its parent counts it
      return List.of();
    }
  }
}
