package dev.postrider.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.MessageId;
import dev.postrider.message.Status;
import dev.postrider.store.QueueDepth;
import dev.postrider.store.message.AcceptResult;
import dev.postrider.store.message.SettleResult;
import dev.postrider.store.message.StoredMessage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Many at once: nothing is lost, nobody overtakes himself, one of many rivals wins. */
abstract class Crowds extends StoreBehaviour {
  private static final int THREADS = 64;

  Crowds(StoreContract contract) {
    super(contract);
  }

  /** Runs the task on many threads that start together. */
  static <T> List<T> together(int threads, Callable<T> task) throws Exception {
    CountDownLatch start = new CountDownLatch(threads);
    List<Future<T>> running = new ArrayList<>();
    List<T> results = new ArrayList<>();
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < threads; i++) {
        running.add(
            executor.submit(
                () -> {
                  start.countDown();
                  start.await();
                  return task.call();
                }));
      }
      for (Future<T> each : running) {
        results.add(each.get());
      }
    } catch (ExecutionException e) {
      throw new AssertionError(e.getCause());
    }
    return results;
  }

  @Test
  void what_many_threads_hand_in_is_durable_and_keeps_each_ones_order() throws Exception {
    int each = 10;
    List<List<MessageId>> handedIn =
        together(
            THREADS,
            () -> {
              List<MessageId> mine = new ArrayList<>();
              List<CompletableFuture<AcceptResult>> writes = new ArrayList<>();
              for (int i = 0; i < each; i++) {
                MessageDraft draft = to("ann");
                mine.add(draft.id());
                writes.add(store.accept(draft.build()));
              }
              for (CompletableFuture<AcceptResult> write : writes) {
                assertThat(done(write)).isInstanceOf(AcceptResult.Stored.class);
              }
              return mine;
            });
    if (remembers()) {
      reopen();
    }

    Map<MessageId, Integer> places = new HashMap<>();
    SettleResult last =
        new SettleResult(
            true, null, done(store.reserve(headRows().getFirst(), leave(at(1)))).orElseThrow());
    for (StoredMessage next = last.reserved(); next != null; next = last.reserved()) {
      places.put(next.id(), places.size());
      last = settle(SettlementDraft.of(next, lease).at(at(1)).then(leave(at(1))));
    }

    assertThat(places).hasSize(THREADS * each);
    for (List<MessageId> mine : handedIn) {
      assertThat(mine.stream().map(places::get)).isSorted();
    }
  }

  @Test
  void one_of_many_reserves_the_head() throws Exception {
    StoredMessage message = stored(to("ann"));

    List<Optional<StoredMessage>> won =
        together(THREADS, () -> done(store.reserve(message.row(), leave(at(1)))));

    assertThat(won.stream().filter(Optional::isPresent)).hasSize(1);
    assertThat(find(message.id()).attempts()).isEqualTo(1);
  }

  @Test
  void one_of_many_settles_the_attempt() throws Exception {
    StoredMessage message = sending(to("ann"));

    List<SettleResult> settled = together(THREADS, () -> deliver(message, at(1)));

    assertThat(settled.stream().filter(SettleResult::applied)).hasSize(1);
  }

  @Test
  void one_of_many_with_a_key_is_stored() throws Exception {
    List<AcceptResult> accepted =
        together(THREADS, () -> done(store.accept(to("ann").key("k").build())));

    assertThat(accepted).filteredOn(AcceptResult.Stored.class::isInstance).hasSize(1);
    assertThat(accepted).filteredOn(AcceptResult.Duplicate.class::isInstance).hasSize(THREADS - 1);
  }

  @Test
  void one_of_many_replays_the_dead_letter() throws Exception {
    StoredMessage dead = ended(to("ann"), Status.FAILED, at(1));

    List<AcceptResult> accepted =
        together(THREADS, () -> done(store.accept(to("ann").replays(dead.id()).build())));

    assertThat(accepted).filteredOn(AcceptResult.Stored.class::isInstance).hasSize(1);
  }

  @Test
  void one_of_many_is_first_in_the_lane() throws Exception {
    List<AcceptResult.Stored> accepted =
        together(THREADS, () -> accept(to("ann").reserve(leave(at(0)))));

    assertThat(accepted).filteredOn(AcceptResult.Stored::reserved).hasSize(1);
    assertThat(store.interrupted("bot")).hasSize(1);
    assertThat(headRows()).isEmpty();
  }

  @Test
  void a_lane_never_holds_more_than_its_limit() throws Exception {
    List<AcceptResult> accepted =
        together(THREADS, () -> done(store.accept(to("ann").laneHolds(10).build())));

    assertThat(accepted).filteredOn(AcceptResult.Stored.class::isInstance).hasSize(10);
    assertThat(accepted)
        .filteredOn(AcceptResult.LaneFull.class::isInstance)
        .hasSize(THREADS - 10)
        .containsOnly(new AcceptResult.LaneFull(10));
  }

  @Test
  void one_of_many_takes_the_lease() throws Exception {
    List<Boolean> taken =
        together(
            THREADS,
            () -> done(store.acquire("account", Thread.currentThread().toString())).isPresent());

    assertThat(taken).filteredOn(Boolean::booleanValue).hasSize(1);
  }

  @Test
  void a_write_is_seen_by_whoever_reads_after_its_future() throws Exception {
    together(
        THREADS,
        () -> {
          StoredMessage message = stored(to("ann").unordered());
          assertThat(status(message)).isEqualTo(Status.QUEUED);
          done(store.cancel(message.id(), at(1)));
          assertThat(status(message)).isEqualTo(Status.CANCELLED);
          return true;
        });
  }

  @Test
  void a_count_taken_while_messages_end_counts_each_of_them_once() throws Exception {
    int all = 400;
    List<CompletableFuture<AcceptResult>> writes = new ArrayList<>();
    for (int i = 0; i < all; i++) {
      writes.add(store.accept(to("chat" + i).expires(at(i)).build()));
    }
    writes.forEach(this::done);
    AtomicBoolean over = new AtomicBoolean();
    Thread ending =
        Thread.ofVirtual()
            .start(
                () -> {
                  while (!done(store.expire(at(all), 2)).isEmpty()) {
                    // until all are gone
                  }
                  over.set(true);
                });

    while (!over.get()) {
      QueueDepth depth = done(store.depths()).getFirst();
      assertThat(depth.active() + depth.deadLetters()).isEqualTo(all);
    }
    ending.join();
    assertThat(done(store.depths())).containsExactly(new QueueDepth("bot", 0, all, 0, 0));
  }
}
