package dev.postrider.sqlite.file;

import dev.postrider.jdbc.session.JdbcSession;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;

/** How rooms of the store that need both ask it to read and to write. */
public interface StoreAccess {

  /** A question to a session that reads. */
  @FunctionalInterface
  interface Query<T> {
    T run(JdbcSession session) throws SQLException;
  }

  <T> T read(Query<T> query);

  <T> CompletableFuture<T> write(WriteTransaction.Work<T> work);

  <T> T await(CompletableFuture<T> write);
}
