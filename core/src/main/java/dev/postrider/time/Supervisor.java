package dev.postrider.time;

import java.time.Duration;
import java.time.Instant;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs work that must not end because something unexpected was thrown: it is logged, and a second
 * later the work begins again. Work ends by returning, by being interrupted, or by an exception
 * that says that everything ends. Thread-safe.
 *
 * @param isTheEnd whether an exception says so, as that of a store that was closed
 */
public record Supervisor(Scheduler time, Predicate<Throwable> isTheEnd) {
  private static final Logger log = LoggerFactory.getLogger(Supervisor.class);
  private static final Duration AGAIN = Duration.ofSeconds(1);

  /** Runs the body in a task until it returns. */
  public Scheduler.Task start(String name, Runnable body) {
    return time.start(name, () -> run(name, body));
  }

  /** Runs the body in a task at the given time, until it returns. */
  public Scheduler.Timer at(Instant when, String name, Runnable body) {
    return time.at(when, () -> startOrLater(name, body));
  }

  /** Runs the body in a task after so long, until it returns. */
  public Scheduler.Timer after(Duration wait, String name, Runnable body) {
    return time.after(wait, () -> startOrLater(name, body));
  }

  /** Runs the round again and again in one task, with a pause before each. */
  public Scheduler.Task every(Duration pause, String name, Runnable round) {
    return start(
        name,
        () -> {
          while (true) {
            time.pause(pause);
            round.run();
          }
        });
  }

  private void startOrLater(String name, Runnable body) {
    try {
      start(name, body);
    } catch (Throwable e) { // no memory for a task: there will be some
      time.after(AGAIN, () -> startOrLater(name, body));
    }
  }

  private void run(String name, Runnable body) {
    while (true) {
      try {
        body.run();
        return;
      } catch (Scheduler.Interrupted e) {
        return;
      } catch (Throwable e) {
        if (isTheEnd.test(e)) {
          return;
        }
        log.error("'{}' failed unexpectedly and begins again in a second", name, e);
      }
      try {
        time.pause(AGAIN);
      } catch (Scheduler.Interrupted e) {
        return;
      }
    }
  }
}
