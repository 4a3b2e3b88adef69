package dev.postrider.engine;

import dev.postrider.config.DeskSettings;
import dev.postrider.message.Message;
import dev.postrider.store.StoreClosed;
import dev.postrider.store.StoredInbound;
import dev.postrider.time.Bell;
import dev.postrider.time.Scheduler;
import dev.postrider.turn.Handout;
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
 * Lets code in this process handle events: takes as many as there are free hands, each on a strand
 * of its own, and renews its lease while it is handled. One for each piece of such code.
 * Thread-safe.
 */
public final class Handlers {
  private static final Logger log = LoggerFactory.getLogger(Handlers.class);
  private static final Duration AGAIN = Duration.ofSeconds(1);
  private static final Duration LOOK = Duration.ofMinutes(1);

  /** The code. */
  @FunctionalInterface
  public interface Code {
    /**
     * Handles an event; gives what to answer when that is stored.
     *
     * @param held whether the event is still its own; once it is not, somebody else may have it
     */
    List<Message> handle(StoredInbound event, Held held) throws Exception;
  }

  /** Whether an event is still one's own. */
  public static final class Held {
    private volatile boolean lost;

    public boolean isLost() {
      return lost;
    }
  }

  private final House house;
  private final DeskSettings settings;
  private final Set<String> accounts;
  private final Handout handout;
  private final Reception reception;
  private final Code code;
  private final CompletableFuture<Void> idle = new CompletableFuture<>();
  private int busy; // guarded by this
  private boolean stopped; // guarded by this

  Handlers(
      House house,
      DeskSettings settings,
      Set<String> accounts,
      Handout handout,
      Reception reception,
      Code code) {
    this.house = house;
    this.settings = settings;
    this.accounts = accounts;
    this.handout = handout;
    this.reception = reception;
    this.code = code;
  }

  void start() {
    house.insist("hand-out", this::handOut);
  }

  // ---- handing out

  private void handOut() {
    try {
      while (!isStopped()) {
        try (Bell.Ear ear = handout.bell().listen()) {
          ear.await(round());
        }
      }
    } catch (Scheduler.Interrupted e) {
      log.debug("Nothing is handed out any more");
    }
  }

  /** Hands out what is due to whoever is free; gives when to look again, if nobody rings before. */
  private Instant round() {
    Instant now = house.time().instant();
    try {
      int free = free();
      if (free == 0) {
        return now.plus(LOOK); // whoever is done rings
      }
      List<StoredInbound> events =
          house.time().await(handout.lease(accounts, free, settings.handlerLease(), house.node()));
      events.forEach(this::begin);
      return events.size() == free
          ? now.plus(LOOK)
          : house.time().await(handout.nextDue(accounts, now, now.plus(LOOK)));
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

  private void begin(StoredInbound event) {
    synchronized (this) {
      busy++;
    }
    try {
      house.time().start("handle", () -> handle(event));
    } catch (RuntimeException | Error e) {
      done(); // its lease runs out
      throw e;
    }
  }

  // ---- one event

  private void handle(StoredInbound event) {
    Held held = new Held();
    Renewal renewal = new Renewal(event, held);
    try {
      List<Message> answers;
      try {
        answers = code.handle(event, held);
      } catch (Scheduler.Interrupted | InterruptedException e) {
        return; // the process stops; the lease runs out
      } catch (Throwable e) { // whatever is wrong with it, the event must not be stuck
        insist(() -> handout.failed(event, describe(e), null));
        return;
      }
      finish(event, answers);
    } catch (Scheduler.Interrupted | StoreClosed e) {
      log.debug("Event {} is left to the next start", event.id());
    } finally {
      renewal.stop();
      done();
    }
  }

  private void finish(StoredInbound event, List<Message> answers) {
    boolean away;
    do {
      away = false;
      try {
        reception.done(event, answers);
      } catch (Refused e) {
        switch (e.why()) {
          case UNAVAILABLE -> {
            away = true;
            house.time().pause(AGAIN);
          }
          case CONFLICT ->
              log.warn("Event {} was handled, but somebody else has it now", event.id());
          default ->
              insist(
                  () -> handout.failed(event, "its answer was refused: " + e.getMessage(), null));
        }
      } catch (Scheduler.Interrupted | StoreClosed e) {
        throw e;
      } catch (RuntimeException | Error e) {
        log.warn("Event {}: storing that it is handled is tried again: {}", event.id(), "" + e);
        away = true;
        house.time().pause(AGAIN);
      }
    } while (away);
  }

  /** Tries until the store takes it. */
  private void insist(Supplier<CompletableFuture<?>> write) {
    while (true) {
      try {
        house.write(write.get());
        return;
      } catch (Scheduler.Interrupted | StoreClosed e) {
        throw e;
      } catch (RuntimeException | Error e) { // or refused, for the store is away
        house.time().pause(AGAIN);
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
    handout.bell().ring();
  }

  /** Renews a lease again and again, until the event is dealt with, or the lease is lost. */
  private final class Renewal {
    private final UUID lease;
    private final Held held;
    private Scheduler.@Nullable Timer timer; // guarded by this
    private boolean over; // guarded by this

    Renewal(StoredInbound event, Held held) {
      this.lease = Objects.requireNonNull(event.handling().lease(), "not handed out");
      this.held = held;
      handout.begun(lease);
      later();
    }

    private synchronized void later() {
      if (!over) {
        timer = house.time().after(settings.handlerLease().dividedBy(3), this::renew);
      }
    }

    private void renew() {
      house
          .call(() -> handout.extend(lease, settings.handlerLease()))
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
      handout.over(lease);
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
    handout.bell().ring();
    return idle;
  }
}
