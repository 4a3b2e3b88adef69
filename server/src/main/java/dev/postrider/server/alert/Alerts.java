package dev.postrider.server.alert;

import dev.postrider.config.Durations;
import dev.postrider.event.Event;
import dev.postrider.event.Events;
import dev.postrider.message.MessageId;
import dev.postrider.server.alert.Alert.Kind;
import dev.postrider.server.config.AlertSettings;
import dev.postrider.view.AccountView;
import dev.postrider.view.Health;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Decides what is worth an alert. Dead letters and ended runs are taken from events. States (an
 * account that is down, an account that hears nothing, a message that waits too long) are looked at
 * anew every few seconds, so that no lost event leaves a trouble untold or makes it last for ever;
 * each is told once when it has lasted long enough, and once more when it is over. Thread-safe.
 */
public final class Alerts implements Events.Listener {
  /** Beyond, what happens is not noted until the next look; that is seconds away. */
  private static final int MOST_NOTED = 100;

  private final AlertSettings settings;
  private final Map<DeadKind, DeadCount> dead = new LinkedHashMap<>(); // guarded by this
  private final List<Event.Ended> toAlertChat = new ArrayList<>(); // guarded by this
  private final List<Alert> runs = new ArrayList<>(); // guarded by this
  private final Map<Condition, Since> troubles = new HashMap<>(); // guarded by this

  private record DeadKind(String account, String reason) {}

  private static final class DeadCount {
    long count;
    String last = "";
  }

  /** A state that should not last. */
  private record Condition(Kind kind, String account) {}

  private static final class Since {
    final Instant at;
    final Duration elapsed;
    boolean told;

    Since(Instant at, Duration elapsed) {
      this.at = at;
      this.elapsed = elapsed;
    }
  }

  public Alerts(AlertSettings settings) {
    this.settings = settings;
  }

  // ---- what happens

  @Override
  public synchronized void on(Event event) {
    switch (event) {
      case Event.Ended e when e.status().deadLetter() && settings.deadLetters() -> {
        if (settings.carries(e.account(), e.to()) && toAlertChat.size() < MOST_NOTED) {
          toAlertChat.add(e); // it may be an alert itself, which only the store can tell
        } else {
          count(e);
        }
      }
      case Event.InboundFailed e when settings.deadLetters() ->
          count(e.account(), "inbound", e.error());
      case Event.RunEnded e
          when settings.runEnded() && runs.size() < MOST_NOTED && !e.status().equals(e.before()) ->
          runs.add(new Alert(Kind.RUN_ENDED, e.account(), false, ended(e)));
      default -> {} // the others are told by the states they lead to
    }
  }

  private static String ended(Event.RunEnded run) {
    String how = run.status() + ", " + run.summary();
    return run.before() == null
        ? "Run of '%s' ended: %s".formatted(run.name(), how)
        : "Run of '%s' had ended as %s; the platform has said more since: %s"
            .formatted(run.name(), run.before(), how);
  }

  private void count(Event.Ended event) {
    String reason = event.reason() == null ? event.status().label() : event.reason();
    count(event.account(), reason, event.error() == null ? reason : event.error());
  }

  private void count(String account, String reason, String error) {
    DeadCount count = dead.computeIfAbsent(new DeadKind(account, reason), _ -> new DeadCount());
    count.count++;
    count.last = error;
  }

  // ---- what is to be told

  /**
   * What is to be told since the last call.
   *
   * @param accounts those that are worked here
   * @param elapsed what a stopwatch shows
   * @param isAlert whether a message was an alert itself
   */
  synchronized List<Alert> take(
      List<AccountView> accounts, Instant now, Duration elapsed, Predicate<MessageId> isAlert) {
    countThoseToAlertChat(isAlert); // first, because it may fail: then nothing has been taken yet
    List<Alert> alerts = new ArrayList<>();
    Set<Condition> lasting = new HashSet<>();
    Set<String> here = new HashSet<>();
    for (AccountView account : accounts) {
      here.add(account.id());
      judge(account, Kind.ACCOUNT_DOWN, settings.accountDown(), down(account))
          .ifPresent(trouble -> tell(trouble, now, elapsed, lasting, alerts));
      judge(account, Kind.LISTENING_FAILING, settings.deaf(), deaf(account))
          .ifPresent(trouble -> tell(trouble, now, elapsed, lasting, alerts));
      judge(account, Kind.OLDEST_WAITING, settings.oldestWaiting(), waiting(account, now))
          .ifPresent(trouble -> tell(trouble, now, elapsed, lasting, alerts));
    }
    tellWhatIsOver(here, lasting, elapsed, alerts);
    tellDead(alerts);
    alerts.addAll(runs);
    runs.clear();
    return alerts;
  }

  /**
   * A state that holds now.
   *
   * @param patience how long it may last untold
   */
  private record Trouble(Condition condition, Duration patience, String text) {}

  private static Optional<Trouble> judge(
      AccountView account, Kind kind, Optional<Duration> patience, @Nullable String text) {
    return text == null
        ? Optional.empty()
        : patience.map(length -> new Trouble(new Condition(kind, account.id()), length, text));
  }

  private static @Nullable String down(AccountView account) {
    Health health = account.health();
    if (health == Health.BROKEN || health == Health.UNREACHABLE || health == Health.STARTING) {
      return "is " + health.label() + (account.reason() == null ? "" : ": " + account.reason());
    }
    return account.outages().stream()
        .findFirst()
        .map(outage -> "cannot reach " + outage.server() + ": " + outage.cause())
        .orElse(null);
  }

  private static @Nullable String deaf(AccountView account) {
    return account.listening().isDeaf()
        ? "does not hear what is written to it: " + account.listening().cause()
        : null;
  }

  /** The limit is part of the condition: it is told as soon as somebody has waited that long. */
  private @Nullable String waiting(AccountView account, Instant now) {
    if (account.oldestWaitingAt() == null || settings.oldestWaiting().isEmpty()) {
      return null;
    }
    Duration waits = Duration.between(account.oldestWaitingAt(), now);
    return waits.compareTo(settings.oldestWaiting().get()) < 0
        ? null
        : "has a message that waits since " + minute(account.oldestWaitingAt());
  }

  private void tell(
      Trouble trouble, Instant now, Duration elapsed, Set<Condition> lasting, List<Alert> alerts) {
    Condition condition = trouble.condition();
    lasting.add(condition);
    Since since = troubles.computeIfAbsent(condition, _ -> new Since(now, elapsed));
    boolean patienceIsOver =
        condition.kind() == Kind.OLDEST_WAITING // whose patience is part of the condition
            || elapsed.minus(since.elapsed).compareTo(trouble.patience()) >= 0;
    if (!since.told && patienceIsOver) {
      since.told = true;
      String when =
          condition.kind() == Kind.OLDEST_WAITING ? "" : " (since " + minute(since.at) + ")";
      alerts.add(
          new Alert(
              condition.kind(),
              condition.account(),
              false,
              "Account " + condition.account() + " " + trouble.text() + when));
    }
  }

  /** An account that is no longer worked here is another server's to tell about. */
  private void tellWhatIsOver(
      Set<String> here, Set<Condition> lasting, Duration elapsed, List<Alert> alerts) {
    troubles
        .entrySet()
        .removeIf(
            entry -> {
              Condition condition = entry.getKey();
              Since since = entry.getValue();
              if (lasting.contains(condition)) {
                return false;
              }
              if (since.told && here.contains(condition.account())) {
                alerts.add(over(condition, elapsed.minus(since.elapsed)));
              }
              return true;
            });
  }

  private static Alert over(Condition condition, Duration after) {
    String what =
        switch (condition.kind()) {
          case ACCOUNT_DOWN -> "works again";
          case LISTENING_FAILING -> "hears again";
          case OLDEST_WAITING -> "has no message any more that waits too long";
          case DEAD_LETTERS, RUN_ENDED ->
              throw new IllegalStateException(condition + " does not last");
        };
    String text =
        "Account %s %s, after %s"
            .formatted(
                condition.account(), what, Durations.format(after.truncatedTo(ChronoUnit.SECONDS)));
    return new Alert(condition.kind(), condition.account(), true, text);
  }

  private void countThoseToAlertChat(Predicate<MessageId> isAlert) {
    while (!toAlertChat.isEmpty()) {
      if (!isAlert.test(toAlertChat.getFirst().id())) {
        count(toAlertChat.getFirst());
      }
      toAlertChat.removeFirst();
    }
  }

  private void tellDead(List<Alert> alerts) {
    dead.forEach(
        (kind, count) ->
            alerts.add(
                new Alert(
                    Kind.DEAD_LETTERS,
                    kind.account(),
                    false,
                    "%d %s of %s (%s): %s"
                        .formatted(
                            count.count,
                            count.count == 1 ? "dead letter" : "dead letters",
                            kind.account(),
                            kind.reason(),
                            count.last))));
    dead.clear();
  }

  private static String minute(Instant at) {
    return at.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
