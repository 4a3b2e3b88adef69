package dev.postrider.channels.irc;

import dev.postrider.channel.AccountContext;
import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Link;
import dev.postrider.channel.Memory;
import dev.postrider.channel.Outcome;
import dev.postrider.channels.TestAccount;
import dev.postrider.channels.TestInlet;
import dev.postrider.channels.TestMemory;
import dev.postrider.config.AccountConfig;
import dev.postrider.message.Message;
import dev.postrider.time.Scheduler;
import dev.postrider.time.SystemScheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** An account as the engine would hold it, in real time, and its listener. */
final class IrcRig implements AccountContext, AutoCloseable {
  private static final int MANY = 1_000_000;

  private final SystemScheduler time = new SystemScheduler();
  private final AccountConfig config;
  private final TestAccount parts;
  private final List<String> readiness = new ArrayList<>(); // guarded by this
  final TestInlet inlet = new TestInlet(null, MANY);
  final Link link;

  IrcRig(AccountConfig config) {
    this.config = config;
    parts = TestAccount.of(config);
    link = new IrcChannel().open(this);
  }

  static AccountConfig account(int port) {
    return AccountConfig.of("net", "irc")
        .set("host", "127.0.0.1")
        .set("port", port)
        .set("tls", false)
        .set("nick", "rider")
        .set("timeout", "2m");
  }

  /** Connects once, as the engine does; the future ends with the connection, and says why. */
  CompletableFuture<Exception> listen() {
    CompletableFuture<Exception> end = new CompletableFuture<>();
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
    awaitReadiness(last -> last.equals("ready") || end.isDone());
    if (end.isDone()) {
      throw end.join();
    }
    return end;
  }

  static String cause(CompletableFuture<Exception> end) throws Exception {
    return String.valueOf(end.get(2, TimeUnit.MINUTES).getMessage());
  }

  Outcome send(String to, String text) throws Exception {
    return link.send(part(to, text));
  }

  Outcome send(Message.Builder message) throws Exception {
    return link.send(parts.part(message));
  }

  Dispatch part(String to, String text) {
    return parts.part(to, text);
  }

  /** Sends in a task of its own. */
  CompletableFuture<Outcome> sending(String to, String text) {
    Dispatch part = part(to, text);
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return link.send(part);
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        },
        task -> Thread.ofVirtual().start(task));
  }

  synchronized void awaitReadiness(Predicate<String> last) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
    while (!last.test(readiness.getLast())) {
      if (System.nanoTime() > end) {
        throw new AssertionError("still " + readiness);
      }
      wait(20);
    }
  }

  synchronized List<String> readiness() {
    return List.copyOf(readiness);
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
    return new TestMemory(time);
  }

  @Override
  public synchronized void ready() {
    readiness.add("ready");
    notifyAll();
  }

  @Override
  public synchronized void notReady(String reason) {
    readiness.add("not ready: " + reason);
    notifyAll();
  }

  @Override
  public void close() {
    link.close();
    time.close();
  }
}
