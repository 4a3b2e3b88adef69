package dev.postrider.reminder.internal.run;

import dev.postrider.Postrider;
import dev.postrider.event.Event;
import dev.postrider.store.reminder.StoredRun;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Knows which accounts cannot send, and why. Thread-safe. */
public final class BlockedAccounts {
  private static final String IS_PAUSED = "' is paused";
  private static final String BROKEN = "paused until the account works again: ";

  /**
   * Why an account cannot send.
   *
   * @param broken whether its platform does not take it
   */
  record Hindrance(String reason, boolean broken) {}

  private final Postrider postrider;
  private final Map<String, Hindrance> known = new ConcurrentHashMap<>();

  BlockedAccounts(Postrider postrider) {
    this.postrider = postrider;
  }

  /** Looks at all accounts. */
  void read() {
    postrider
        .accounts()
        .forEach(
            account -> {
              switch (account.health()) {
                case BROKEN -> broken(account.id(), String.valueOf(account.reason()));
                case PAUSED -> paused(account.id());
                case STARTING, READY, DEGRADED, UNREACHABLE -> known.remove(account.id());
              }
            });
  }

  /** Takes note of an event; tells whether that changes anything. */
  boolean note(Event event) {
    switch (event) {
      case Event.AccountPaused paused -> paused(paused.account());
      case Event.AccountBroken broken -> broken(broken.account(), broken.cause());
      case Event.AccountResumed _, Event.AccountRepaired _ -> known.remove(event.account());
      default -> {
        return false;
      }
    }
    return true;
  }

  private void paused(String account) {
    known.put(account, new Hindrance("account '" + account + IS_PAUSED, false));
  }

  private void broken(String account, String cause) {
    known.put(account, new Hindrance(BROKEN + "'" + account + "': " + cause, true));
  }

  /** Why none of a run's accounts can send that are worked here; null if one can. */
  @Nullable Hindrance of(Collection<String> accounts, Set<String> worked) {
    Hindrance last = null;
    for (String account : accounts) {
      if (worked.contains(account)) {
        last = known.get(account);
        if (last == null) {
          return null;
        }
      }
    }
    return last;
  }

  /** Whether this is why a run waits for an account that was paused. */
  public static boolean isPause(String reason) {
    return reason.endsWith(IS_PAUSED);
  }

  /** Whether a run was paused because of its account, and goes on when that works. */
  public static boolean pausedByItself(StoredRun run) {
    return run.reason() != null && run.reason().startsWith(BROKEN);
  }
}
