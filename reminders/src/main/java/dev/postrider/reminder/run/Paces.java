package dev.postrider.reminder.run;

import dev.postrider.Postrider;
import dev.postrider.config.Pace;
import dev.postrider.pace.Budget;
import dev.postrider.pace.Meter;
import dev.postrider.pace.Now;
import dev.postrider.reminder.estimate.Rate;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The pace of runs on accounts that have none: neither configured, nor as their channel's default.
 * What was spent survives a restart. Belongs to the conductor's strand.
 */
final class Paces {
  private final Postrider postrider;
  private final ReminderSettings settings;
  private final Map<String, Meter> meters = new HashMap<>();

  Paces(Postrider postrider, ReminderSettings settings) {
    this.postrider = postrider;
    this.settings = settings;
  }

  /** When the account may begin with the next message; the past means now. */
  Instant opensAt(String account, Instant now) {
    Meter meter = meter(account);
    Now moment = Now.of(postrider.time());
    return meter == null ? now : moment.onClock(meter.opensAt(moment));
  }

  /** So many messages are begun; what is spent is durable when this returns. */
  void take(String account, int messages) {
    Meter meter = meter(account);
    Now now = Now.of(postrider.time());
    if (meter != null) {
      for (int i = 0; i < messages; i++) {
        meter.take(now);
      }
      Budget spent = meter.budget(scope(account), now);
      postrider.time().await(postrider.store().save(List.of(spent)));
    }
  }

  /** How fast the account sends, for estimates. */
  Rate rate(String account) {
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
    postrider.store().budgets(postrider.time().instant()).stream()
        .filter(budget -> budget.scope().equals(scope(account)))
        .forEach(budget -> meter.restore(budget, Now.of(postrider.time())));
    return meter;
  }

  private static String scope(String account) {
    return "runs:" + account;
  }
}
