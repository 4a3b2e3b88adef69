package dev.postrider.engine;

import dev.postrider.channel.Inlet;
import dev.postrider.channel.Link;
import dev.postrider.engine.ListeningView.Status;
import dev.postrider.event.Event;
import dev.postrider.inbound.Arrival;
import dev.postrider.inbound.Report;
import dev.postrider.store.StoreUnavailable;
import dev.postrider.time.Scheduler;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets an account's link listen to its platform, on a strand of its own, for as long as the account
 * is worked here, and knows whether it hears. Whatever ends the listening, it begins again after a
 * pause that grows until a connection stands. Thread-safe.
 */
final class Listening implements Inlet {
  private static final Logger log = LoggerFactory.getLogger(Listening.class);
  private static final List<Duration> PAUSES =
      List.of(
          Duration.ofSeconds(1),
          Duration.ofSeconds(5),
          Duration.ofSeconds(15),
          Duration.ofMinutes(1));

  private final String account;
  private final Link link;
  private final House house;
  private Scheduler.@Nullable Strand strand; // guarded by this
  private boolean stopped; // guarded by this
  private ListeningView view = ListeningView.OFF; // guarded by this
  private boolean told; // whether anybody was told of that; guarded by this
  private volatile boolean heard;

  Listening(String account, Link link, House house) {
    this.account = account;
    this.link = link;
    this.house = house;
  }

  synchronized void start() {
    if (link.listens() && strand == null && !stopped) {
      view = new ListeningView(Status.FAILING, house.time().instant(), "not connected yet");
      strand = house.time().start("listen", this::listen);
    }
  }

  synchronized void stop() {
    stopped = true;
    view = ListeningView.OFF;
    if (strand != null) {
      strand.interrupt();
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
      house.events().publish(new Event.ListeningOk(house.time().instant(), account));
    }
  }

  @Override
  public void failing(String cause) {
    if (turnTo(Status.FAILING, cause)) {
      log.warn("Account {}: nothing is heard: {}", account, cause);
      house.events().publish(new Event.ListeningFailing(house.time().instant(), account, cause));
    }
  }

  /** Whether that is news; another cause is none. */
  private synchronized boolean turnTo(Status status, @Nullable String cause) {
    if (stopped) {
      return false;
    }
    boolean same = view.status() == status;
    boolean news = !same || !told;
    view = new ListeningView(status, same ? view.since() : house.time().instant(), cause);
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
    return house.store().cursor(account).orElse(null);
  }

  @Override
  public void take(List<Arrival> arrivals, List<Report> reports, @Nullable String cursor) {
    while (true) {
      try {
        house.doorway().take(account, arrivals, reports, cursor);
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
      house.time().pause(duration);
      return !isStopped();
    } catch (Scheduler.Interrupted e) {
      return false;
    }
  }
}
