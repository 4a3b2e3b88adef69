package dev.postrider.channels.signal;

import dev.postrider.channel.Alias;
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
import org.jspecify.annotations.Nullable;

/** Keeps what a link hears, for another thread to wait for. */
final class Inbox implements InboundSink {
  final BlockingQueue<InboundMessage> arrivals = new LinkedBlockingQueue<>();
  final BlockingQueue<DeliveryReport> reports = new LinkedBlockingQueue<>();
  final List<Alias> aliases = new CopyOnWriteArrayList<>();
  final Semaphore connections = new Semaphore(0);

  @Override
  public @Nullable String cursor() {
    return null;
  }

  @Override
  public void take(
      List<InboundMessage> came,
      List<DeliveryReport> told,
      @Nullable String readUpTo,
      List<Remembered> memory) {
    arrivals.addAll(came);
    reports.addAll(told);
  }

  @Override
  public void take(
      List<InboundMessage> came,
      List<DeliveryReport> told,
      @Nullable String readUpTo,
      List<Remembered> memory,
      List<Alias> names) {
    aliases.addAll(names);
    take(came, told, readUpTo, memory);
  }

  @Override
  public void connected() {
    connections.release();
  }

  @Override
  public void failing(String cause) {}

  @Override
  public boolean pause(Duration duration) {
    return true;
  }
}
