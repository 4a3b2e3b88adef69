import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteDataSource;
import javax.sql.DataSource;

/** A pool for queues that take a data source; on SQLite every commit waits for the disk. */
final class Databases {
  private Databases() {}

  static DataSource open(String target, int connections) {
    HikariConfig config = new HikariConfig();
    if (isPostgres(target)) {
      config.setJdbcUrl(target);
      config.setMaximumPoolSize(connections);
    } else {
      SQLiteConfig sqlite = new SQLiteConfig();
      sqlite.setJournalMode(SQLiteConfig.JournalMode.WAL);
      sqlite.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
      sqlite.setBusyTimeout(60_000);
      sqlite.setTransactionMode(SQLiteConfig.TransactionMode.IMMEDIATE);
      SQLiteDataSource file = new SQLiteDataSource(sqlite);
      file.setUrl("jdbc:sqlite:" + target);
      config.setDataSource(file);
      config.setMaximumPoolSize(1); // several writers wait for each other for seconds
      config.setConnectionTimeout(120_000);
    }
    return new HikariDataSource(config);
  }

  static boolean isPostgres(String target) {
    return target.startsWith("jdbc:postgresql");
  }

  static void execute(DataSource database, String... statements) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }
}
