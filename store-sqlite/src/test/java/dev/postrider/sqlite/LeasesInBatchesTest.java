package dev.postrider.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.jdbc.session.Workers;
import dev.postrider.store.failure.LeaseLost;
import dev.postrider.store.failure.StoreUnavailable;
import dev.postrider.store.message.Lease;
import dev.postrider.store.message.NewMessage;
import dev.postrider.store.message.Reservation;
import dev.postrider.time.SystemScheduler;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Leases are held in memory; they must say what the transaction said. */
class LeasesInBatchesTest {
  @TempDir Path folder;
  private final Steps writer = new Steps();
  private final SystemScheduler time = new SystemScheduler();
  private SqliteStore store;

  @BeforeEach
  void openStore() {
    store =
        (SqliteStore)
            SqliteStoreProvider.open(
                folder.resolve("test.db"), new Workers(writer, Runnable::run, Runnable::run), time);
  }

  @AfterEach
  void closeStore() {
    store.close();
    time.close();
  }

  private <T> T done(CompletableFuture<T> write) {
    writer.run();
    return write.join();
  }

  /** A write that a lost lease makes fail, and the batch it is in with it. */
  private CompletableFuture<?> refusedWrite() {
    return store.reserve(1, new Reservation(new Lease("bot", -1), Plain.NOW, List.of()));
  }

  @Test
  void a_lease_given_back_beside_a_refused_write_is_given_back() {
    Lease lease = done(store.acquire("bot", "one")).orElseThrow();

    CompletableFuture<Boolean> released = store.release(lease);
    CompletableFuture<?> refused = refusedWrite();
    writer.run();

    assertThatThrownBy(refused::join).hasCauseInstanceOf(LeaseLost.class);
    assertThat(released).isCompletedWithValue(true);
    assertThat(done(store.acquire("bot", "two"))).isPresent();
  }

  @Test
  void a_lease_taken_beside_a_refused_write_is_taken_once() {
    CompletableFuture<Optional<Lease>> taken = store.acquire("bot", "one");
    CompletableFuture<?> refused = refusedWrite();
    writer.run();

    assertThatThrownBy(refused::join).hasCauseInstanceOf(LeaseLost.class);
    assertThat(taken.join()).contains(new Lease("bot", 1));
    assertThat(done(store.acquire("bot", "two"))).isEmpty();
  }

  @Test
  void a_lease_that_could_not_be_written_is_held_by_nobody() {
    String pages = done(store.pragma("page_count"));
    done(store.pragma("max_page_count = " + pages));

    CompletableFuture<Optional<Lease>> taken = store.acquire("bot", "one");
    CompletableFuture<?> big = store.accept(big());
    writer.run();

    assertThatThrownBy(taken::join).hasCauseInstanceOf(StoreUnavailable.class);
    assertThatThrownBy(big::join).hasCauseInstanceOf(StoreUnavailable.class);
    done(store.pragma("max_page_count = 1000000"));
    assertThat(done(store.acquire("bot", "two"))).contains(new Lease("bot", 1));
  }

  @Test
  void a_lease_held_before_a_batch_that_failed_is_still_held() {
    Lease held = done(store.acquire("bot", "one")).orElseThrow();
    String pages = done(store.pragma("page_count"));
    done(store.pragma("max_page_count = " + pages));

    CompletableFuture<Optional<Lease>> again = store.acquire("bot", "one");
    CompletableFuture<?> big = store.accept(big());
    writer.run();
    assertThatThrownBy(again::join).hasCauseInstanceOf(StoreUnavailable.class);
    assertThat(big).isCompletedExceptionally();

    assertThat(done(store.release(held))).isTrue();
  }

  private static NewMessage big() {
    return Plain.message("ann", "x".repeat(500_000));
  }
}
