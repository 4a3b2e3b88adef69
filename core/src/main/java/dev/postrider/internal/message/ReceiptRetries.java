package dev.postrider.internal.message;

import dev.postrider.config.AccountConfig;
import dev.postrider.config.DeliverySettings;
import dev.postrider.event.Event;
import dev.postrider.event.Events;
import dev.postrider.internal.context.EngineContext;
import dev.postrider.internal.retry.Backoff;
import dev.postrider.message.EndReason;
import dev.postrider.message.OnReceiptFailed;
import dev.postrider.store.failure.StoreUnavailable;
import dev.postrider.store.message.StoredMessage;
import dev.postrider.time.Signal;
import java.time.Duration;
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
 * replays them. Any node may do it. Whoever is not woken looks every few seconds. Thread-safe.
 */
public final class ReceiptRetries implements Events.Listener {
  private static final Logger log = LoggerFactory.getLogger(ReceiptRetries.class);
  private static final int BATCH = 100;

  private final EngineContext context;
  private final Intake intake;
  private final Map<String, AccountConfig> accounts;
  private final Signal news;
  private volatile boolean stopped;

  public ReceiptRetries(EngineContext context, Intake intake, Map<String, AccountConfig> accounts) {
    this.context = context;
    this.intake = intake;
    this.accounts = Map.copyOf(accounts);
    news = new Signal(context.time());
  }

  /** Looks for as long as the engine runs, if any account wants that. */
  public void start() {
    if (accounts.values().stream().anyMatch(ReceiptRetries::retries)) {
      context.supervisor().start("receipt-retries", this::work);
    }
  }

  public void stop() {
    stopped = true;
    news.ring();
  }

  @Override
  public void on(Event event) {
    if (event instanceof Event.Ended ended
        && EndReason.RECEIPT_FAILED.label().equals(ended.reason())) {
      news.ring();
    }
  }

  private static boolean retries(AccountConfig account) {
    return account.delivery().onReceiptFailed() == OnReceiptFailed.RETRY;
  }

  private void work() {
    while (!stopped) {
      try (Signal.Ear ear = news.listen()) {
        retryAll();
        ear.await(Signal.LOOK_AGAIN);
      }
    }
  }

  private void retryAll() {
    try {
      @Nullable Long after = null;
      List<StoredMessage> page;
      do {
        page = context.store().toRetry(after, BATCH);
        for (StoredMessage dead : page) {
          retry(dead);
          after = dead.row();
        }
      } while (page.size() == BATCH);
    } catch (StoreUnavailable e) {
      log.info("What failed later is sent again when the store is back: {}", e.getMessage());
    }
  }

  /** What cannot be replayed now is found again. */
  private void retry(StoredMessage dead) {
    AccountConfig account = accounts.get(dead.message().account());
    if (account == null) {
      return; // until somebody configures it again
    }
    DeliverySettings settings = account.delivery();
    Integer wish = dead.message().maxAttempts();
    int left = (wish == null ? settings.maxAttempts() : wish) - dead.attempts();
    if (left < 1 || dead.message().bestEffort()) {
      context.time().await(context.store().notToRetry(dead));
      return;
    }
    Duration delay =
        Backoff.after(dead.attempts(), settings.backoff(), settings.jitter(), context.random());
    context.time().await(intake.replay(dead, context.time().instant().plus(delay), left));
  }
}
