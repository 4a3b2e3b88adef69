package dev.postrider.internal.account;

import dev.postrider.channel.Alias;
import dev.postrider.channel.InboundSink;
import dev.postrider.channel.Link;
import dev.postrider.channel.ListeningRefused;
import dev.postrider.channel.Remembered;
import dev.postrider.event.Event;
import dev.postrider.inbound.DeliveryReport;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.internal.context.EngineContext;
import dev.postrider.internal.lease.HeldLease;
import dev.postrider.internal.retry.Backoff;
import dev.postrider.problem.Refused;
import dev.postrider.store.failure.StoreUnavailable;
import dev.postrider.time.Scheduler;
import dev.postrider.view.ListeningView;
import dev.postrider.view.ListeningView.Status;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets an account's link listen to its platform for as long as the account is worked here for
 * certain, and knows whether it hears. Thread-safe.
 *
 * <p>Whatever ends the listening, it begins again after a pause. The pause grows until a connection
 * has lasted a while: a platform that takes every connection and ends it at once is not called more
 * often than one that takes none. A refusal waits for a person, so it is tried again rarely.
 *
 * <p>Each connection is a task of its own, which is interrupted when the account leaves, and when
 * its lease is not certain any more: another node may have it soon, and its platform may not take
 * two. Certainty ends a tenth of the lease before anybody else's right begins, so a link that is
 * slow to hang up is interrupted again within that time.
 */
final class PlatformListener implements InboundSink {
  private static final Logger log = LoggerFactory.getLogger(PlatformListener.class);
  private static final List<Duration> PAUSES =
      List.of(
          Duration.ofSeconds(1),
          Duration.ofSeconds(5),
          Duration.ofSeconds(15),
          Duration.ofMinutes(1));

  /** Many accounts that lost the same platform do not come back in the same second. */
  private static final double JITTER = 0.1;

  /** A connection that stood so long was a good one. */
  private static final Duration LASTED = Duration.ofSeconds(30);

  private static final Duration AFTER_REFUSAL = Duration.ofMinutes(10);

  /** How long a link may take to hang up before it is interrupted again: if the account leaves. */
  private static final Duration IN_PEACE = Duration.ofSeconds(6);

  /** The same if somebody else may take the account. */
  private static final Duration AT_ONCE = Duration.ofMillis(300);

  private final String account;
  private final Link link;
  private final HeldLease lease;
  private final EngineContext context;
  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private boolean started; // guarded by this
  private boolean stopped; // guarded by this
  private Scheduler.@Nullable Task connection; // the one that is under way; guarded by this
  private boolean hungUp; // whether we have interrupted the last one; guarded by this
  private CompletableFuture<Boolean> nap = new CompletableFuture<>(); // guarded by this
  private ListeningView view = ListeningView.OFF; // guarded by this
  private boolean told; // whether anybody was told of that; guarded by this
  private @Nullable Duration connectedAt; // on the stopwatch, in this round; guarded by this
  private CompletableFuture<Boolean> askedAgain = new CompletableFuture<>(); // guarded by this

  PlatformListener(String account, Link link, HeldLease lease, EngineContext context) {
    this.account = account;
    this.link = link;
    this.lease = lease;
    this.context = context;
  }

  synchronized void start() {
    if (link.listens() && !started && !stopped) {
      started = true;
      view = new ListeningView(Status.FAILING, context.time().instant(), "not connected yet");
      context.supervisor().start("listen", this::listen);
    }
  }

  /** Hangs up, for good; done when the link has. */
  CompletableFuture<Void> stop() {
    CompletableFuture<Boolean> sleeping;
    Scheduler.Task standing;
    synchronized (this) {
      stopped = true;
      view = ListeningView.OFF;
      sleeping = nap;
      standing = connection;
      if (!started) {
        ended.complete(null);
      }
    }
    sleeping.complete(true);
    hangUp(standing, IN_PEACE);
    return ended;
  }

  private synchronized boolean isStopped() {
    return stopped;
  }

  private void listen() {
    int failures = 0;
    while (awaitLease()) {
      boolean refused = connect(failures);
      if (lasted()) {
        failures = 0;
      } else if (!isHungUp()) {
        failures++;
      }
      if (refused) {
        awaitChange();
      } else {
        Duration pause = Backoff.after(failures + 1, PAUSES, JITTER, context.random());
        context.time().awaitFor(untilStopped(), pause);
      }
    }
    ended.complete(null);
  }

  /** Waits until the lease is certain; false if the account is not worked here any more. */
  private boolean awaitLease() {
    while (!isStopped() && !lease.isLost() && !lease.isCertain()) {
      turn(Status.FAILING, HeldLease.IN_DOUBT);
      CompletableFuture<Boolean> answered = untilStopped();
      lease.confirm().thenAccept(answered::complete);
      context.time().await(answered);
    }
    return !isStopped() && !lease.isLost();
  }

  private synchronized CompletableFuture<Boolean> untilStopped() {
    nap = new CompletableFuture<>();
    if (stopped) {
      nap.complete(true);
    }
    return nap;
  }

  /** Listens over one connection until that has ended; tells whether it was refused. */
  private boolean connect(int failures) {
    CompletableFuture<Boolean> refused = new CompletableFuture<>();
    Scheduler.Task begun;
    synchronized (this) {
      if (stopped) {
        return false;
      }
      connectedAt = null;
      askedAgain = new CompletableFuture<>();
      hungUp = false;
      begun = context.time().start("connection", () -> hear(failures, refused));
      connection = begun;
    }
    watchLease(begun);
    try {
      return context.time().await(refused);
    } finally {
      synchronized (this) {
        connection = null;
      }
    }
  }

  /** Hangs up when the lease is not certain any more. */
  private void watchLease(Scheduler.Task standing) {
    Duration certain = lease.certainFor();
    if (certain == null || !isStanding(standing) || isHungUp()) {
      return;
    }
    if (certain.isPositive()) {
      context.time().after(certain, () -> watchLease(standing));
    } else {
      turn(Status.FAILING, HeldLease.IN_DOUBT);
      hangUp(standing, AT_ONCE);
    }
  }

  /** Interrupts the connection, and again after so long until it has ended. */
  private synchronized void hangUp(Scheduler.@Nullable Task standing, Duration patience) {
    if (standing != null && isStanding(standing)) {
      hungUp = true;
      standing.interrupt();
      context.time().after(patience, () -> hangUp(standing, patience));
    }
  }

  @SuppressWarnings("ReferenceEquality") // each connection is one task
  private synchronized boolean isStanding(Scheduler.Task task) {
    return connection == task;
  }

  private synchronized boolean isHungUp() {
    return hungUp;
  }

  private void hear(int failures, CompletableFuture<Boolean> refused) {
    try {
      refused.complete(hear(failures));
    } finally {
      refused.complete(false);
    }
  }

  /** Tells whether the platform refuses to let the account listen. */
  private boolean hear(int failures) {
    try {
      link.listen(this);
      ended(failures);
    } catch (Scheduler.Interrupted | InterruptedException e) {
      log.debug("Account {}: it has hung up", account);
    } catch (StoreUnavailable e) {
      log.info("Account {}: listening waits for the store", account);
    } catch (ListeningRefused e) {
      turn(Status.REFUSED, String.valueOf(e.getMessage()));
      return true;
    } catch (IOException e) {
      failing(String.valueOf(e.getMessage()));
    } catch (Exception | LinkageError | StackOverflowError e) {
      // Only the kind of what we did not write: a message may quote an address with a token.
      failing(e.getClass().getName());
    }
    return false;
  }

  /** A link that returns wants another connection; whether it had one, it need not say. */
  private void ended(int failures) {
    boolean never;
    synchronized (this) {
      never = connectedAt == null;
    }
    if (never) {
      failing("the connection ended before it stood");
    } else if (failures > 0 && !lasted()) {
      failing("the platform ends each connection after a moment");
    }
  }

  private synchronized boolean lasted() {
    return connectedAt != null
        && context.time().elapsed().minus(connectedAt).compareTo(LASTED) >= 0;
  }

  /** Waits until a person may have changed something, or the account stops. */
  private void awaitChange() {
    CompletableFuture<Boolean> change = untilStopped();
    synchronized (this) {
      askedAgain.thenAccept(change::complete);
    }
    context.time().awaitFor(change, AFTER_REFUSAL);
  }

  /** The platform has just taken the account: what it refused before may be allowed by now. */
  synchronized void askAgain() {
    askedAgain.complete(true);
  }

  // ---- how it stands

  @Override
  public void connected() {
    synchronized (this) {
      if (hungUp) {
        return; // it was too late
      }
      if (connectedAt == null) {
        connectedAt = context.time().elapsed();
      }
    }
    if (turnTo(Status.OK, null)) {
      context.events().publish(new Event.ListeningOk(context.time().instant(), account));
    }
  }

  @Override
  public void failing(String cause) {
    if (!isHungUp()) { // or it would be our own doing
      turn(Status.FAILING, cause);
    }
  }

  private void turn(Status status, String cause) {
    if (turnTo(status, cause)) {
      log.warn("Account {}: nothing is heard: {}", account, cause);
      context
          .events()
          .publish(new Event.ListeningFailing(context.time().instant(), account, cause));
    }
  }

  /** Whether that is news; another cause is none. */
  private synchronized boolean turnTo(Status status, @Nullable String cause) {
    if (stopped) {
      return false;
    }
    boolean same = view.status() == status;
    boolean news = !same || !told;
    view = new ListeningView(status, same ? view.since() : context.time().instant(), cause);
    told = true;
    return news;
  }

  /** For people to look at. */
  synchronized ListeningView view() {
    return view;
  }

  // ---- what comes in

  @Override
  public @Nullable String cursor() {
    return context.store().cursor(account).orElse(null);
  }

  @Override
  public void take(
      List<InboundMessage> arrivals,
      List<DeliveryReport> reports,
      @Nullable String cursor,
      List<Remembered> memory) {
    take(arrivals, reports, cursor, memory, List.of());
  }

  @Override
  public void take(
      List<InboundMessage> arrivals,
      List<DeliveryReport> reports,
      @Nullable String cursor,
      List<Remembered> memory,
      List<Alias> aliases) {
    while (true) {
      try {
        context.inboundIntake().take(account, arrivals, reports, cursor, memory, aliases);
        connected();
        return;
      } catch (StoreUnavailable | Refused e) { // away, or too much waits: the platform keeps it
        if (!pause(PAUSES.getFirst())) {
          throw new Scheduler.Interrupted();
        }
      }
    }
  }

  @Override
  public boolean pause(Duration duration) {
    try {
      context.time().pause(duration);
      return !isStopped() && !isHungUp();
    } catch (Scheduler.Interrupted e) {
      return false;
    }
  }
}
