package dev.postrider.sqlite;

import dev.postrider.jdbc.Session;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;

/** How rooms of the store that need both ask it to read and to write. */
interface Access {

  /** A question to a session that reads. */
  @FunctionalInterface
  interface Query<T> {
    T run(Session session) throws SQLException;
  }

  <T> T read(Query<T> query);

  <T> CompletableFuture<T> write(Transaction.Work<T> work);

  <T> T await(CompletableFuture<T> write);
}
