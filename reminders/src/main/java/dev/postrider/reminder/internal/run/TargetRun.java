package dev.postrider.reminder.internal.run;

import dev.postrider.Delivery;
import dev.postrider.Postrider;
import dev.postrider.internal.engine.StoreAccess;
import dev.postrider.message.Message;
import dev.postrider.message.MessageId;
import dev.postrider.message.Status;
import dev.postrider.problem.Refused;
import dev.postrider.reminder.Target;
import dev.postrider.reminder.config.ReminderSettings;
import dev.postrider.store.message.StoredMessage;
import dev.postrider.store.reminder.ReminderTarget;
import dev.postrider.store.reminder.RunStatus;
import dev.postrider.store.reminder.RunTarget;
import dev.postrider.store.reminder.TargetStatus;
import dev.postrider.time.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Sends a run's messages to one target, one after the other: straight code as a task of its own.
 *
 * <p>Each message has a key made of the run, the target, the try and the step. Whoever takes up the
 * try of a process that died asks for that key first, and so knows what was handed in; a message is
 * never handed in twice. A message is not sent once the run's time is over: it expires then, and
 * what is still queued is withdrawn. What was about to arrive at that moment may arrive.
 */
final class TargetRun {
  private static final Duration AGAIN = Duration.ofSeconds(1);
  private static final Duration LONG = Duration.ofHours(1);

  /** How it ended, or why the rest waits. */
  record Outcome(TargetStatus status, int step, List<MessageId> messages, @Nullable String error) {}

  private final Postrider postrider;
  private final Scheduler time;
  private final ReminderSettings settings;
  private final Gaps gaps;
  private final ActiveRun activeRun;
  private final ActiveRun.Hours hours;
  private final RunTarget target;
  private final Target to;
  private final List<MessageId> messages;

  /** Draws the pause between two messages. */
  @FunctionalInterface
  interface Gaps {
    Duration between(Duration shortest, Duration longest);
  }

  TargetRun(
      Postrider postrider,
      ReminderSettings settings,
      Gaps gaps,
      ActiveRun activeRun,
      RunTarget target) {
    this.postrider = postrider;
    this.time = postrider.time();
    this.settings = settings;
    this.gaps = gaps;
    this.activeRun = activeRun;
    this.hours = activeRun.hoursOf(target.n());
    this.target = target;
    ReminderTarget chat = target.target();
    this.to = Target.to(chat.to()).by(chat.account()).with(chat.variables()).named(chat.name());
    this.messages = new ArrayList<>(target.messages());
  }

  /**
   * @param takenUp whether this try was begun before, here or in another process
   */
  Outcome run(boolean takenUp) {
    int steps = activeRun.script.messages().size();
    boolean ask = takenUp;
    for (int step = target.step(); step < steps; step++) {
      if (hasGot(step)) {
        continue;
      }
      StoredMessage message = ask ? earlier(step) : null;
      ask = message != null;
      if (message == null) {
        Outcome stop = stop(step);
        if (stop != null) {
          return stop;
        }
        try {
          message = handIn(step);
        } catch (Refused e) {
          return new Outcome(TargetStatus.FAILED, step, messages, e.getMessage());
        }
      }
      if (message == null) {
        return tooLate(step);
      }
      messages.add(message.id());
      StoredMessage ended = await(message);
      if (ended.status() != Status.DELIVERED) {
        return undelivered(ended, step);
      }
      if (step + 1 < steps) {
        advance(step + 1);
        time.pause(gaps.between(settings.shortestGap(), settings.longestGap()));
      }
    }
    return new Outcome(TargetStatus.SENT, steps, messages, null);
  }

  /**
   * Whether an earlier try has brought it this message, while one before that failed later by the
   * platform's word.
   */
  private boolean hasGot(int step) {
    return target.tries() > 1
        && target.messages().stream()
            .map(postrider::find)
            .flatMap(Optional::stream)
            .anyMatch(message -> step(message) == step && isThere(message));
  }

  /** Whether it has arrived, or what replays it has or is on its way. */
  private boolean isThere(StoredMessage message) {
    StoredMessage last = message;
    while (last.replayedAs() != null) {
      StoredMessage next = postrider.find(last.replayedAs()).orElse(null);
      if (next == null) {
        return false;
      }
      last = next;
    }
    return last.status() == Status.DELIVERED || !last.status().ended();
  }

  /** Which of the run's messages it is, from 0. */
  static int step(StoredMessage message) {
    String key = String.valueOf(message.message().idempotencyKey());
    try {
      return Integer.parseInt(key.substring(key.lastIndexOf(':') + 1));
    } catch (NumberFormatException e) {
      return 0; // no message of a run
    }
  }

  static String error(StoredMessage failed) {
    return failed.error() == null ? failed.status().label() : failed.error();
  }

  /** What was handed in for this step when the try was begun before. */
  private @Nullable StoredMessage earlier(int step) {
    Optional<StoredMessage> found = postrider.find(target.target().account(), key(step));
    return found.orElse(null);
  }

  private String key(int step) {
    return "run:" + target.run() + ":" + target.n() + ":" + target.tries() + ":" + step;
  }

  /** Between two messages: whether the next one must wait, or is not wanted any more. */
  private @Nullable Outcome stop(int step) {
    RunStatus status = activeRun.run.status();
    if (status == RunStatus.CANCELLED) {
      return new Outcome(TargetStatus.CANCELLED, step, messages, "the run was cancelled");
    }
    if (status == RunStatus.PAUSED) {
      return new Outcome(TargetStatus.PENDING, step, messages, null);
    }
    return isOver() ? tooLate(step) : null;
  }

  private boolean isOver() {
    Instant until = hours.until;
    return until != null && !time.instant().isBefore(until.minus(WindowState.CLOSING));
  }

  private Outcome tooLate(int step) {
    Instant now = time.instant();
    Instant until = hours.until;
    Instant then = until == null || now.isAfter(until) ? now : until;
    if (!(WindowState.of(activeRun.run, activeRun.script, hours.targets.window(), then)
        instanceof WindowState.Over(String reason))) {
      return new Outcome(TargetStatus.PENDING, step, messages, null); // it goes on another time
    }
    String partly =
        step == 0
            ? ""
            : " after %d of %d messages".formatted(step, activeRun.script.messages().size());
    return new Outcome(TargetStatus.SKIPPED, step, messages, reason + partly);
  }

  /** Hands the message in; null if the run's time was over before it could be. */
  private @Nullable StoredMessage handIn(int step) {
    while (!isOver()) {
      Instant until = hours.until;
      Message.Builder message =
          filled(step)
              .priority(activeRun.script.priority())
              .idempotencyKey(key(step))
              .metadata(Map.of("run", target.run().toString(), "target", target.n()));
      if (until != null) {
        message.expiresIn(Duration.between(time.instant(), until));
      }
      try {
        Delivery delivery = postrider.send(message.build());
        return delivery.message();
      } catch (Refused e) {
        switch (e.why()) {
          case QUEUE_FULL, UNAVAILABLE -> time.pause(AGAIN);
          case STOPPING -> throw new Scheduler.Interrupted();
          case INVALID, UNKNOWN_ACCOUNT, NOT_FOUND, CONFLICT, KEY_REUSED -> throw e;
        }
      }
    }
    return null;
  }

  /** The variables were there when the reminder was made; they may have been lost since. */
  private Message.Builder filled(int step) {
    try {
      return activeRun.script.messages().get(step).fill(target.target().account(), to);
    } catch (IllegalArgumentException e) {
      throw new Refused(Refused.Cause.INVALID, String.valueOf(e.getMessage()));
    }
  }

  /**
   * Waits for the message's end. When the run's time is over, what is still queued is withdrawn.
   */
  private StoredMessage await(StoredMessage message) {
    MessageId id = message.id();
    activeRun.onTheirWay.add(id);
    try {
      StoredMessage now = message;
      while (!now.status().ended()) {
        Instant until = hours.until;
        Duration patience =
            until == null || isOver()
                ? LONG
                : Duration.between(time.instant(), until.minus(WindowState.CLOSING));
        now = postrider.await(id, patience).orElse(now);
        if (!now.status().ended() && isOver()) {
          withdraw(id);
        }
      }
      return now;
    } finally {
      activeRun.onTheirWay.remove(id);
    }
  }

  private void withdraw(MessageId id) {
    try {
      postrider.cancel(id);
    } catch (Refused e) {
      time.pause(AGAIN); // it is being sent, or has just ended
    }
  }

  private Outcome undelivered(StoredMessage ended, int step) {
    return switch (ended.status()) {
      case CANCELLED, EXPIRED -> {
        if (activeRun.run.status() == RunStatus.CANCELLED) {
          yield new Outcome(TargetStatus.CANCELLED, step, messages, "the run was cancelled");
        }
        yield isOver()
            ? tooLate(step)
            : new Outcome(
                TargetStatus.CANCELLED,
                step,
                messages,
                "its message was " + ended.status().label());
      }
      case FAILED, HELD -> new Outcome(TargetStatus.FAILED, step, messages, error(ended));
      case QUEUED, SENDING, DELIVERED -> throw new IllegalArgumentException(ended.toString());
    };
  }

  private void advance(int step) {
    time.await(postrider.store(StoreAccess.OWN).reminders().advance(target, step, messages));
  }
}
