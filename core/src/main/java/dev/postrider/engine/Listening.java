package dev.postrider.engine;

import dev.postrider.channel.Inlet;
import dev.postrider.channel.Link;
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
 * is worked here. Whatever ends the listening, it begins again after a pause that grows while
 * nothing is heard.
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
  private volatile boolean heard;

  Listening(String account, Link link, House house) {
    this.account = account;
    this.link = link;
    this.house = house;
  }

  synchronized void start() {
    if (link.listens() && strand == null && !stopped) {
      strand = house.time().start("listen", this::listen);
    }
  }

  synchronized void stop() {
    stopped = true;
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
        } catch (Exception e) {
          // Only the kind of what we did not write: a message may quote an address with a token.
          String cause = e instanceof IOException ? e.getMessage() : e.getClass().getName();
          log.warn("Account {}: listening stopped: {}", account, cause);
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

  @Override
  public @Nullable String cursor() {
    return house.store().cursor(account).orElse(null);
  }

  @Override
  public void take(List<Arrival> arrivals, List<Report> reports, @Nullable String cursor) {
    while (true) {
      try {
        house.doorway().take(account, arrivals, reports, cursor);
        heard = true;
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
