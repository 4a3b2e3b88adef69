package dev.postrider.channels.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.AccountContext;
import dev.postrider.channel.InboundSink;
import dev.postrider.channel.Link;
import dev.postrider.channel.Memory;
import dev.postrider.channel.Remembered;
import dev.postrider.channels.TestMemory;
import dev.postrider.config.AccountConfig;
import dev.postrider.inbound.DeliveryReport;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.time.Scheduler;
import dev.postrider.time.SystemScheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * An account in real time, since a program is on the other side: the engine's part as far as a
 * sidecar needs it. Tests wait for what happens, never for time to pass.
 */
public final class LiveAccount implements AccountContext, InboundSink, AutoCloseable {
  private static final long LIMIT = 2; // minutes; only a test that has failed waits so long

  private final AccountConfig config;
  private final SystemScheduler scheduler = new SystemScheduler();
  private final TestMemory memory = new TestMemory(Instant::now);
  private final BlockingQueue<String> told = new LinkedBlockingQueue<>();
  public final BlockingQueue<InboundMessage> messages = new LinkedBlockingQueue<>();
  public final BlockingQueue<DeliveryReport> reports = new LinkedBlockingQueue<>();
  private volatile @Nullable String cursor;
  private Thread listener = new Thread(() -> {});

  public LiveAccount(AccountConfig config) {
    this.config = config;
  }

  /** Listens as the engine does; the future tells how it ended. */
  public CompletableFuture<Exception> listen(Link link) {
    CompletableFuture<Exception> end = new CompletableFuture<>();
    listener =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    link.listen(this);
                    end.complete(new Exception("it returned"));
                  } catch (Exception e) {
                    end.complete(e);
                  }
                });
    return end;
  }

  public void interrupt() {
    listener.interrupt();
  }

  public static <T> T next(BlockingQueue<T> queue) throws InterruptedException {
    T next = queue.poll(LIMIT, TimeUnit.MINUTES);
    assertThat(next).as("nothing came").isNotNull();
    return next;
  }

  /** Waits until the account was told something that begins so. */
  public String awaitTold(String beginning) throws InterruptedException {
    String word = next(told);
    while (!word.startsWith(beginning)) {
      word = next(told);
    }
    return word;
  }

  @Override
  public AccountConfig config() {
    return config;
  }

  @Override
  public Scheduler scheduler() {
    return scheduler;
  }

  @Override
  public Memory memory() {
    return memory;
  }

  @Override
  public void ready() {
    told.add("ready");
  }

  @Override
  public void notReady(String reason) {
    told.add("not ready: " + reason);
  }

  @Override
  public @Nullable String cursor() {
    return cursor;
  }

  @Override
  public void take(
      List<InboundMessage> arrivals,
      List<DeliveryReport> reported,
      @Nullable String readUpTo,
      List<Remembered> remembered) {
    memory.write(remembered);
    cursor = readUpTo == null ? cursor : readUpTo;
    messages.addAll(arrivals);
    reports.addAll(reported);
  }

  @Override
  public void connected() {
    told.add("connected");
  }

  @Override
  public void failing(String cause) {
    told.add("failing: " + cause);
  }

  @Override
  public boolean pause(Duration duration) {
    return true;
  }

  @Override
  public void close() {
    scheduler.close();
  }
}
