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
 * Lets an account's link listen to its platform, as a task of its own, for as long as the account
 * is worked here, and knows whether it hears. Whatever ends the listening, it begins again after a
 * pause. The pause grows until a connection has lasted a while: a platform that takes every
 * connection and ends it at once is not called more often than one that takes none. A refusal waits
 * for a person, so it is tried again rarely. Thread-safe.
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

  private final String account;
  private final Link link;
  private final EngineContext context;
  private Scheduler.@Nullable Task task; // guarded by this
  private boolean stopped; // guarded by this
  private ListeningView view = ListeningView.OFF; // guarded by this
  private boolean told; // whether anybody was told of that; guarded by this
  private @Nullable Duration connectedAt; // on the stopwatch, in this round; guarded by this
  private CompletableFuture<Boolean> askedAgain = new CompletableFuture<>(); // guarded by this

  PlatformListener(String account, Link link, EngineContext context) {
    this.account = account;
    this.link = link;
    this.context = context;
  }

  synchronized void start() {
    if (link.listens() && task == null && !stopped) {
      view = new ListeningView(Status.FAILING, context.time().instant(), "not connected yet");
      task = context.time().start("listen", this::listen);
    }
  }

  synchronized void stop() {
    stopped = true;
    view = ListeningView.OFF;
    if (task != null) {
      task.interrupt();
    }
  }

  private synchronized boolean isStopped() {
    return stopped;
  }

  private void listen() {
    int failures = 0;
    try {
      while (!isStopped()) {
        begin();
        boolean refused = false;
        try {
          link.listen(this);
          ended(failures);
        } catch (Scheduler.Interrupted | InterruptedException e) {
          return;
        } catch (StoreUnavailable e) {
          log.info("Account {}: listening waits for the store", account);
        } catch (ListeningRefused e) {
          refused = true;
          turn(Status.REFUSED, String.valueOf(e.getMessage()));
        } catch (IOException e) {
          failing(String.valueOf(e.getMessage()));
        } catch (Exception | LinkageError | StackOverflowError e) {
          // Only the kind of what we did not write: a message may quote an address with a token.
          failing(e.getClass().getName());
        }
        failures = lasted() ? 0 : failures + 1;
        if (!(refused
            ? awaitChange()
            : pause(Backoff.after(failures + 1, PAUSES, JITTER, context.random())))) {
          return;
        }
      }
    } catch (Scheduler.Interrupted e) {
      log.debug("Account {}: listening ends", account);
    }
  }

  private synchronized void begin() {
    connectedAt = null;
    askedAgain = new CompletableFuture<>();
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

  /** Waits until a person may have changed something; false if the account stops. */
  private boolean awaitChange() {
    CompletableFuture<Boolean> change;
    synchronized (this) {
      change = askedAgain;
    }
    context.time().awaitFor(change, AFTER_REFUSAL);
    return !isStopped();
  }

  /** The platform has just taken the account: what it refused before may be allowed by now. */
  synchronized void askAgain() {
    askedAgain.complete(true);
  }

  // ---- how it stands

  @Override
  public void connected() {
    synchronized (this) {
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
    turn(Status.FAILING, cause);
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
      return !isStopped();
    } catch (Scheduler.Interrupted e) {
      return false;
    }
  }
}
