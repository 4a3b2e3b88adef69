package dev.postrider.internal.account;

import dev.postrider.channel.InboundSink;
import dev.postrider.channel.Link;
import dev.postrider.event.Event;
import dev.postrider.inbound.DeliveryReport;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.internal.context.EngineContext;
import dev.postrider.problem.Refused;
import dev.postrider.store.failure.StoreUnavailable;
import dev.postrider.time.Scheduler;
import dev.postrider.view.ListeningView;
import dev.postrider.view.ListeningView.Status;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets an account's link listen to its platform, as a task of its own, for as long as the account
 * is worked here, and knows whether it hears. Whatever ends the listening, it begins again after a
 * pause that grows until a connection stands. Thread-safe.
 */
final class PlatformListener implements InboundSink {
  private static final Logger log = LoggerFactory.getLogger(PlatformListener.class);
  private static final List<Duration> PAUSES =
      List.of(
          Duration.ofSeconds(1),
          Duration.ofSeconds(5),
          Duration.ofSeconds(15),
          Duration.ofMinutes(1));

  private final String account;
  private final Link link;
  private final EngineContext context;
  private Scheduler.@Nullable Task task; // guarded by this
  private boolean stopped; // guarded by this
  private ListeningView view = ListeningView.OFF; // guarded by this
  private boolean told; // whether anybody was told of that; guarded by this
  private volatile boolean heard;

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
        heard = false;
        try {
          link.listen(this);
        } catch (Scheduler.Interrupted | InterruptedException e) {
          return;
        } catch (StoreUnavailable e) {
          log.info("Account {}: listening waits for the store", account);
        } catch (IOException e) {
          failing(String.valueOf(e.getMessage()));
        } catch (Exception | LinkageError | StackOverflowError e) {
          // Only the kind of what we did not write: a message may quote an address with a token.
          failing(e.getClass().getName());
        }
        failures = heard ? 0 : failures + 1;
        if (!pause(PAUSES.get(Math.min(failures, PAUSES.size() - 1)))) {
          return;
        }
      }
    } catch (Scheduler.Interrupted e) {
      log.debug("Account {}: listening ends", account);
    }
  }

  // ---- how it stands

  @Override
  public void connected() {
    heard = true;
    if (turnTo(Status.OK, null)) {
      context.events().publish(new Event.ListeningOk(context.time().instant(), account));
    }
  }

  @Override
  public void failing(String cause) {
    if (turnTo(Status.FAILING, cause)) {
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
      List<InboundMessage> arrivals, List<DeliveryReport> reports, @Nullable String cursor) {
    while (true) {
      try {
        context.inboundIntake().take(account, arrivals, reports, cursor);
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
