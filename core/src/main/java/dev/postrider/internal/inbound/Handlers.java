package dev.postrider.internal.inbound;

import dev.postrider.config.InboundQueueSettings;
import dev.postrider.internal.context.EngineContext;
import dev.postrider.message.Message;
import dev.postrider.problem.Refused;
import dev.postrider.store.failure.StoreClosed;
import dev.postrider.store.inbound.StoredInbound;
import dev.postrider.time.Scheduler;
import dev.postrider.time.Signal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets code in this process handle inbound messages: takes as many as there are free handlers, each
 * in a task of its own, and renews its lease while it is handled. One for each piece of such code.
 * Thread-safe.
 */
public final class Handlers {
  private static final Logger log = LoggerFactory.getLogger(Handlers.class);
  private static final Duration AGAIN = Duration.ofSeconds(1);
  private static final Duration LOOK = Signal.LOOK_AGAIN;

  /** The code. */
  @FunctionalInterface
  public interface Code {
    /**
     * Handles an inbound message; gives what to answer when that is stored.
     *
     * @param held whether the inbound message is still its own; once it is not, somebody else may
     *     have it
     */
    List<Message> handle(StoredInbound inbound, Held held) throws Exception;
  }

  /** Whether an inbound message is still one's own. */
  public static final class Held {
    private volatile boolean lost;

    public boolean isLost() {
      return lost;
    }
  }

  private final EngineContext context;
  private final InboundQueueSettings settings;
  private final Set<String> accounts;
  private final InboundDispatcher dispatcher;
  private final InboundOperations inboundOperations;
  private final Code code;
  private final CompletableFuture<Void> idle = new CompletableFuture<>();
  private int busy; // guarded by this
  private boolean stopped; // guarded by this

  Handlers(
      EngineContext context,
      InboundQueueSettings settings,
      Set<String> accounts,
      InboundDispatcher dispatcher,
      InboundOperations inboundOperations,
      Code code) {
    this.context = context;
    this.settings = settings;
    this.accounts = accounts;
    this.dispatcher = dispatcher;
    this.inboundOperations = inboundOperations;
    this.code = code;
  }

  void start() {
    context.insist("hand-out", this::handOut);
  }

  // ---- handing out

  private void handOut() {
    try {
      while (!isStopped()) {
        try (Signal.Ear ear = dispatcher.bell().listen()) {
          ear.await(round());
        }
      }
    } catch (Scheduler.Interrupted e) {
      log.debug("Nothing is handed out any more");
    }
  }

  /** Hands out what is due to whoever is free; gives when to look again, if nobody rings before. */
  private Instant round() {
    Instant now = context.time().instant();
    try {
      int free = free();
      if (free == 0) {
        return now.plus(LOOK); // whoever is done rings
      }
      List<StoredInbound> events =
          context
              .time()
              .await(dispatcher.lease(accounts, free, settings.handlerLease(), context.node()));
      events.forEach(this::begin);
      return events.size() == free
          ? now.plus(LOOK)
          : context.time().await(dispatcher.nextDue(accounts, now, now.plus(LOOK)));
    } catch (Scheduler.Interrupted e) {
      throw e;
    } catch (RuntimeException e) {
      log.warn("Handing out will be tried again: {}", e.getMessage());
      return now.plus(AGAIN);
    }
  }

  private synchronized int free() {
    return stopped ? 0 : settings.concurrency() - busy;
  }

  private void begin(StoredInbound inbound) {
    synchronized (this) {
      busy++;
    }
    try {
      context.time().start("handle", () -> handle(inbound));
    } catch (RuntimeException | Error e) {
      done(); // its lease runs out
      throw e;
    }
  }

  // ---- one inbound message

  private void handle(StoredInbound inbound) {
    Held held = new Held();
    Renewal renewal = new Renewal(inbound, held);
    try {
      List<Message> answers;
      try {
        answers = code.handle(inbound, held);
      } catch (Scheduler.Interrupted | InterruptedException e) {
        return; // the process stops; the lease runs out
      } catch (Throwable e) { // whatever is wrong with it, the inbound message must not be stuck
        insist(() -> dispatcher.failed(inbound, describe(e), null));
        return;
      }
      finish(inbound, answers);
    } catch (Scheduler.Interrupted | StoreClosed e) {
      log.debug("Event {} is left to the next start", inbound.id());
    } finally {
      renewal.stop();
      done();
    }
  }

  private void finish(StoredInbound inbound, List<Message> answers) {
    boolean away;
    do {
      away = false;
      try {
        inboundOperations.done(inbound, answers);
      } catch (Refused e) {
        switch (e.why()) {
          case UNAVAILABLE -> {
            away = true;
            context.time().pause(AGAIN);
          }
          case CONFLICT ->
              log.warn("Event {} was handled, but somebody else has it now", inbound.id());
          default ->
              insist(
                  () ->
                      dispatcher.failed(
                          inbound, "its answer was refused: " + e.getMessage(), null));
        }
      } catch (Scheduler.Interrupted | StoreClosed e) {
        throw e;
      } catch (RuntimeException | Error e) {
        log.warn("Event {}: storing that it is handled is tried again: {}", inbound.id(), "" + e);
        away = true;
        context.time().pause(AGAIN);
      }
    } while (away);
  }

  /** Tries until the store takes it. */
  private void insist(Supplier<CompletableFuture<?>> write) {
    while (true) {
      try {
        context.write(write.get());
        return;
      } catch (Scheduler.Interrupted | StoreClosed e) {
        throw e;
      } catch (RuntimeException | Error e) { // or refused, for the store is away
        context.time().pause(AGAIN);
      }
    }
  }

  private static String describe(Throwable e) {
    String what = e.getMessage();
    return what == null ? e.getClass().getSimpleName() : what;
  }

  private void done() {
    boolean last;
    synchronized (this) {
      busy--;
      last = stopped && busy == 0;
    }
    if (last) {
      idle.complete(null);
    }
    dispatcher.bell().ring();
  }

  /**
   * Renews a lease again and again, until the inbound message is dealt with, or the lease is lost.
   */
  private final class Renewal {
    private final UUID lease;
    private final Held held;
    private Scheduler.@Nullable Timer timer; // guarded by this
    private boolean over; // guarded by this

    Renewal(StoredInbound inbound, Held held) {
      this.lease = Objects.requireNonNull(inbound.handling().lease(), "not handed out");
      this.held = held;
      dispatcher.begun(lease);
      later();
    }

    private synchronized void later() {
      if (!over) {
        timer = context.time().after(settings.handlerLease().dividedBy(3), this::renew);
      }
    }

    private void renew() {
      context
          .call(() -> dispatcher.extend(lease, settings.handlerLease()))
          .whenComplete(
              (until, failure) -> {
                if (failure == null && until.isEmpty()) {
                  held.lost = true;
                } else {
                  later();
                }
              });
    }

    synchronized void stop() {
      over = true;
      if (timer != null) {
        timer.cancel();
      }
      dispatcher.over(lease);
    }
  }

  // ---- stopping

  private synchronized boolean isStopped() {
    return stopped;
  }

  /** Takes nothing new; the future is done when nothing is being handled any more. */
  CompletableFuture<Void> stop() {
    boolean idleNow;
    synchronized (this) {
      stopped = true;
      idleNow = busy == 0;
    }
    if (idleNow) {
      idle.complete(null);
    }
    dispatcher.bell().ring();
    return idle;
  }
}
