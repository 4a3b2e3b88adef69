package dev.postrider.engine;

import dev.postrider.config.QueueSettings;
import dev.postrider.config.QueueSettings.OnMissingAccount;
import dev.postrider.message.HistoryEntry;
import dev.postrider.message.Status;
import dev.postrider.store.Lease;
import dev.postrider.store.Settlement;
import dev.postrider.store.StoredMessage;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accounts that nobody has configured but that have messages: these wait until they expire, or
 * fail, as the settings say. Thread-safe.
 */
final class MissingAccounts {
  private static final Logger log = LoggerFactory.getLogger(MissingAccounts.class);

  /** Why nothing of such an account is sent. */
  static final String REASON = "not configured any more";

  private final House house;
  private final QueueSettings settings;
  private final Housekeeping housekeeping;
  private final Set<String> names = new TreeSet<>(); // guarded by itself

  MissingAccounts(House house, QueueSettings settings, Housekeeping housekeeping) {
    this.house = house;
    this.settings = settings;
    this.housekeeping = housekeeping;
  }

  List<String> names() {
    synchronized (names) {
      return List.copyOf(names);
    }
  }

  /** The account has messages and nobody who would send them. */
  void found(String account) {
    synchronized (names) {
      if (!names.add(account)) {
        return;
      }
    }
    house.insist("missing", () -> adopt(account));
  }

  private void adopt(String account) {
    Optional<Lease> lease = house.time().await(house.store().acquire(account, house.node()));
    if (lease.isEmpty()) {
      synchronized (names) {
        names.remove(account); // whoever finds it next asks again
      }
      return;
    }
    for (StoredMessage message : house.store().interrupted(account)) {
      house.time().await(house.store().settle(inDoubt(message, lease.get())));
    }
    house.time().await(house.store().release(lease.get()));
    if (settings.onMissingAccount() == OnMissingAccount.FAIL) {
      housekeeping.failAll(account);
    } else {
      log.warn("Account {} is not configured; its messages wait until they expire", account);
    }
  }

  private Settlement inDoubt(StoredMessage message, Lease lease) {
    Instant now = house.time().instant();
    String error = "the process stopped before the outcome was stored";
    HistoryEntry entry =
        new HistoryEntry(
            now, message.attempts(), message.progress().nextPending(), "unknown", error, now);
    return new Settlement(
        message,
        lease,
        Status.QUEUED,
        now,
        now,
        true,
        message.progress(),
        error,
        null,
        message.late(),
        true,
        entry,
        List.of(),
        null);
  }
}
