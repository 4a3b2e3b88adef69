package dev.postrider.bench;

import dev.postrider.Postrider;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.ClusterSettings;
import dev.postrider.config.PostriderConfig;
import dev.postrider.config.QueueSettings;
import dev.postrider.event.Event;
import dev.postrider.message.Message;
import dev.postrider.sqlite.SqliteStoreProvider;
import dev.postrider.time.SystemScheduler;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** In process, on a platform that takes everything at once: throughput, and latency when idle. */
final class EndToEnd {
  private static final int CALLERS = 256;
  private static final int UNDER_WAY = 1_000;
  private static final String TEXT = "x".repeat(160);

  private EndToEnd() {}

  static Postrider open(Path file, NoopChannel channel) {
    SystemScheduler time = new SystemScheduler();
    PostriderConfig config =
        PostriderConfig.store("sqlite:" + file)
            .queue(
                QueueSettings.DEFAULTS.with(s -> s.maxQueueDepth = s.maxAccountDepth = 10_000_000))
            .account(AccountConfig.of("bot", "noop"))
            .account(AccountConfig.of("backlog", "noop"));
    return Postrider.open(
        config,
        time,
        new SqliteStoreProvider().open("sqlite:" + file, ClusterSettings.of("test"), time),
        () -> ThreadLocalRandom.current().nextLong(),
        List.of(channel));
  }

  /**
   * Messages per second, from the first hand-in to the last stored outcome, with at most {@value
   * #UNDER_WAY} between the two at any time: a steady state, not the draining of a heap.
   */
  static double throughput(Path file, int messages, int chats) throws InterruptedException {
    try (Postrider postrider = open(file, new NoopChannel())) {
      CountDownLatch delivered = new CountDownLatch(messages);
      Semaphore underWay = new Semaphore(UNDER_WAY);
      postrider
          .events()
          .subscribe(
              event -> {
                if (event instanceof Event.Delivered) {
                  delivered.countDown();
                  underWay.release();
                }
              });
      AtomicInteger next = new AtomicInteger();
      long start = System.nanoTime();
      for (int i = 0; i < CALLERS; i++) {
        Thread.ofVirtual()
            .start(
                () -> {
                  for (int n = next.getAndIncrement(); n < messages; n = next.getAndIncrement()) {
                    underWay.acquireUninterruptibly();
                    postrider.send(Message.to("bot", "chat-" + n % chats).text(TEXT).build());
                  }
                });
      }
      delivered.await();
      return messages / ((System.nanoTime() - start) / 1e9);
    }
  }

  /**
   * Milliseconds from hand-in to platform request, one message at a time: median and 99th
   * percentile.
   */
  static double[] idleLatency(Path file, int messages) {
    NoopChannel channel = new NoopChannel();
    double[] millis = new double[messages];
    try (Postrider postrider = open(file, channel)) {
      for (int n = -200; n < messages; n++) {
        channel.expectFirst();
        long start = System.nanoTime();
        postrider.send(Message.to("bot", "chat-" + n).text(TEXT).build());
        long sent = channel.awaitFirst();
        if (n >= 0) {
          millis[n] = (sent - start) / 1e6;
        }
      }
    }
    Arrays.sort(millis);
    return new double[] {millis[messages / 2], millis[messages * 99 / 100]};
  }
}
