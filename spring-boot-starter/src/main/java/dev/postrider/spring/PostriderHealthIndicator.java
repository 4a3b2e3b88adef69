package dev.postrider.spring;

import dev.postrider.Postrider;
import dev.postrider.server.api.HealthCheck;
import dev.postrider.view.Stats;
import java.util.List;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

/**
 * Tells what is not well. Only a store that takes nothing counts as down: whatever else is wrong, a
 * restart would not mend it, and messages are taken as ever.
 */
final class PostriderHealthIndicator extends AbstractHealthIndicator {
  static final Status DEGRADED = new Status("DEGRADED");

  private final Postrider postrider;
  private final HealthCheck check;

  PostriderHealthIndicator(Postrider postrider, HealthCheck check) {
    super("Postrider cannot tell how it is");
    this.postrider = postrider;
    this.check = check;
  }

  @Override
  protected void doHealthCheck(Health.Builder health) {
    Stats stats = postrider.stats();
    List<String> reasons = check.reasons(stats);
    if (stats.storeDownBecause() != null) {
      health.down();
    } else if (reasons.isEmpty()) {
      health.up();
    } else {
      health.status(DEGRADED);
    }
    health.withDetail("queued", stats.queued()).withDetail("reasons", reasons);
  }
}
