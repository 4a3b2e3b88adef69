package dev.postrider.store.message;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What is remembered of an account besides its budgets.
 *
 * @param pausedBecause why it is paused, or null
 * @param pausedSince when it was paused; null also if that was before anybody noted it
 * @param brokenBecause why the platform refuses it, or null
 */
public record AccountState(
    String account,
    @Nullable String pausedBecause,
    @Nullable Instant pausedSince,
    @Nullable String brokenBecause,
    @Nullable Instant brokenSince) {

  /** Nothing is wrong with it. */
  public static AccountState fresh(String account) {
    return new AccountState(account, null, null, null, null);
  }

  /** The same, paused. */
  public AccountState paused(String because, Instant since) {
    return new AccountState(account, because, since, brokenBecause, brokenSince);
  }

  /** The same, refused by its platform. */
  public AccountState broken(String because, Instant since) {
    return new AccountState(account, pausedBecause, pausedSince, because, since);
  }

  /** The same, taken by its platform again. */
  public AccountState repaired() {
    return new AccountState(account, pausedBecause, pausedSince, null, null);
  }
}
