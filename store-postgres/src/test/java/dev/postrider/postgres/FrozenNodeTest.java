package dev.postrider.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.config.ClusterSettings;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.postgres.connection.Database;
import dev.postrider.postgres.connection.PgErrors;
import dev.postrider.store.Store;
import dev.postrider.store.cluster.Cluster;
import dev.postrider.store.message.Lease;
import dev.postrider.time.SystemScheduler;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A node that stops in the middle of a transaction keeps its locks; the others must live with it.
 */
class FrozenNodeTest {
  private static final String LOCK = "SELECT 1 FROM account WHERE name = 'account' FOR UPDATE";

  @TempDir Path folder;
  private String url;
  private Store store;
  private Cluster cluster;

  @BeforeEach
  void open() throws Exception {
    url = Schemas.of(folder);
    store =
        new PostgresStoreProvider().open(url, ClusterSettings.of("well"), new SystemScheduler());
    cluster = store.cluster().orElseThrow();
    done(store.release(done(store.acquire("account", "well")).orElseThrow()));
  }

  @AfterEach
  void close() {
    store.close(Duration.ofSeconds(5));
  }

  private static <T> T done(CompletableFuture<T> future) throws Exception {
    return future.get(5, TimeUnit.MINUTES);
  }

  private Connection frozen(Duration lease) throws SQLException {
    Database database = new Database(url, lease);
    Connection connection = database.connect("frozen");
    new JdbcSession(connection).execute(database.settings());
    connection.setAutoCommit(false);
    new JdbcSession(connection).execute(LOCK);
    return connection;
  }

  private UUID instanceOf(String node) throws SQLException {
    try (Connection other = new Database(url, Duration.ofSeconds(20)).connect("other")) {
      UUID found =
          new JdbcSession(other)
              .one(
                  "SELECT instance FROM node WHERE name = ?",
                  row -> row.getObject(1, UUID.class),
                  node);
      return Objects.requireNonNull(found);
    }
  }

  @Test
  void whoever_wants_its_account_goes_on_giving_signs_of_life() throws Exception {
    try (Connection frozen = frozen(Duration.ofMinutes(10))) {
      CompletableFuture<Optional<Lease>> wanted = store.acquire("account", "well");

      assertThat(done(cluster.beat("well", "", Set.of("account"), List.of())).nodes()).hasSize(1);

      assertThat(done(wanted)).as("asks again at the next heartbeat").isEmpty();
      frozen.rollback();
    }
    assertThat(done(store.acquire("account", "well"))).isPresent();
  }

  @Test
  void a_dead_nodes_writer_is_ended_by_whoever_takes_over() throws Exception {
    done(store.acquire("account", "dead"));
    try (Connection busy =
        new Database(url, Duration.ofMinutes(1))
            .connect(Database.name(instanceOf("dead"), "writer", "dead"))) {
      busy.setAutoCommit(false);
      new JdbcSession(busy).execute(LOCK);
      Thread statement =
          Thread.ofVirtual()
              .start(
                  () ->
                      assertThatThrownBy(() -> new JdbcSession(busy).execute("SELECT pg_sleep(60)"))
                          .isInstanceOf(SQLException.class));
      try (Connection other = new Database(url, Duration.ofSeconds(20)).connect("other")) {
        new JdbcSession(other).execute("UPDATE node SET expires = 0 WHERE name = 'dead'");
      }

      Optional<Lease> taken = done(store.acquire("account", "well"));
      while (taken.isEmpty()) {
        taken = done(store.acquire("account", "well")); // its end may take a moment
      }

      statement.join();
    }
  }

  @Test
  void its_transaction_is_ended_by_the_database() throws Exception {
    try (Connection frozen = frozen(Duration.ofSeconds(4));
        Connection other = new Database(url, Duration.ofSeconds(20)).connect("other")) {
      new JdbcSession(other).execute(LOCK); // waits for it

      assertThatThrownBy(frozen::commit)
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(PgErrors.connectionLost(e)).isTrue());
    }
  }
}
