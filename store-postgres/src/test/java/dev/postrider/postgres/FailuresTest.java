package dev.postrider.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.config.ClusterSettings;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.message.Ids;
import dev.postrider.message.Message;
import dev.postrider.message.Part;
import dev.postrider.message.Plan;
import dev.postrider.message.Progress;
import dev.postrider.store.failure.StoreFailure;
import dev.postrider.store.failure.StoreUnavailable;
import dev.postrider.store.message.AcceptResult;
import dev.postrider.store.message.NewMessage;
import dev.postrider.store.message.StoredMessage;
import dev.postrider.testkit.internal.postgres.PostgresServer;
import dev.postrider.time.SystemScheduler;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Statements that are cancelled, refused or broken: whoever called is told in the right words. */
class FailuresTest {
  private static final AtomicInteger NODES = new AtomicInteger();

  private final SystemScheduler time = new SystemScheduler();
  private final Ids ids = new Ids(time, new SplittableRandom());
  private final PostgresServer server = PostgresServer.shared();
  private final String url = server.newSchema();
  private PostgresStore store;

  private void open(String options) {
    Duration lease = Duration.ofSeconds(30);
    String node = "failures-" + NODES.incrementAndGet();
    store =
        (PostgresStore)
            new PostgresStoreProvider()
                .open(
                    url + options,
                    new ClusterSettings(node, "", Duration.ofSeconds(1), lease),
                    time);
    await(store.acquire("bot", "someone"));
  }

  @AfterEach
  void close() throws SQLException {
    store.close(Duration.ofSeconds(5));
    time.close();
    server.drop(url);
  }

  private <T> T await(CompletableFuture<T> future) {
    return time.await(future.copy().orTimeout(300, TimeUnit.SECONDS));
  }

  private NewMessage message(String chat) {
    Instant now = time.instant();
    Message message = Message.to("bot", chat).text("hello").build();
    var id = ids.nextMessageId();
    return new NewMessage(
        id,
        message,
        new Plan(id, List.of(Part.plain("hello"))),
        Progress.none(1),
        now,
        now,
        now.plusSeconds(600),
        null,
        100_000,
        null,
        null,
        false);
  }

  private void sql(String statement) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url)) {
      new JdbcSession(connection).execute(statement);
    }
  }

  /** From now on each new row of a chat whose name begins so takes this long. */
  private void slowInserts(String chats, double seconds) throws SQLException {
    sql(
        "CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS"
            + " 'BEGIN IF NEW.chat LIKE ''"
            + chats
            + "%'' THEN PERFORM pg_sleep("
            + seconds
            + "); END IF; RETURN NEW; END';"
            + " CREATE TRIGGER slow BEFORE INSERT ON message FOR EACH ROW EXECUTE FUNCTION slow()");
  }

  @Test
  void writes_whose_statements_are_cancelled_at_random_are_stored_once_each_or_refused()
      throws Exception {
    open("");
    slowInserts("", 0.0005);
    AtomicBoolean over = new AtomicBoolean();
    Thread canceller =
        Thread.ofPlatform()
            .start(
                () -> {
                  try (Connection connection = DriverManager.getConnection(url)) {
                    JdbcSession session = new JdbcSession(connection);
                    while (!over.get()) {
                      session.all(
                          "SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE state ="
                              + " 'active' AND application_name LIKE 'postrider %failures-"
                              + NODES.get()
                              + "%'",
                          row -> row.getBoolean(1));
                      Thread.sleep(3);
                    }
                  } catch (SQLException | InterruptedException e) {
                    throw new IllegalStateException(e);
                  }
                });
    int stored = 0;
    try {
      for (int round = 0; round < 20; round++) {
        List<CompletableFuture<AcceptResult>> writes = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
          writes.add(store.accept(message("chat" + i)));
        }
        for (CompletableFuture<AcceptResult> write : writes) {
          try {
            assertThat(await(write)).isInstanceOf(AcceptResult.Stored.class);
            stored++;
          } catch (StoreUnavailable e) {
            assertThat(e).hasMessageContaining("cancel");
          }
        }
      }
    } finally {
      over.set(true);
      canceller.join();
    }

    assertThat(stored).isPositive();
    try (Connection connection = DriverManager.getConnection(url)) {
      Long rows =
          new JdbcSession(connection).one("SELECT count(*) FROM message", r -> r.getLong(1));
      assertThat(rows).isEqualTo(stored);
    }
    assertThat(await(store.accept(message("after")))).isInstanceOf(AcceptResult.Stored.class);
  }

  @Test
  void a_batch_that_takes_longer_than_the_statement_timeout_is_stored_in_smaller_ones()
      throws Exception {
    open("&options=-c%20statement_timeout=300");
    slowInserts("", 0.02);
    List<CompletableFuture<AcceptResult>> writes = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      writes.add(store.accept(message("ann")));
    }

    long before = -1;
    for (CompletableFuture<AcceptResult> write : writes) {
      StoredMessage message = ((AcceptResult.Stored) await(write)).message();
      assertThat(message.row()).isGreaterThan(before); // in the order they were handed in
      before = message.row();
    }
  }

  @Test
  void a_write_that_always_takes_too_long_is_refused_and_those_beside_it_are_stored()
      throws Exception {
    open("&options=-c%20statement_timeout=200");
    slowInserts("slow", 1);
    CompletableFuture<AcceptResult> before = store.accept(message("ann"));
    CompletableFuture<AcceptResult> slow = store.accept(message("slow"));
    CompletableFuture<AcceptResult> after = store.accept(message("bob"));

    assertThat(await(before)).isInstanceOf(AcceptResult.Stored.class);
    assertThatThrownBy(() -> await(slow))
        .isInstanceOf(StoreUnavailable.class)
        .hasMessageContaining("statement_timeout");
    assertThat(await(after)).isInstanceOf(AcceptResult.Stored.class);
  }

  @Test
  void a_write_that_the_database_cannot_do_fails_by_name_and_no_other() throws Exception {
    open("");
    sql(
        "CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN IF NEW.chat ="
            + " ''poison'' THEN RAISE EXCEPTION ''broken inside'' USING ERRCODE = ''XX000''; END"
            + " IF; RETURN NEW; END'; CREATE TRIGGER refuse BEFORE INSERT ON message FOR EACH ROW"
            + " EXECUTE FUNCTION refuse()");
    List<CompletableFuture<AcceptResult>> writes = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      writes.add(store.accept(message("chat" + i)));
    }
    CompletableFuture<AcceptResult> poison = store.accept(message("poison"));
    writes.add(store.accept(message("last")));

    assertThatThrownBy(() -> await(poison))
        .isInstanceOf(StoreFailure.class)
        .hasMessageContaining("accept")
        .hasMessageContaining("broken inside");
    for (CompletableFuture<AcceptResult> write : writes) {
      assertThat(await(write)).isInstanceOf(AcceptResult.Stored.class);
    }
  }

  @Test
  void plans_that_a_change_of_the_schema_has_overtaken_are_made_anew() throws Exception {
    open("");
    await(store.accept(message("ann")));
    sql("ALTER TABLE message ALTER COLUMN chat TYPE varchar(4000)");

    assertThat(await(store.accept(message("ann")))).isInstanceOf(AcceptResult.Stored.class);
  }

  @Test
  void a_defect_in_one_write_fails_it_by_name_and_an_error_in_a_read_is_answered() {
    open("");
    CompletableFuture<String> write =
        store.alone(
            (_, _, _) -> {
              throw new ArithmeticException("by zero");
            });
    CompletableFuture<String> read =
        store.read(
            _ -> {
              throw new StackOverflowError("deep");
            });

    assertThatThrownBy(() -> await(write))
        .isInstanceOf(StoreFailure.class)
        .hasMessageContaining("by zero");
    assertThatThrownBy(() -> await(read))
        .isInstanceOf(StoreFailure.class)
        .hasMessageContaining("deep");
    assertThat(await(store.accept(message("after")))).isInstanceOf(AcceptResult.Stored.class);
  }
}
