package dev.postrider.channels.whatsappweb;

import dev.postrider.channel.AccountContext;
import dev.postrider.channel.Remembered;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Slows a young account down: from a tenth of its pace on the day it was first seen here, evenly up
 * to the whole. That day is remembered by the account, so a restart does not begin anew.
 * Thread-safe.
 */
final class Warmup {
  private static final String SINCE = "since";
  private static final double LOWEST = 0.1;

  private final AccountContext context;
  private final Duration length;
  private @Nullable Instant since; // guarded by this
  private int percent = 100; // as it was last said; guarded by this

  Warmup(AccountContext context, Duration length) {
    this.context = context;
    this.length = length;
  }

  /** Says how much of the pace may be used by now. */
  synchronized void apply() {
    if (length.isZero() || percent == 100 && since != null) {
      return;
    }
    Instant now = context.scheduler().instant();
    if (since == null) {
      context.memory().replace(null, Remembered.of(null, SINCE, now.toString()));
      since = context.memory().read(null, SINCE).map(Instant::parse).orElse(now);
    }
    double age = (double) Duration.between(since, now).toMillis() / length.toMillis();
    int share = (int) Math.floor(100 * Math.clamp(age, LOWEST, 1));
    if (share != percent) {
      percent = share;
      context.lowerPace(
          share / 100.0,
          share == 100
              ? null
              : "of which %d %% are used until %s, while the account is new here (warmup)"
                  .formatted(share, since.plus(length)));
    }
  }
}
