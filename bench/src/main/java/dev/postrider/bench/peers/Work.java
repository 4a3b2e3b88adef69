package dev.postrider.bench.peers;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One piece of work on one queue. {@code driver.mjs} does the same for queues of Node, so a change
 * here is a change there.
 *
 * @param count how many items
 * @param keys among how many chats, in turn
 * @param callers how many hand in at once
 * @param bulk how many one call hands in
 * @param failEvery every so many fail when they are handled first; 0 if none does
 * @param underWay how many may be between hand-in and end
 * @param perSecond how many come each second; 0 if one comes when the one before was handled
 * @param waiting how many are handed in before anything is handled
 */
record Work(
    int count,
    int keys,
    int callers,
    int bulk,
    int failEvery,
    int underWay,
    int perSecond,
    int waiting) {

  Map<String, Double> run(String what, Queue queue) throws Exception {
    return switch (what) {
      case "enqueue" -> enqueue(queue);
      case "fifo" -> fifo(queue);
      case "latency" -> latency(queue);
      case "drain" -> drain(queue);
      case "produce" -> produce(queue);
      case "resume" -> resume(queue);
      default -> throw new IllegalArgumentException(what);
    };
  }

  /** Hands in, and nothing is handled. */
  private Map<String, Double> enqueue(Queue queue) throws Exception {
    queue.pause();
    Meter meter = new Meter();
    each(
        count,
        from -> {
          handIn(queue, from, count);
          meter.ended(Math.min(bulk, count - from));
        });
    return Map.of("perSecond", meter.rate());
  }

  /** From the first hand-in to the last end, in order of each key. */
  private Map<String, Double> fifo(Queue queue) throws Exception {
    Semaphore permits = new Semaphore(underWay);
    Meter meter = new Meter();
    Checker checker =
        new Checker() {
          @Override
          public void ended() {
            permits.release();
            meter.ended(1);
          }
        };
    queue.work(checker);
    each(
        count,
        from -> {
          permits.acquireUninterruptibly(Math.min(bulk, count - from));
          handIn(queue, from, count);
        });
    return Map.of(
        "perSecond", meter.rate(),
        "violations", (double) checker.violations.get(),
        "repeats", (double) checker.repeats.get());
  }

  /** From hand-in to handling, in milliseconds. */
  private Map<String, Double> latency(Queue queue) throws Exception {
    Map<Integer, Long> started = new ConcurrentHashMap<>();
    double[] millis = new double[count];
    AtomicInteger handled = new AtomicInteger();
    Semaphore seen = new Semaphore(0);
    queue.work(
        new Queue.Worker() {
          @Override
          public void handle(Item item) {
            Long start = started.remove(item.n());
            if (start != null) {
              millis[handled.getAndIncrement()] = (System.nanoTime() - start) / 1e6;
              seen.release();
            }
          }

          @Override
          public void ended() {}
        });
    long begin = System.nanoTime();
    for (int n = 0; n < count; n++) {
      Item item = Item.of(n, keys);
      if (perSecond > 0) {
        long due = begin + 1_000_000_000L * n / perSecond;
        for (long wait = due - System.nanoTime(); wait > 0; wait = due - System.nanoTime()) {
          LockSupport.parkNanos(wait);
        }
        started.put(n, System.nanoTime());
        Thread.ofVirtual().start(() -> enqueueOne(queue, item));
      } else {
        started.put(n, System.nanoTime());
        queue.enqueue(item);
        seen.acquire();
      }
    }
    if (perSecond > 0) {
      seen.acquire(count);
    }
    double[] warm = Arrays.copyOfRange(millis, count / 10, count);
    Arrays.sort(warm);
    return Map.of("p50", warm[warm.length / 2], "p99", warm[(int) (warm.length * 0.99)]);
  }

  /** Handles the first of many that wait. */
  private Map<String, Double> drain(Queue queue) throws Exception {
    queue.pause();
    each(waiting, from -> handIn(queue, from, waiting));
    Meter meter = new Meter();
    queue.work(
        new Checker() {
          @Override
          public void ended() {
            meter.ended(1);
          }
        });
    return Map.of("perSecond", meter.rate());
  }

  /** Prints what was accepted and what was handled, until it is killed. */
  private Map<String, Double> produce(Queue queue) throws Exception {
    queue.work(new Printer());
    each(
        Integer.MAX_VALUE,
        from -> {
          enqueueOne(queue, Item.of(from, keys));
          print("accepted " + from);
        });
    return Map.of();
  }

  /** Prints what is handled of what was accepted before, until it is ended. */
  private Map<String, Double> resume(Queue queue) throws Exception {
    queue.work(new Printer());
    new CountDownLatch(1).await();
    return Map.of();
  }

  private void handIn(Queue queue, int from, int total) {
    try {
      if (bulk == 1) {
        queue.enqueue(Item.of(from, keys));
      } else {
        List<Item> items =
            IntStream.range(from, Math.min(from + bulk, total))
                .mapToObj(n -> Item.of(n, keys))
                .toList();
        queue.enqueueAll(items);
      }
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static void enqueueOne(Queue queue, Item item) {
    try {
      queue.enqueue(item);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Calls {@code begin} with the first number of every step, from all callers; items of a key come
   * from the same one, so that it is certain in which order they were handed in.
   */
  private void each(int total, IntConsumer begin) throws InterruptedException {
    AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();
    CountDownLatch ended = new CountDownLatch(callers);
    for (int i = 0; i < callers; i++) {
      long first = (long) i * bulk;
      Thread.ofVirtual()
          .start(
              () -> {
                try {
                  for (long n = first;
                      n < total && failure.get() == null;
                      n += (long) callers * bulk) {
                    begin.accept((int) n);
                  }
                } catch (RuntimeException e) {
                  failure.set(e);
                } finally {
                  ended.countDown();
                }
              });
    }
    ended.await();
    RuntimeException failed = failure.get();
    if (failed != null) {
      throw failed; // a figure with refusals in it means nothing
    }
  }

  private static synchronized void print(String line) {
    System.out.println(line);
    System.out.flush();
  }

  /** Ends per second, of which the first third warms up. */
  private final class Meter {
    private final AtomicInteger ended = new AtomicInteger();
    private final CountDownLatch all = new CountDownLatch(1);
    private volatile long from;
    private volatile long to;

    void ended(int items) {
      int before = ended.getAndAdd(items);
      if (before < count / 3 && before + items >= count / 3) {
        from = System.nanoTime();
      }
      if (before < count && before + items >= count) {
        to = System.nanoTime();
        all.countDown();
      }
    }

    double rate() throws InterruptedException {
      all.await();
      return (count - count / 3) / ((to - from) / 1e9);
    }
  }

  /** Fails some items once, and counts what comes out of turn or again. */
  private abstract class Checker implements Queue.Worker {
    final AtomicInteger violations = new AtomicInteger();
    final AtomicInteger repeats = new AtomicInteger();
    private final Set<Integer> failed = ConcurrentHashMap.newKeySet();
    private final Map<String, Integer> handled = new ConcurrentHashMap<>();

    @Override
    public void handle(Item item) {
      if (failEvery > 0 && item.n() % failEvery == 0 && failed.add(item.n())) {
        throw new IllegalStateException("injected");
      }
      handled.compute(
          item.key(),
          (_, last) -> {
            int before = last == null ? -1 : last;
            if (item.seq() == before) {
              repeats.incrementAndGet();
            }
            if (item.seq() != before + 1) {
              violations.incrementAndGet();
            }
            return Math.max(before, item.seq());
          });
    }
  }

  private static final class Printer implements Queue.Worker {
    @Override
    public void handle(Item item) {
      print("handled " + item.n());
    }

    @Override
    public void ended() {}
  }

  /** As the command line has it. */
  String json() {
    Map<String, Integer> fields = new LinkedHashMap<>();
    fields.put("count", count);
    fields.put("keys", keys);
    fields.put("callers", callers);
    fields.put("bulk", bulk);
    fields.put("failEvery", failEvery);
    fields.put("underWay", underWay);
    fields.put("perSecond", perSecond);
    fields.put("waiting", waiting);
    return Results.MAPPER.writeValueAsString(fields);
  }
}
