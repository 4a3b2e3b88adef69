package dev.postrider.postgres;

import dev.postrider.config.EncryptionKeys;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.store.Store;
import dev.postrider.testkit.engine.Encryption;
import dev.postrider.testkit.engine.World;
import dev.postrider.testkit.time.VirtualTime;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;

/** Every column of every table. */
class PostgresEncryptionTest extends Encryption {

  @Override
  protected Store openStore(Path at, EncryptionKeys with, VirtualTime time) {
    return VirtualStores.open(Schemas.of(at), World.ALONE, with, time);
  }

  @Override
  protected void change(String statement) {
    try (Connection connection = DriverManager.getConnection(Schemas.of(folder))) {
      new JdbcSession(connection).execute(statement);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  protected void swapFiles(String oneHash, String otherHash) {
    change("UPDATE blob_piece SET hash = 'aside' WHERE hash = '" + oneHash + "'");
    change("UPDATE blob_piece SET hash = '" + oneHash + "' WHERE hash = '" + otherHash + "'");
    change("UPDATE blob_piece SET hash = '" + otherHash + "' WHERE hash = 'aside'");
  }

  @Override
  protected String everythingStored() {
    try (Connection connection = DriverManager.getConnection(Schemas.of(folder))) {
      JdbcSession session = new JdbcSession(connection);
      List<String> tables =
          session.all(
              "SELECT tablename FROM pg_tables WHERE schemaname = current_schema",
              row -> row.getString(1));
      StringBuilder all = new StringBuilder();
      for (String table : tables) {
        session
            .all("SELECT t::text FROM \"" + table + "\" t", row -> row.getString(1))
            .forEach(all::append);
      }
      return all.toString();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }
}
