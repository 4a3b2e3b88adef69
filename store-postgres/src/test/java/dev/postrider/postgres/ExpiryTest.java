package dev.postrider.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.config.ClusterSettings;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.message.Ids;
import dev.postrider.message.Message;
import dev.postrider.message.Part;
import dev.postrider.message.Plan;
import dev.postrider.message.Progress;
import dev.postrider.store.Store;
import dev.postrider.store.message.AcceptResult;
import dev.postrider.store.message.EndedMessage;
import dev.postrider.store.message.NewMessage;
import dev.postrider.testkit.internal.postgres.PostgresServer;
import dev.postrider.time.SystemScheduler;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Thousands expire at once, and whoever hands messages in does not notice. */
class ExpiryTest {
  private final SystemScheduler time = new SystemScheduler();
  private final Ids ids = new Ids(time, new SplittableRandom());
  private final PostgresServer server = PostgresServer.shared();
  private final String url = server.newSchema();
  private Store owner;
  private Store other;

  @BeforeEach
  void open() {
    owner = new PostgresStoreProvider().open(url, ClusterSettings.of("owner"), time);
    other = new PostgresStoreProvider().open(url, ClusterSettings.of("other"), time);
    await(owner.acquire("bot", "owner"));
  }

  @AfterEach
  void close() {
    owner.close(Duration.ofSeconds(5));
    other.close(Duration.ofSeconds(5));
    time.close();
    server.drop(url);
  }

  private <T> T await(CompletableFuture<T> future) {
    return time.await(future.copy().orTimeout(300, TimeUnit.SECONDS));
  }

  private NewMessage message(String chat, Instant expires) {
    Instant now = time.instant();
    var id = ids.nextMessageId();
    return new NewMessage(
        id,
        Message.to("bot", chat).text("hello").build(),
        new Plan(id, List.of(Part.plain("hello"))),
        Progress.none(1),
        now,
        now,
        expires,
        null,
        1_000_000,
        null,
        null,
        false);
  }

  private void acceptExpiring(int count, Instant expires) {
    List<CompletableFuture<AcceptResult>> accepted = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      accepted.add(owner.accept(message("chat-" + i % 500, expires)));
    }
    accepted.forEach(one -> assertThat(await(one)).isInstanceOf(AcceptResult.Stored.class));
  }

  @Test
  void a_batch_of_expired_messages_ends_in_one_statement() throws Exception {
    try (Connection connection = DriverManager.getConnection(url)) {
      JdbcSession session = new JdbcSession(connection);
      session.execute(
          "CREATE TABLE statements (n int);"
              + " CREATE FUNCTION count_it() RETURNS trigger LANGUAGE plpgsql AS"
              + " 'BEGIN INSERT INTO statements VALUES (1); RETURN NULL; END';"
              + " CREATE TRIGGER count_it AFTER INSERT ON ended"
              + " FOR EACH STATEMENT EXECUTE FUNCTION count_it()");
      Instant expires = time.instant().plusSeconds(1);
      acceptExpiring(250, expires);

      assertThat(await(owner.expire(expires, 250))).hasSize(250);

      Long statements = session.one("SELECT count(*) FROM statements", row -> row.getLong(1));
      assertThat(statements).isEqualTo(1);
    }
  }

  @Test
  void nobody_is_refused_while_thousands_expire() {
    Instant expires = time.instant().plusSeconds(1);
    acceptExpiring(3_000, expires);
    CompletableFuture<Integer> expired = new CompletableFuture<>();
    time.start("expiry", () -> expired.complete(expireAll(expires)));

    int accepted = 0;
    while (!expired.isDone()) {
      for (Store store : List.of(owner, other)) {
        NewMessage message = message("new-" + accepted++ % 20, time.instant().plusSeconds(600));
        assertThat(await(store.accept(message))).isInstanceOf(AcceptResult.Stored.class);
      }
    }

    assertThat(await(expired)).isEqualTo(3_000);
  }

  private int expireAll(Instant now) {
    int all = 0;
    List<EndedMessage> batch;
    do {
      batch = await(owner.expire(now, 250));
      all += batch.size();
    } while (!batch.isEmpty());
    return all;
  }
}
