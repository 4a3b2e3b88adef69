package dev.postrider.internal.message;

import dev.postrider.config.AccountConfig;
import dev.postrider.config.DeliverySettings;
import dev.postrider.event.Event;
import dev.postrider.event.Events;
import dev.postrider.internal.context.EngineContext;
import dev.postrider.internal.retry.Backoff;
import dev.postrider.message.OnReceiptFailed;
import dev.postrider.store.failure.StoreClosed;
import dev.postrider.store.message.StoredMessage;
import dev.postrider.time.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends again what a platform took and said later that it failed, where the account wants that: the
 * dead letter is replayed, to be sent after the usual back-off. The replay has as many attempts as
 * the message had left, so that all tries together are no more than one message may have.
 *
 * <p>The store keeps which ones are to be sent again until they were replayed, in the write that
 * replays them. Whoever starts, or takes an account over, looks. Thread-safe.
 */
public final class ReceiptRetries implements Events.Listener {
  private static final Logger log = LoggerFactory.getLogger(ReceiptRetries.class);
  private static final int BATCH = 100;
  private static final Duration AGAIN = Duration.ofSeconds(15);

  private final EngineContext context;
  private final Intake intake;
  private final Map<String, AccountConfig> accounts;
  private boolean comes; // guarded by this

  public ReceiptRetries(EngineContext context, Intake intake, Map<String, AccountConfig> accounts) {
    this.context = context;
    this.intake = intake;
    this.accounts = Map.copyOf(accounts);
  }

  @Override
  public void on(Event event) {
    switch (event) {
      case Event.Ended ended when OnReceiptFailed.REASON.equals(ended.reason()) ->
          lookAt(ended.at());
      case Event.AccountTaken taken -> lookAt(taken.at());
      default -> {} // nothing is to be sent again
    }
  }

  private synchronized void lookAt(Instant when) {
    if (!comes && accounts.values().stream().anyMatch(ReceiptRetries::retries)) {
      comes = true;
      context.time().at(when, () -> context.time().start("receipt-retries", this::look));
    }
  }

  private static boolean retries(AccountConfig account) {
    return account.delivery().onReceiptFailed() == OnReceiptFailed.RETRY;
  }

  private void look() {
    synchronized (this) {
      comes = false;
    }
    boolean all = true;
    try {
      @Nullable Long after = null;
      List<StoredMessage> page;
      do {
        page = context.store().toRetry(after, BATCH);
        for (StoredMessage dead : page) {
          all &= again(dead);
          after = dead.row();
        }
      } while (page.size() == BATCH);
    } catch (Scheduler.Interrupted | StoreClosed e) {
      return;
    } catch (RuntimeException | Error e) {
      log.warn("What failed later is sent again a little later: {}", String.valueOf(e));
      all = false;
    }
    if (!all) {
      lookAt(context.time().instant().plus(AGAIN));
    }
  }

  /** False if it could not be replayed now. */
  private boolean again(StoredMessage dead) {
    AccountConfig account = accounts.get(dead.message().account());
    if (account == null) {
      return true; // until somebody configures it again
    }
    DeliverySettings settings = account.delivery();
    Integer wish = dead.message().maxAttempts();
    int left = (wish == null ? settings.maxAttempts() : wish) - dead.attempts();
    if (left < 1 || dead.message().bestEffort()) {
      context.time().await(context.store().notToRetry(dead));
      return true;
    }
    Duration delay =
        Backoff.after(dead.attempts(), settings.backoff(), settings.jitter(), context.random());
    Admission admission =
        context.time().await(intake.replay(dead, context.time().instant().plus(delay), left));
    return admission instanceof Admission.Admitted || isNotAgain(dead);
  }

  /** It was replayed by somebody else, or discarded. */
  private boolean isNotAgain(StoredMessage dead) {
    return context.store().find(dead.id()).map(now -> now.replayedAs() != null).orElse(true);
  }
}
