package dev.postrider.channels.tlon;

import dev.postrider.channel.AccountContext;
import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Link;
import dev.postrider.channel.Memory;
import dev.postrider.channel.Outcome;
import dev.postrider.channels.TestAccount;
import dev.postrider.channels.TestInlet;
import dev.postrider.config.AccountConfig;
import dev.postrider.message.Message;
import dev.postrider.time.Scheduler;
import dev.postrider.time.SystemScheduler;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** An account as the engine would hold it, in real time, and its listener. */
final class TlonRig implements AccountContext, AutoCloseable {
  private final Scheduler time;
  private final AccountConfig config;
  final TestAccount parts;
  final List<String> readiness = new CopyOnWriteArrayList<>();
  private final BlockingQueue<String> changes = new LinkedBlockingQueue<>();
  final TestInlet inlet;
  final Link link;
  private @Nullable Thread listening;

  TlonRig(AccountConfig config) {
    this(config, null, Integer.MAX_VALUE);
  }

  TlonRig(AccountConfig config, @Nullable String cursor, int arrivals) {
    this(config, cursor, arrivals, new SystemScheduler());
  }

  TlonRig(AccountConfig config, @Nullable String cursor, int arrivals, Scheduler time) {
    this.config = config;
    this.time = time;
    parts = TestAccount.of(config);
    inlet = new TestInlet(cursor, arrivals);
    link = new TlonChannel().open(this);
    changes.clear();
  }

  /** Connects once, as the engine does; the future ends with the connection, and says why. */
  CompletableFuture<Exception> listen() {
    CompletableFuture<Exception> end = new CompletableFuture<>();
    listening =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    link.listen(inlet);
                    end.complete(new Exception("returned"));
                  } catch (Exception e) {
                    end.complete(e);
                  }
                });
    return end;
  }

  /** Connects and waits until messages can be sent. */
  CompletableFuture<Exception> connected() throws Exception {
    CompletableFuture<Exception> end = listen();
    String change = changes.poll(2, TimeUnit.MINUTES);
    if (!"ready".equals(change)) {
      throw new AssertionError(change + " " + end);
    }
    return end;
  }

  /** The same, again and again until the connection stands: its limits are in real time. */
  void connectedAtLast() throws Exception {
    do {
      listen();
    } while (!"ready".equals(changes.poll(2, TimeUnit.MINUTES)));
  }

  static Exception end(CompletableFuture<Exception> end) throws Exception {
    return end.get(2, TimeUnit.MINUTES);
  }

  /** Waits until the account cannot be sent to, and says why. */
  String notReady() throws Exception {
    return String.valueOf(changes.poll(2, TimeUnit.MINUTES));
  }

  Outcome send(String to, String text) throws Exception {
    return link.send(part(to, text));
  }

  Dispatch part(String to, String text) {
    return parts.part(to, text);
  }

  Dispatch part(Message.Builder message) {
    return parts.part(message);
  }

  @Override
  public AccountConfig config() {
    return config;
  }

  @Override
  public Scheduler scheduler() {
    return time;
  }

  @Override
  public Memory memory() {
    return parts.memory();
  }

  @Override
  public void ready() {
    readiness.add("ready");
    changes.add("ready");
  }

  @Override
  public void notReady(String reason) {
    readiness.add(reason);
    changes.add(reason);
  }

  @Override
  public void close() {
    link.close();
    if (listening != null) {
      listening.interrupt();
      try {
        listening.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    if (time instanceof SystemScheduler real) {
      real.close();
    }
  }
}
