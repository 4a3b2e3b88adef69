package dev.postrider.channels.whatsappweb;

import dev.postrider.channel.Alias;
import dev.postrider.channel.InboundSink;
import dev.postrider.channel.Remembered;
import dev.postrider.channels.TestAccount;
import dev.postrider.inbound.DeliveryReport;
import dev.postrider.inbound.InboundMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Takes what is heard; before each pause something happens, and after the last it ends. */
final class Inlet implements InboundSink {
  private final TestAccount account;
  private final List<Runnable> between;
  final List<String> heard = new ArrayList<>();
  final List<InboundMessage> arrivals = new ArrayList<>();
  final List<DeliveryReport> reports = new ArrayList<>();
  final List<Duration> pauses = new ArrayList<>();
  @Nullable String cursor;

  Inlet(TestAccount account, Runnable... between) {
    this.account = account;
    this.between = new ArrayList<>(List.of(between));
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
    account.memory().write(memory);
  }

  @Override
  public void take(
      List<InboundMessage> came,
      List<DeliveryReport> told,
      @Nullable String readUpTo,
      List<Remembered> memory,
      List<Alias> aliases) {
    take(came, told, readUpTo, memory);
  }

  @Override
  public void connected() {
    heard.add("connected");
  }

  @Override
  public void failing(String cause) {
    heard.add(cause);
  }

  @Override
  public boolean pause(Duration duration) {
    pauses.add(duration);
    account.scheduler().pass(duration);
    if (between.isEmpty()) {
      return false;
    }
    between.removeFirst().run();
    return true;
  }
}
