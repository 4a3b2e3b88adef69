package dev.postrider.bench;

import dev.postrider.Postrider;
import dev.postrider.event.Event;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** Many callers, each with one message at a time, and a limit on what is under way. */
final class Load {
  private static final int CALLERS = 256;
  private static final int UNDER_WAY = 1_000;

  private Load() {}

  /**
   * Messages per second, from the first hand-in to the last stored outcome, with at most {@value
   * #UNDER_WAY} between the two at any time: a steady state, not the draining of a heap.
   *
   * @param nodes where messages end
   * @param handIn hands the message of this number in, and returns when it is durable
   */
  static double run(List<Postrider> nodes, int messages, IntConsumer handIn)
      throws InterruptedException {
    CountDownLatch delivered = new CountDownLatch(messages);
    Semaphore underWay = new Semaphore(UNDER_WAY);
    AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();
    for (Postrider node : nodes) {
      node.events()
          .subscribe(
              event -> {
                if (event instanceof Event.Delivered) {
                  delivered.countDown();
                  underWay.release();
                }
              });
    }
    AtomicInteger next = new AtomicInteger();
    long start = System.nanoTime();
    for (int i = 0; i < CALLERS; i++) {
      Thread.ofVirtual()
          .start(
              () -> {
                for (int n = next.getAndIncrement(); n < messages; n = next.getAndIncrement()) {
                  underWay.acquireUninterruptibly();
                  try {
                    handIn.accept(n);
                  } catch (RuntimeException e) {
                    failure.set(e);
                    delivered.countDown();
                    underWay.release();
                  }
                }
              });
    }
    delivered.await();
    double seconds = (System.nanoTime() - start) / 1e9;
    RuntimeException failed = failure.get();
    if (failed != null) {
      throw failed; // a figure with refusals in it means nothing
    }
    return messages / seconds;
  }
}
