package dev.postrider.reminder.internal.run;

import dev.postrider.Postrider;
import dev.postrider.config.Pace;
import dev.postrider.internal.engine.StoreAccess;
import dev.postrider.internal.pace.Meter;
import dev.postrider.internal.pace.Moment;
import dev.postrider.reminder.config.ReminderSettings;
import dev.postrider.reminder.estimate.Rate;
import dev.postrider.store.message.Budget;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The pace of runs on accounts that have none: neither configured, nor as their channel's default.
 * What was spent survives a restart. Belongs to the run scheduler's task.
 */
public final class DefaultPaces {
  private final Postrider postrider;
  private final ReminderSettings settings;
  private final Map<String, Meter> meters = new HashMap<>();

  public DefaultPaces(Postrider postrider, ReminderSettings settings) {
    this.postrider = postrider;
    this.settings = settings;
  }

  /** When the account may begin with the next message; the past means now. */
  Instant opensAt(String account, Instant now) {
    Meter meter = meter(account);
    Moment moment = Moment.of(postrider.time());
    return meter == null ? now : moment.onClock(meter.opensAt(moment));
  }

  /** So many messages are begun; what is spent is durable when this returns. */
  void take(String account, int messages) {
    Meter meter = meter(account);
    Moment now = Moment.of(postrider.time());
    if (meter != null) {
      for (int i = 0; i < messages; i++) {
        meter.take(now);
      }
      Budget spent = meter.budget(scope(account), now);
      postrider.time().await(postrider.store(StoreAccess.OWN).save(List.of(spent)));
    }
  }

  /** How fast the account sends, for estimates. */
  public Rate rate(String account) {
    Pace own = postrider.paceOf(account);
    return Rate.of(own.isUnlimited() ? settings.pace() : own);
  }

  private @Nullable Meter meter(String account) {
    if (!postrider.paceOf(account).isUnlimited()) {
      return null;
    }
    return meters.computeIfAbsent(account, this::restored);
  }

  private Meter restored(String account) {
    Meter meter = new Meter(settings.pace());
    postrider.store(StoreAccess.OWN).budgets(postrider.time().instant()).stream()
        .filter(budget -> budget.scope().equals(scope(account)))
        .forEach(budget -> meter.restore(budget, Moment.of(postrider.time())));
    return meter;
  }

  private static String scope(String account) {
    return "runs:" + account;
  }
}
