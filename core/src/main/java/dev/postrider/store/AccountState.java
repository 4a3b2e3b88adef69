package dev.postrider.store;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What is remembered of an account besides its budgets.
 *
 * @param pausedBecause why it is paused, or null
 * @param brokenBecause why the platform refuses it, or null
 */
public record AccountState(
    String account,
    @Nullable String pausedBecause,
    @Nullable String brokenBecause,
    @Nullable Instant brokenSince) {
  public static AccountState fresh(String account) {
    return new AccountState(account, null, null, null);
  }
}
