package dev.postrider.sqlite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.jdbc.session.Workers;
import dev.postrider.sqlite.file.WriteTransaction;
import dev.postrider.store.failure.StoreClosed;
import dev.postrider.store.failure.StoreFailure;
import dev.postrider.time.SystemScheduler;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whatever goes wrong inside, whoever called is told, in the words of the contract. */
class FailuresTest {
  private final SystemScheduler time = new SystemScheduler();
  @TempDir Path folder;
  private SqliteStore store;

  @BeforeEach
  void open() {
    store =
        (SqliteStore) SqliteStoreProvider.open(folder.resolve("p.db"), Workers.threads(2), time);
  }

  @AfterEach
  void close() {
    store.close(Duration.ofSeconds(5));
    time.close();
  }

  private static Throwable failure(CompletableFuture<?> future) throws Exception {
    return future.handle((_, failure) -> failure).get(5, TimeUnit.MINUTES); // it must not stay open
  }

  @Test
  void a_read_that_meets_an_error_is_answered_and_its_reader_serves_on() throws Exception {
    for (int i = 0; i < 5; i++) {
      CompletableFuture<String> read =
          store.read(
              _ -> {
                throw new StackOverflowError("deep");
              });
      assertThat(failure(read)).isInstanceOf(StoreFailure.class).hasMessageContaining("deep");
    }

    assertThat(store.accounts()).isEmpty();
  }

  @Test
  void a_read_that_meets_any_exception_says_so_by_name() throws Exception {
    List<CompletableFuture<String>> reads =
        List.of(
            store.read(
                _ -> {
                  throw new ArithmeticException("by zero");
                }),
            store.read(
                _ -> {
                  throw new NullPointerException("nothing there");
                }));

    for (CompletableFuture<String> read : reads) {
      assertThat(failure(read)).isInstanceOf(StoreFailure.class).hasMessageContaining("read");
    }
  }

  @Test
  void reads_and_writes_that_wait_when_the_store_closes_are_refused() throws Exception {
    CountDownLatch busy = new CountDownLatch(2); // the reader and the writer
    CountDownLatch go = new CountDownLatch(1);
    List<CompletableFuture<?>> all = new ArrayList<>();
    all.add(store.read(_ -> block(busy, go)));
    Thread closing;
    var first = new WriteTransaction.Step<>(() -> block(busy, go));
    all.add(first.future());
    store.submit(first);
    busy.await();
    List<CompletableFuture<?>> waiting = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      waiting.add(store.read(_ -> "read"));
      waiting.add(store.touch(Instant.EPOCH));
    }

    closing = Thread.ofVirtual().start(() -> store.close(Duration.ofMillis(1)));
    for (CompletableFuture<?> one : waiting) {
      assertThat(failure(one)).isInstanceOf(StoreClosed.class);
    }
    go.countDown();
    closing.join();

    for (CompletableFuture<?> one : all) {
      one.handle((_, _) -> true).get(5, TimeUnit.MINUTES);
    }
    assertThatThrownBy(store::accounts).isInstanceOf(StoreClosed.class);
  }

  private static String block(CountDownLatch busy, CountDownLatch go) throws SQLException {
    busy.countDown();
    boolean interrupted = false;
    while (go.getCount() > 0) {
      try {
        go.await();
      } catch (InterruptedException e) {
        interrupted = true; // as a call into SQLite would
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return "done";
  }
}
