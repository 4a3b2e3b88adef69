package dev.postrider.channels;

import dev.postrider.channel.InboundSink;
import dev.postrider.channel.Remembered;
import dev.postrider.inbound.DeliveryReport;
import dev.postrider.inbound.InboundMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Takes what a link hears, until it has heard enough; then it interrupts the listener. */
public final class TestInlet implements InboundSink {
  public final AtomicInteger connections = new AtomicInteger();
  public final List<String> failures = new CopyOnWriteArrayList<>();
  public final CountDownLatch connected = new CountDownLatch(1);
  private final CountDownLatch enough;
  private final List<InboundMessage> arrivals = new ArrayList<>();
  private final List<DeliveryReport> reports = new ArrayList<>();
  public final List<Remembered> remembered = new CopyOnWriteArrayList<>();
  private @Nullable String cursor;

  public TestInlet(@Nullable String cursor, int arrivalsWanted) {
    this.cursor = cursor;
    this.enough = new CountDownLatch(arrivalsWanted);
  }

  @Override
  public synchronized @Nullable String cursor() {
    return cursor;
  }

  @Override
  public synchronized void take(
      List<InboundMessage> came,
      List<DeliveryReport> told,
      @Nullable String readUpTo,
      List<Remembered> memory) {
    connected.countDown(); // handing something in says the same
    arrivals.addAll(came);
    reports.addAll(told);
    remembered.addAll(memory);
    cursor = readUpTo == null ? cursor : readUpTo;
    came.forEach(_ -> enough.countDown());
    if (enough.getCount() == 0) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void connected() {
    connections.incrementAndGet();
    connected.countDown();
  }

  @Override
  public void failing(String cause) {
    failures.add(cause);
  }

  @Override
  public boolean pause(Duration duration) {
    return !Thread.currentThread().isInterrupted();
  }

  public synchronized List<InboundMessage> arrivals() {
    return List.copyOf(arrivals);
  }

  public synchronized List<DeliveryReport> reports() {
    return List.copyOf(reports);
  }
}
