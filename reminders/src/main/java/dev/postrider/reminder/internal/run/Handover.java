package dev.postrider.reminder.internal.run;

import dev.postrider.Postrider;
import dev.postrider.internal.engine.StoreAccess;
import dev.postrider.problem.Refused;
import dev.postrider.store.reminder.ReminderStore;
import dev.postrider.store.reminder.StoredRun;
import java.util.Set;
import java.util.UUID;

/**
 * Gives the rest of a run to another account. Each target is moved in the store while it is
 * pending, as one more try: whoever has read it for its old account cannot begin with it any more,
 * and the keys of its messages are new ones. A target that is being sent to stays where it is.
 */
public final class Handover {
  private static final int BATCH = 1_000;

  private final Postrider postrider;
  private final ReminderStore store;

  public Handover(Postrider postrider) {
    this.postrider = postrider;
    this.store = postrider.store(StoreAccess.OWN).reminders();
  }

  /**
   * Looks whether an account can take over.
   *
   * @throws Refused if it cannot
   */
  public void check(StoredRun run, String account) {
    postrider.paceOf(account); // refuses what is not configured, naming the nearest
    if (store.accounts(run.id()).equals(Set.of(account))) {
      throw refused("run %s sends through '%s' already; name another account", run.id(), account);
    }
    String channel = postrider.channelOf(account);
    String before = postrider.channelOf(run.account());
    if (channel != null && before != null && !before.equals(channel)) {
      throw refused(
          "'%s' is on %s, and the chats of this run are on %s; name an account on %3$s",
          account, channel, before);
    }
  }

  private static Refused refused(String why, Object... what) {
    return new Refused(Refused.Cause.CONFLICT, why.formatted(what));
  }

  /** Moves all pending targets to the account, batch by batch. */
  public void move(UUID run, String account) {
    for (String from : store.accounts(run)) {
      while (!from.equals(account)
          && postrider.time().await(store.reassign(run, from, account, BATCH)) == BATCH) {
        // in small batches among the other writes
      }
    }
  }
}
