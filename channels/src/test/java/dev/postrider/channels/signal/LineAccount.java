package dev.postrider.channels.signal;

import dev.postrider.channel.AccountContext;
import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Link;
import dev.postrider.channels.TestAccount;
import dev.postrider.channels.TestMemory;
import dev.postrider.config.AccountConfig;
import dev.postrider.time.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * An account whose peer lives in real time, while its timers go off when a test says so: those that
 * watch over a connection, and those that limit an answer.
 */
final class LineAccount implements AccountContext, Scheduler {
  static final Duration IDLE = Duration.ofSeconds(61);
  static final Duration PATIENCE = Duration.ofSeconds(121);

  private final AccountConfig config;
  private final TestMemory memory = new TestMemory(this);
  private final BlockingQueue<Runnable> watches = new LinkedBlockingQueue<>();
  private final BlockingQueue<Runnable> limits = new LinkedBlockingQueue<>();
  final List<String> readiness = new CopyOnWriteArrayList<>();
  final Inbox inbox = new Inbox();

  LineAccount(AccountConfig config) {
    this.config =
        config
            .set("number", FakeSignalCli.NUMBER)
            .set("idle", IDLE.toSeconds() + "s")
            .set("timeout", PATIENCE.toSeconds() + "s");
  }

  Link open() {
    return new SignalChannel().open(this);
  }

  Dispatch part(String text) {
    return TestAccount.of(config).part(FakeSignalCli.ANN, text);
  }

  /** Listens in a task of its own; ends with the cause. */
  CompletableFuture<Exception> listening(Link link) {
    CompletableFuture<Exception> end = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                link.listen(inbox);
                end.complete(new AssertionErrorInside());
              } catch (Exception e) {
                end.complete(e);
              }
            });
    return end;
  }

  /** It returned instead of telling why. */
  static final class AssertionErrorInside extends Exception {
    private static final long serialVersionUID = 1L;
  }

  /** The time goes by in which a connection may be quiet. */
  void idle() throws InterruptedException {
    Thread.ofVirtual().start(watches.take());
  }

  /** The time goes by in which an answer may come. */
  void late() throws InterruptedException {
    Thread.ofVirtual().start(limits.take());
  }

  @Override
  public AccountConfig config() {
    return config;
  }

  @Override
  public Scheduler scheduler() {
    return this;
  }

  @Override
  public TestMemory memory() {
    return memory;
  }

  @Override
  public void ready() {
    readiness.add("ready");
  }

  @Override
  public void notReady(String reason) {
    readiness.add("not ready: " + reason);
  }

  @Override
  public Instant instant() {
    return Instant.parse("2026-03-01T12:00:00Z");
  }

  @Override
  public Duration elapsed() {
    return Duration.ZERO;
  }

  @Override
  public Task start(String name, Runnable body) {
    return Thread.ofVirtual().start(body)::interrupt;
  }

  @Override
  public Timer after(Duration wait, Runnable task) {
    BlockingQueue<Runnable> timers = wait.equals(IDLE) ? watches : limits;
    timers.add(task);
    return () -> timers.remove(task);
  }

  @Override
  public Timer at(Instant when, Runnable task) {
    throw new UnsupportedOperationException("nothing here asks for a time of day");
  }

  @Override
  public <T> T await(CompletableFuture<T> future) {
    return future.join();
  }
}
