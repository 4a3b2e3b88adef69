package dev.postrider.channels.xmpp;

import dev.postrider.channel.InboundSink;
import dev.postrider.channel.Remembered;
import dev.postrider.inbound.DeliveryReport;
import dev.postrider.inbound.InboundMessage;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Takes what a link hears, for a test to wait for. */
final class Heard implements InboundSink {
  final BlockingQueue<InboundMessage> arrivals = new LinkedBlockingQueue<>();
  final BlockingQueue<DeliveryReport> reports = new LinkedBlockingQueue<>();
  private volatile @Nullable String cursor;

  Heard(@Nullable String cursor) {
    this.cursor = cursor;
  }

  InboundMessage arrival() throws InterruptedException {
    return taken(arrivals);
  }

  DeliveryReport report() throws InterruptedException {
    return taken(reports);
  }

  private static <T> T taken(BlockingQueue<T> from) throws InterruptedException {
    T one = from.poll(2, TimeUnit.MINUTES);
    if (one == null) {
      throw new AssertionError("nothing came");
    }
    return one;
  }

  @Override
  public @Nullable String cursor() {
    return cursor;
  }

  @Override
  public void take(
      List<InboundMessage> came,
      List<DeliveryReport> told,
      @Nullable String readUpTo,
      List<Remembered> memory) {
    arrivals.addAll(came);
    reports.addAll(told);
    cursor = readUpTo == null ? cursor : readUpTo;
  }

  @Override
  public void connected() {}

  @Override
  public void failing(String cause) {}

  @Override
  public boolean pause(Duration duration) {
    return true;
  }
}
