package dev.postrider.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.config.ClusterSettings;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.message.Attachment;
import dev.postrider.message.Ids;
import dev.postrider.message.Media;
import dev.postrider.message.MediaKind;
import dev.postrider.message.Message;
import dev.postrider.message.MessageId;
import dev.postrider.message.Part;
import dev.postrider.message.Plan;
import dev.postrider.message.Progress;
import dev.postrider.postgres.sql.MessageSql;
import dev.postrider.store.Store;
import dev.postrider.store.cluster.Cluster;
import dev.postrider.store.message.AcceptResult;
import dev.postrider.store.message.NewMessage;
import dev.postrider.time.SystemScheduler;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Files that several nodes share. */
class PostgresMediaTest {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Ids IDS = new Ids(InstantSource.fixed(NOW), new SplittableRandom(5));
  private static final Executor THREADS = Thread::startVirtualThread;

  private final String url = Schemas.take();
  private final SystemScheduler time = new SystemScheduler();
  private Store one;
  private Store other;
  private Connection connection; // somebody else's, in the middle of a transaction

  @BeforeEach
  void open() throws SQLException {
    one = new PostgresStoreProvider().open(url, ClusterSettings.of("one"), time);
    other = new PostgresStoreProvider().open(url, ClusterSettings.of("other"), time);
    connection = DriverManager.getConnection(url);
    connection.setAutoCommit(false);
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
    one.close();
    other.close();
    time.close();
    Schemas.giveBack(url);
  }

  private static <T> T done(CompletableFuture<T> future) throws Exception {
    return future.get(5, TimeUnit.MINUTES);
  }

  private static String take(Store store, InputStream bytes) {
    try {
      return store.blobs().take(bytes, "text/plain", 1_000_000_000, NOW).hash();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String take(Store store, String text) {
    return take(store, new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
  }

  private static NewMessage with(String hash) {
    MessageId id = IDS.nextMessageId();
    Attachment file =
        new Attachment(Media.held(hash).url(), MediaKind.DOCUMENT, null, null, 1, false, true);
    return new NewMessage(
        id,
        Message.to("bot", "ann").text("see").build(),
        new Plan(id, List.of(Part.carrying(List.of(file)))),
        Progress.none(1),
        NOW,
        NOW,
        NOW.plus(HOUR),
        null,
        Long.MAX_VALUE,
        null,
        null,
        false);
  }

  private int sweep(Store store) throws Exception {
    return done(store.sweep(NOW, HOUR, 100));
  }

  private boolean kept(String hash) {
    return one.blobs().find(hash).isPresent();
  }

  @Test
  void what_one_node_took_another_reads() throws Exception {
    byte[] bytes = new byte[5_000_000];
    new SplittableRandom(1).nextBytes(bytes);
    String hash = take(one, new ByteArrayInputStream(bytes));

    try (InputStream in = other.blobs().open(hash)) {
      assertThat(in.readAllBytes()).isEqualTo(bytes);
    }
    assertThat(done(other.accept(with(hash)))).isInstanceOf(AcceptResult.Stored.class);
    sweep(one);
    assertThat(kept(hash)).isTrue();
  }

  @Test
  void a_file_goes_with_all_its_pieces() throws Exception {
    take(one, new ByteArrayInputStream(new byte[2_000_000]));
    sweep(other);

    JdbcSession session = new JdbcSession(connection);
    for (String table : List.of("blob", "blob_piece", "blob_use")) {
      assertThat(session.all("SELECT 1 FROM " + table, row -> row.getInt(1))).isEmpty();
    }
  }

  @Test
  void senders_that_are_slow_hold_nobody_up() throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    List<CompletableFuture<String>> slow = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      InputStream bytes =
          new InputStream() {
            @Override
            public int read() {
              try {
                over.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              return -1;
            }
          };
      slow.add(CompletableFuture.supplyAsync(() -> take(one, bytes), THREADS));
    }

    assertThat(take(one, "hello")).isNotEmpty();
    assertThat(one.accounts()).isEmpty();

    over.countDown();
    for (CompletableFuture<String> each : slow) {
      assertThat(kept(done(each))).isTrue();
    }
  }

  // ---- sweeping and accepting at once

  @Test
  void a_file_whose_message_is_not_committed_yet_is_passed_by() throws Exception {
    String hash = take(one, "hello");
    Cluster cluster = one.cluster().orElseThrow();
    assertThat(cluster.accept(connection, with(hash))).isInstanceOf(AcceptResult.Stored.class);

    assertThat(sweep(other)).isEqualTo(1);
    assertThat(kept(hash)).isTrue();
    assertThat(sweep(other)).as("not looked at again and again").isZero();

    connection.commit();
    assertThat(done(other.sweep(NOW.plus(HOUR), HOUR, 100))).isEqualTo(1);
    assertThat(kept(hash)).isTrue();
  }

  @Test
  void a_file_whose_message_was_rolled_back_goes() throws Exception {
    String hash = take(one, "hello");
    Cluster cluster = one.cluster().orElseThrow();
    assertThat(cluster.accept(connection, with(hash))).isInstanceOf(AcceptResult.Stored.class);
    connection.rollback();

    sweep(other);

    assertThat(kept(hash)).isFalse();
    assertThat(cluster.accept(connection, with(hash)))
        .isEqualTo(new AcceptResult.MediaMissing(hash));
    assertThat(cluster.accept(connection, with("../\0")))
        .isEqualTo(new AcceptResult.MediaMissing("../\0"));
  }

  @Test
  void whoever_comes_while_a_file_goes_waits_and_finds_it_gone() throws Exception {
    String hash = take(one, "hello");
    JdbcSession sweeping = new JdbcSession(connection);
    sweeping.one(MessageSql.LOCK_BLOB, row -> row.getString(1), hash, Long.MAX_VALUE);
    CompletableFuture<AcceptResult> accepted = one.accept(with(hash));
    sweeping.update(MessageSql.DELETE_PIECES, hash);
    sweeping.update(MessageSql.DELETE_BLOB, hash);
    assertThat(accepted).isNotDone();
    connection.commit();

    assertThat(done(accepted)).isEqualTo(new AcceptResult.MediaMissing(hash));
  }

  @Test
  void many_accept_and_sweep_at_once_and_no_message_loses_its_file() throws Exception {
    List<CompletableFuture<Boolean>> all = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      String hash = take(one, "file " + i);
      CompletableFuture<AcceptResult> accepted = (i % 2 == 0 ? one : other).accept(with(hash));
      CompletableFuture<Integer> swept = (i % 3 == 0 ? one : other).sweep(NOW, HOUR, 100);
      CompletableFuture<String> taken =
          i % 5 == 0
              ? CompletableFuture.supplyAsync(() -> take(other, "file again"), THREADS)
              : CompletableFuture.completedFuture(hash);
      all.add(
          accepted
              .thenCombine(swept, (acceptance, _) -> acceptance)
              .thenCombine(
                  taken,
                  (acceptance, _) ->
                      switch (acceptance) {
                        case AcceptResult.Stored _ -> true;
                        case AcceptResult.MediaMissing _ -> false;
                        default -> throw new AssertionError(acceptance);
                      })
              .thenApplyAsync(stored -> !stored || kept(hash), THREADS));
    }

    for (CompletableFuture<Boolean> each : all) {
      assertThat(done(each)).isTrue();
    }
  }
}
