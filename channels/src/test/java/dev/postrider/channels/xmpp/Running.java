package dev.postrider.channels.xmpp;

import dev.postrider.channel.AccountContext;
import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Link;
import dev.postrider.channel.Memory;
import dev.postrider.channel.Outcome;
import dev.postrider.channels.TestAccount;
import dev.postrider.channels.TestMemory;
import dev.postrider.config.AccountConfig;
import dev.postrider.message.Message;
import dev.postrider.time.Scheduler;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** An account as the engine works it: one task listens, others send. */
final class Running implements AutoCloseable, AccountContext {
  static final String READY = "ready";
  private static final String ENDED = "the end: ";

  private final AccountConfig config;
  private final Scheduler time;
  private final Memory memory;
  private final BlockingQueue<String> readiness = new LinkedBlockingQueue<>();
  private final List<Thread> listeners = new CopyOnWriteArrayList<>();
  private final TestAccount parts;
  final Heard heard;
  final Link link;

  Running(AccountConfig config, Scheduler time, @Nullable String cursor) {
    this.config = config;
    this.time = time;
    memory = new TestMemory(time);
    parts = TestAccount.of(config);
    heard = new Heard(cursor);
    link = new XmppChannel().open(this);
  }

  /** Listens on one connection; done with what ended it. */
  CompletableFuture<Exception> listen() {
    CompletableFuture<Exception> end = new CompletableFuture<>();
    listeners.add(
        Thread.startVirtualThread(
            () -> {
              try {
                link.listen(heard);
                end.complete(new IllegalStateException("it returned"));
              } catch (Exception e) {
                end.complete(e);
              }
            }));
    return end;
  }

  /** Listens, and returns once the account is ready. */
  CompletableFuture<Exception> connect() throws InterruptedException {
    readiness.clear(); // of the connection before
    CompletableFuture<Exception> end = listen();
    end.thenAccept(e -> readiness.add(ENDED + e));
    awaitState(READY);
    return end;
  }

  /** Waits until the account says so; gives what it said before. */
  void awaitState(String state) throws InterruptedException {
    String said = "";
    while (!said.contains(state)) {
      said = readiness.poll(2, TimeUnit.MINUTES);
      if (said == null || said.startsWith(ENDED)) {
        throw new AssertionError("the account is never " + state + ": " + said);
      }
    }
  }

  Dispatch part(String to, String text) {
    return parts.part(to, text);
  }

  Dispatch part(Message.Builder message) {
    return parts.part(message);
  }

  Outcome send(String to, String text) throws Exception {
    return link.send(part(to, text));
  }

  /** Sends in a task of its own. */
  CompletableFuture<Outcome> sending(Dispatch part) {
    CompletableFuture<Outcome> outcome = new CompletableFuture<>();
    Thread.startVirtualThread(
        () -> {
          try {
            outcome.complete(link.send(part));
          } catch (Exception e) {
            outcome.completeExceptionally(e);
          }
        });
    return outcome;
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
    return memory;
  }

  @Override
  public void ready() {
    readiness.add(READY);
  }

  @Override
  public void notReady(String reason) {
    readiness.add("not " + reason);
  }

  @Override
  public void close() {
    link.close();
    listeners.forEach(Thread::interrupt);
  }
}
