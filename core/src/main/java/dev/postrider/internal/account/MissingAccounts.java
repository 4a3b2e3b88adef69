package dev.postrider.internal.account;

import dev.postrider.config.QueueSettings;
import dev.postrider.config.QueueSettings.OnMissingAccount;
import dev.postrider.internal.context.EngineContext;
import dev.postrider.message.HistoryEntry;
import dev.postrider.message.Status;
import dev.postrider.store.message.Lease;
import dev.postrider.store.message.Settlement;
import dev.postrider.store.message.StoredMessage;
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
public final class MissingAccounts {
  private static final Logger log = LoggerFactory.getLogger(MissingAccounts.class);

  /** Why nothing of such an account is sent. */
  public static final String REASON = "not configured any more";

  private final EngineContext context;
  private final QueueSettings settings;
  private final Housekeeping housekeeping;
  private final Set<String> names = new TreeSet<>(); // guarded by itself

  public MissingAccounts(EngineContext context, QueueSettings settings, Housekeeping housekeeping) {
    this.context = context;
    this.settings = settings;
    this.housekeeping = housekeeping;
  }

  public List<String> names() {
    synchronized (names) {
      return List.copyOf(names);
    }
  }

  /** The account has messages and nobody who would send them. */
  public void found(String account) {
    synchronized (names) {
      if (!names.add(account)) {
        return;
      }
    }
    context.insist("missing", () -> adopt(account));
  }

  private void adopt(String account) {
    Optional<Lease> lease = context.time().await(context.store().acquire(account, context.node()));
    if (lease.isEmpty()) {
      synchronized (names) {
        names.remove(account); // whoever finds it next asks again
      }
      return;
    }
    for (StoredMessage message : context.store().interrupted(account)) {
      context.time().await(context.store().settle(inDoubt(message, lease.get())));
    }
    context.time().await(context.store().release(lease.get()));
    if (settings.onMissingAccount() == OnMissingAccount.FAIL) {
      housekeeping.failAll(account);
    } else {
      log.warn("Account {} is not configured; its messages wait until they expire", account);
    }
  }

  private Settlement inDoubt(StoredMessage message, Lease lease) {
    Instant now = context.time().instant();
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
