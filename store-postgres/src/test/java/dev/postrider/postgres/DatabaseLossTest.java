package dev.postrider.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.config.ClusterSettings;
import dev.postrider.inbound.InboundId;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.message.ContentHash;
import dev.postrider.message.Ids;
import dev.postrider.message.Message;
import dev.postrider.message.Part;
import dev.postrider.message.Plan;
import dev.postrider.message.Progress;
import dev.postrider.store.Store;
import dev.postrider.store.failure.StoreRefused;
import dev.postrider.store.failure.StoreUnavailable;
import dev.postrider.store.inbound.CompletionResult;
import dev.postrider.store.inbound.LeaseRequest;
import dev.postrider.store.inbound.NewInbound;
import dev.postrider.store.inbound.ReceiveResult;
import dev.postrider.store.inbound.StoredInbound;
import dev.postrider.store.message.AcceptResult;
import dev.postrider.store.message.NewMessage;
import dev.postrider.store.reminder.ReminderStore.Firing;
import dev.postrider.store.reminder.ReminderTarget;
import dev.postrider.store.reminder.StoredReminder;
import dev.postrider.store.reminder.StoredRun;
import dev.postrider.store.reminder.TargetStatus;
import dev.postrider.testkit.internal.crash.Cable;
import dev.postrider.testkit.internal.postgres.PostgresServer;
import dev.postrider.time.SystemScheduler;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The database goes away, or the wire to it does, at the worst moments. Commits are made slow by a
 * trigger, so that the wire can be cut while one is under way.
 */
class DatabaseLossTest {
  private static final AtomicInteger NODES = new AtomicInteger();

  private final SystemScheduler time = new SystemScheduler();
  private final Ids ids = new Ids(time, new SplittableRandom());
  private final PostgresServer server = PostgresServer.shared();
  private final String direct = server.newSchema();
  private final Cable wire = Cable.to(server.port());
  private Store store;

  @BeforeEach
  void open() {
    store = open(wire.port(), "loss-" + NODES.incrementAndGet());
    await(store.acquire("bot", "someone"));
  }

  private Store open(int port, String node) {
    String url = direct.replace(":" + server.port() + "/", ":" + port + "/");
    return new PostgresStoreProvider()
        .open(
            url, new ClusterSettings(node, "", Duration.ofSeconds(1), Duration.ofSeconds(5)), time);
  }

  @AfterEach
  void close() throws Exception {
    wire.heal();
    store.close(Duration.ofSeconds(5));
    wire.close();
    time.close();
    server.drop(direct);
  }

  private <T> T await(CompletableFuture<T> future) {
    return time.await(future.copy().orTimeout(300, TimeUnit.SECONDS));
  }

  private NewMessage message(String key) {
    Instant now = time.instant();
    Message message = Message.to("bot", "ann").text("hello").idempotencyKey(key).build();
    var id = ids.nextMessageId();
    return new NewMessage(
        id,
        message,
        new Plan(id, List.of(Part.plain("hello"))),
        Progress.none(1),
        now,
        now,
        now.plusSeconds(600),
        ContentHash.of(message),
        1000,
        null,
        null,
        false);
  }

  private void sql(String statement) throws SQLException {
    try (Connection connection = DriverManager.getConnection(direct)) {
      new JdbcSession(connection).execute(statement);
    }
  }

  private long count(String query) throws SQLException {
    try (Connection connection = DriverManager.getConnection(direct)) {
      Long found = new JdbcSession(connection).one(query, row -> row.getLong(1));
      return found == null ? -1 : found;
    }
  }

  private NewInbound event(String platformId) {
    InboundMessage arrival =
        new InboundMessage(
            platformId,
            InboundMessage.Kind.MESSAGE,
            "ann",
            InboundMessage.ChatKind.DM,
            new InboundMessage.Sender("7", null),
            "hello",
            List.of(),
            null,
            null,
            null,
            null,
            Map.of());
    return new NewInbound(new InboundId(ids.next()), arrival, "s", time.instant());
  }

  /** From now on a commit that adds to this table takes this long. */
  private void slowCommits(String table, double seconds) throws SQLException {
    slowCommits("INSERT", table, seconds);
  }

  /** From now on a commit that does this to a row of the table takes this long. */
  private void slowCommits(String change, String table, double seconds) throws SQLException {
    sql(
        "CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS"
            + " 'BEGIN PERFORM pg_sleep("
            + seconds
            + "); RETURN NULL; END';"
            + " CREATE CONSTRAINT TRIGGER slow AFTER "
            + change
            + " ON "
            + table
            + " DEFERRABLE INITIALLY DEFERRED"
            + " FOR EACH ROW EXECUTE FUNCTION slow()");
  }

  /** Waits until the writer is inside its commit. */
  private void untilCommitting() throws SQLException {
    while (count(
            "SELECT count(*) FROM pg_stat_activity WHERE query = 'COMMIT' AND"
                + " wait_event = 'PgSleep'")
        == 0) {
      Thread.onSpinWait();
    }
  }

  @Test
  void a_commit_that_happened_but_was_not_answered_counts() throws Exception {
    slowCommits("message", 0.5);
    NewMessage message = message("k");
    CompletableFuture<AcceptResult> write = store.accept(message);
    untilCommitting();
    wire.loseAnswers();
    while (count("SELECT count(*) FROM message") == 0) {
      Thread.onSpinWait();
    }
    assertThat(write).isNotDone();

    wire.cut();
    wire.heal();

    assertThat(await(write)).isInstanceOf(AcceptResult.Stored.class);
    assertThat(count("SELECT count(*) FROM message")).isEqualTo(1);
    assertThat(store.find(message.id())).isPresent();
  }

  @Test
  void a_commit_that_was_not_answered_and_did_not_happen_fails_and_can_be_repeated()
      throws Exception {
    slowCommits("message", 20);
    NewMessage message = message("k");
    CompletableFuture<AcceptResult> write = store.accept(message);
    untilCommitting();

    wire.cut(); // the server does not notice; its commit would go on for long
    wire.heal();

    assertThatThrownBy(() -> await(write)).isInstanceOf(StoreUnavailable.class);
    assertThat(count("SELECT count(*) FROM message")).isZero();
    sql("DROP TRIGGER slow ON message");
    assertThat(await(store.accept(message))).isInstanceOf(AcceptResult.Stored.class);
    assertThat(await(store.accept(message("k")))).isInstanceOf(AcceptResult.Duplicate.class);
  }

  @Test
  void events_and_their_cursor_whose_commit_was_not_answered_are_stored_once() throws Exception {
    slowCommits("inbound", 0.5);
    NewInbound event = event("1");
    CompletableFuture<List<ReceiveResult>> write = store.receive("bot", List.of(event), "c");
    untilCommitting();
    wire.loseAnswers();
    while (count("SELECT count(*) FROM inbound") == 0) {
      Thread.onSpinWait();
    }

    wire.cut();
    wire.heal();

    assertThat(await(write)).containsExactly(new ReceiveResult(event.id(), true));
    assertThat(await(store.receive("bot", List.of(event("1")), null)))
        .containsExactly(new ReceiveResult(event.id(), false));
    assertThat(store.cursor("bot")).contains("c");
  }

  private LeaseRequest wish() {
    Instant now = time.instant();
    return new LeaseRequest(Set.of("bot"), List.of(ids.next()), now, now.plusSeconds(600), null);
  }

  @Test
  void events_whose_handing_out_was_not_answered_are_handed_out_once() throws Exception {
    NewInbound event = event("1");
    await(store.receive("bot", List.of(event), null));
    slowCommits("UPDATE", "inbox", 0.5);
    CompletableFuture<List<StoredInbound>> write = store.inboundStore().lease(wish());
    untilCommitting();
    wire.loseAnswers();
    while (count("SELECT count(*) FROM inbox WHERE status = 1") == 0) {
      Thread.onSpinWait();
    }

    wire.cut();
    wire.heal();

    assertThat(await(write)).extracting(StoredInbound::id).containsExactly(event.id());
    assertThat(await(store.inboundStore().lease(wish()))).isEmpty();
    assertThat(store.inbound(event.id()).orElseThrow().handling().attempts()).isEqualTo(1);
  }

  @Test
  void events_whose_handing_out_did_not_happen_are_free() throws Exception {
    NewInbound event = event("1");
    await(store.receive("bot", List.of(event), null));
    slowCommits("UPDATE", "inbox", 20);
    CompletableFuture<List<StoredInbound>> write = store.inboundStore().lease(wish());
    untilCommitting();

    wire.cut();
    wire.heal();

    assertThatThrownBy(() -> await(write)).isInstanceOf(StoreUnavailable.class);
    sql("DROP TRIGGER slow ON inbox");
    List<StoredInbound> again = await(store.inboundStore().lease(wish()));
    assertThat(again).hasSize(1);
    assertThat(again.getFirst().handling().attempts()).isEqualTo(1);
  }

  @Test
  void an_event_that_was_given_back_without_an_answer_is_handled_once_and_answered_once()
      throws Exception {
    NewInbound event = event("1");
    await(store.receive("bot", List.of(event), null));
    StoredInbound handedOut = await(store.inboundStore().lease(wish())).getFirst();
    NewMessage answer = message("answer");
    slowCommits("DELETE", "inbox", 0.5);
    CompletableFuture<CompletionResult> write =
        store.inboundStore().complete(InboundFixture.handled(handedOut, answer));
    untilCommitting();
    wire.loseAnswers();
    while (count("SELECT count(*) FROM turn") == 0) {
      Thread.onSpinWait();
    }

    wire.cut();
    wire.heal();

    CompletionResult back = await(write);
    assertThat(back.applied()).isTrue();
    assertThat(back.answers()).hasOnlyElementsOfType(AcceptResult.Stored.class);
    assertThat(store.find(answer.id())).isPresent();
    assertThat(
            await(
                store
                    .inboundStore()
                    .complete(InboundFixture.handled(handedOut, message("second")))))
        .isEqualTo(CompletionResult.STALE);
    assertThat(count("SELECT count(*) FROM message")).isEqualTo(1);
  }

  @Test
  void a_firing_whose_commit_was_not_answered_has_made_one_run() throws Exception {
    Instant now = InboundFixture.NOW;
    StoredReminder reminder = new StoredReminder(ids.next(), "n", "bot", now, "{}", 1, 1, now, now);
    ReminderTarget target = new ReminderTarget("bot", "ann", null, Map.of());
    await(store.reminders().save(reminder, List.of(target), null));
    slowCommits("run", 0.5);
    Firing firing = new Firing(ids.next(), reminder, now, null, true, null, false, now);
    CompletableFuture<Optional<StoredRun>> write = store.reminders().fire(firing);
    untilCommitting();
    wire.loseAnswers();
    while (count("SELECT count(*) FROM run") == 0) {
      Thread.onSpinWait();
    }

    wire.cut();
    wire.heal();

    assertThat(await(write).map(StoredRun::id)).contains(firing.run());
    assertThat(store.reminders().counts(firing.run()))
        .containsOnly(Map.entry(TargetStatus.PENDING, 1));
    assertThat(await(store.reminders().fire(firing))).isEmpty();
  }

  @Test
  void while_a_commit_is_in_doubt_others_are_refused_at_once_with_the_reason() throws Exception {
    slowCommits("message", 0.5);
    CompletableFuture<AcceptResult> write = store.accept(message("k"));
    untilCommitting();
    wire.cut();
    CompletableFuture<Void> refused = store.touch(Instant.now());
    while (!refused.isDone()) {
      Thread.onSpinWait(); // the writer may not have noticed yet
      refused = refused.isDone() ? refused : store.touch(Instant.now());
    }

    assertThatThrownBy(refused::join)
        .hasCauseInstanceOf(StoreUnavailable.class)
        .hasMessageContaining("not known yet");
    assertThat(write).isNotDone();
    wire.heal();
    write.exceptionally(_ -> null).get(300, TimeUnit.SECONDS);
    assertThat(await(store.accept(message("k2")))).isInstanceOf(AcceptResult.Stored.class);
  }

  @Test
  void writes_and_reads_fail_while_the_database_is_away_and_go_on_by_themselves() {
    NewMessage before = message("before");
    await(store.accept(before));
    wire.cut();

    assertThatThrownBy(() -> await(store.accept(message("during"))))
        .isInstanceOf(StoreUnavailable.class)
        .hasMessageContaining("cannot be reached");
    assertThatThrownBy(() -> store.find(before.id())).isInstanceOf(StoreUnavailable.class);

    wire.heal();
    assertThat(await(store.accept(message("after")))).isInstanceOf(AcceptResult.Stored.class);
    assertThat(store.find(before.id())).isPresent();
  }

  @Test
  void a_connection_that_the_server_ends_is_made_again() throws Exception {
    await(store.accept(message("before")));

    sql(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name"
            + " LIKE 'postrider%'");

    assertThat(await(store.accept(message("after")))).isInstanceOf(AcceptResult.Stored.class);
  }

  @Test
  void a_database_that_has_gone_back_behind_an_answered_commit_is_not_written_until_it_is_held()
      throws Exception {
    await(store.accept(message("kept")));
    sql("CREATE TABLE past AS SELECT * FROM mark");
    await(store.accept(message("lost")));
    wire.cut();
    sql("DELETE FROM mark; INSERT INTO mark SELECT * FROM past; DROP TABLE past");
    wire.heal();

    for (String key : List.of("at once", "later")) {
      assertThatThrownBy(() -> await(store.accept(message(key))))
          .isInstanceOf(StoreUnavailable.class)
          .hasMessageContaining("gone back to an earlier state")
          .hasMessageContaining("postrider hold --taken");
    }
    try (Store another = open(server.port(), "loss-" + NODES.incrementAndGet())) {
      assertThat(another.restored().orElseThrow().finished()).isFalse();
      assertThat(await(another.acquire("free", "somebody"))).as("nobody takes over").isEmpty();
    }
  }

  @Test
  void a_second_process_of_one_name_is_refused() {
    String name = "loss-" + NODES.get();

    assertThatThrownBy(() -> open(server.port(), name))
        .isInstanceOf(StoreRefused.class)
        .hasMessageContaining(name)
        .hasMessageContaining("cluster.node");
  }

  @Test
  void a_database_that_is_not_there_is_named_without_its_secrets() {
    String url = "jdbc:postgresql://127.0.0.1:1/none?user=me&password=hunter2";

    assertThatThrownBy(
            () -> new PostgresStoreProvider().open(url, ClusterSettings.of("nobody"), time))
        .isInstanceOf(StoreUnavailable.class)
        .hasMessageContaining("127.0.0.1:1/none")
        .hasMessageNotContaining("hunter2");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jdbc:postgresql://me:hunter2@127.0.0.1:1/none",
        "jdbc:postgresql://me:hun/ter2@127.0.0.1/none",
        "jdbc:postgresql://127.0.0.1:x1/none?user=me&password=hunter2",
        "jdbc:postgresql://127.0.0.1/none?user=me&password=hunter2%zz"
      })
  void an_address_that_cannot_be_read_is_refused_without_its_secrets(String url) {
    assertThatThrownBy(
            () -> new PostgresStoreProvider().open(url, ClusterSettings.of("nobody"), time))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the store's address")
        .hasMessageContaining("jdbc:postgresql://host")
        .hasMessageNotContaining("hunter2")
        .hasMessageNotContaining("ter2")
        .hasNoCause();
  }

  @Test
  void a_database_of_a_newer_version_is_left_alone() throws Exception {
    sql("INSERT INTO postrider_format VALUES (99)");

    assertThatThrownBy(() -> open(server.port(), "newcomer"))
        .isInstanceOf(StoreRefused.class)
        .hasMessageContaining("newer version");
  }

  @Test
  void a_key_that_another_transaction_holds_refuses_one_message_and_no_other() throws Exception {
    try (Connection other = DriverManager.getConnection(direct)) {
      other.setAutoCommit(false);
      new JdbcSession(other)
          .execute(
              "INSERT INTO message (uid, account, chat, created, expires, idem_key, content)"
                  + " SELECT gen_random_uuid(), id, 'ann', 0, 0, 'held', '' FROM account"
                  + " WHERE name = 'bot'");
      CompletableFuture<AcceptResult> waits = store.accept(message("held"));
      CompletableFuture<AcceptResult> beside = store.accept(message("free"));

      assertThat(await(beside)).isInstanceOf(AcceptResult.Stored.class);
      assertThatThrownBy(() -> await(waits))
          .isInstanceOf(StoreUnavailable.class)
          .hasMessageContaining("another transaction");
      other.rollback();
    }
    assertThat(await(store.accept(message("held")))).isInstanceOf(AcceptResult.Stored.class);
  }
}
