package dev.postrider.reminder.internal.run;

import dev.postrider.Postrider;
import dev.postrider.config.Pace;
import dev.postrider.internal.engine.StoreAccess;
import dev.postrider.internal.pace.Meter;
import dev.postrider.internal.pace.Moment;
import dev.postrider.message.Priority;
import dev.postrider.reminder.FrozenReminder;
import dev.postrider.reminder.config.ReminderSettings;
import dev.postrider.reminder.estimate.Rate;
import dev.postrider.store.message.Budget;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The pace of runs, beside that of the account, which holds for every message: what their reminder
 * says, or else what is configured for all runs. Runs of one account at one pace share it. What was
 * spent survives a restart. Belongs to the run scheduler's task, but for {@link #rate}.
 */
public final class RunPaces {
  private final Postrider postrider;
  private final ReminderSettings settings;
  private final Map<String, Meter> meters = new HashMap<>();

  public RunPaces(Postrider postrider, ReminderSettings settings) {
    this.postrider = postrider;
    this.settings = settings;
  }

  /** When the account may begin with the next message of a run; the past means now. */
  Instant opensAt(String account, FrozenReminder script, Instant now) {
    Meter meter = meter(account, script);
    Moment moment = Moment.of(postrider.time());
    return meter == null ? now : moment.onClock(meter.opensAt(moment));
  }

  /** So many messages are begun; what is spent is durable when this returns. */
  void take(String account, FrozenReminder script, int messages) {
    Meter meter = meter(account, script);
    Moment now = Moment.of(postrider.time());
    if (meter != null) {
      for (int i = 0; i < messages; i++) {
        meter.take(now);
      }
      Budget spent = meter.budget(scope(account, script), now);
      postrider.time().await(postrider.store(StoreAccess.OWN).save(List.of(spent)));
    }
  }

  /** How fast the account sends a run, for estimates. */
  Rate rate(String account, FrozenReminder script) {
    Pace own = postrider.paceOf(account);
    Pace runs = pace(account, script);
    if (runs == null) {
      return Rate.of(own);
    }
    Rate rate = Rate.of(runs);
    return own.isUnlimited() ? rate : rate.within(Rate.of(own));
  }

  /** How many chats of a run the account may reach with one request. */
  int recipients(String account, FrozenReminder script) {
    return script.priority() == Priority.BULK && script.saysTheSameToAll()
        ? postrider.recipientsOf(account)
        : 1;
  }

  /** Null if the run shares requests, which only the account's pace counts. */
  private @Nullable Pace pace(String account, FrozenReminder script) {
    Integer perMinute = script.perMinute();
    if (perMinute != null) {
      return Pace.perMinute(perMinute).burst(settings.pace().burst());
    }
    return recipients(account, script) > 1 ? null : settings.pace();
  }

  private @Nullable Meter meter(String account, FrozenReminder script) {
    Pace pace = pace(account, script);
    return pace == null
        ? null
        : meters.computeIfAbsent(scope(account, script), scope -> restored(scope, pace));
  }

  private Meter restored(String scope, Pace pace) {
    Meter meter = new Meter(pace);
    postrider.store(StoreAccess.OWN).budgets(postrider.time().instant()).stream()
        .filter(budget -> budget.scope().equals(scope))
        .forEach(budget -> meter.restore(budget, Moment.of(postrider.time())));
    return meter;
  }

  private static String scope(String account, FrozenReminder script) {
    String runs = "runs:" + account;
    return script.perMinute() == null ? runs : runs + ":" + script.perMinute();
  }
}
