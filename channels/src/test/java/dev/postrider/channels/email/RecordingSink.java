package dev.postrider.channels.email;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.InboundSink;
import dev.postrider.channel.Remembered;
import dev.postrider.inbound.DeliveryReport;
import dev.postrider.inbound.InboundMessage;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Where things are handed in. */
final class RecordingSink implements InboundSink {
  final AtomicInteger connections = new AtomicInteger();
  final List<String> failures = new CopyOnWriteArrayList<>();

  record Taken(List<InboundMessage> arrivals, List<DeliveryReport> reports, String cursor) {}

  final BlockingQueue<Taken> taken = new LinkedBlockingQueue<>();
  final List<Remembered> remembered = new CopyOnWriteArrayList<>();
  final Semaphore rounds = new Semaphore(0);
  volatile @Nullable String cursor;
  volatile boolean away;

  @Override
  public @Nullable String cursor() {
    return cursor;
  }

  @Override
  public void take(
      List<InboundMessage> arrivals,
      List<DeliveryReport> reports,
      @Nullable String next,
      List<Remembered> memory) {
    if (away) {
      throw new IllegalStateException("the store is away");
    }
    cursor = next;
    remembered.addAll(memory);
    taken.add(new Taken(arrivals, reports, next));
  }

  @Override
  public void connected() {
    connections.incrementAndGet();
  }

  @Override
  public void failing(String cause) {
    failures.add(cause);
  }

  @Override
  public boolean pause(Duration duration) {
    try {
      rounds.acquire();
      return true;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  Taken next() throws InterruptedException {
    Taken next = taken.poll(5, TimeUnit.MINUTES);
    assertThat(next).as("something handed in").isNotNull();
    return next;
  }

  String text() throws InterruptedException {
    return next().arrivals().getFirst().text();
  }
}
