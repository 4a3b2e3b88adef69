package dev.postrider.internal.context;

import dev.postrider.channel.Alias;
import dev.postrider.channel.Hook;
import dev.postrider.channel.Remembered;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.DeliverySettings;
import dev.postrider.config.InboundQueueSettings;
import dev.postrider.config.InboundSettings;
import dev.postrider.config.SessionKey;
import dev.postrider.event.Event;
import dev.postrider.event.Events;
import dev.postrider.inbound.DeliveryReport;
import dev.postrider.inbound.InboundId;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.message.Ids;
import dev.postrider.message.OnReceiptFailed;
import dev.postrider.problem.Refused;
import dev.postrider.store.Store;
import dev.postrider.store.failure.StoreUnavailable;
import dev.postrider.store.inbound.NewInbound;
import dev.postrider.store.inbound.ReceiveResult;
import dev.postrider.store.message.ReportResult;
import dev.postrider.store.message.StoredMessage;
import dev.postrider.time.Scheduler;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Takes in what platforms tell: first it is stored, once, and only then is the platform told
 * "received". Thread-safe.
 */
public final class InboundIntake {
  private final Store store;
  private final Scheduler time;
  private final Events events;
  private final StoreWatch watch;
  private final Ids ids;
  private final MessageCounts counts;
  private final InboundQueueSettings settings;
  private final Map<String, AccountConfig> accounts;
  private final ChatNames chats;

  /**
   * @param accounts by their ids
   */
  public InboundIntake(
      Store store,
      Scheduler time,
      Events events,
      StoreWatch watch,
      Ids ids,
      MessageCounts counts,
      InboundQueueSettings settings,
      Map<String, AccountConfig> accounts,
      ChatNames chats) {
    this.store = store;
    this.time = time;
    this.events = events;
    this.watch = watch;
    this.ids = ids;
    this.counts = counts;
    this.settings = settings;
    this.accounts = Map.copyOf(accounts);
    this.chats = chats;
  }

  /**
   * Answers a platform's webhook.
   *
   * @throws StoreUnavailable if what it told could not be stored; the platform shall try again
   * @throws Refused if too much waits already; the platform shall try again later
   */
  public Hook.Answer receive(String account, Hook hook, Hook.Request request) {
    Hook.Answer answer = hook.read(request);
    switch (answer) {
      case Hook.Answer.Genuine genuine ->
          take(
              account,
              genuine.arrivals(),
              genuine.reports(),
              null,
              genuine.memory(),
              genuine.aliases());
      case Hook.Answer.Forged(String cause) -> refused(account, cause);
      case Hook.Answer.Unverified(String cause) -> refused(account, cause);
      case Hook.Answer.Malformed(String cause) -> refused(account, cause);
    }
    return answer;
  }

  private void refused(String account, String cause) {
    events.publish(new Event.InboundRefused(time.instant(), account, cause));
  }

  /**
   * Stores inbound messages and delivery reports, and with them how far the platform's stream was
   * read, what the channel wants to know again, and other names of chats.
   *
   * @throws StoreUnavailable if it could not be stored
   * @throws Refused if too much waits already
   */
  public void take(
      String account,
      List<InboundMessage> arrivals,
      List<DeliveryReport> reports,
      @Nullable String cursor,
      List<Remembered> memory,
      List<Alias> aliases) {
    Instant now = time.instant();
    if (!arrivals.isEmpty() && counts.waitingEvents() >= settings.maxDepth()) {
      throw new Refused(
          Refused.Cause.QUEUE_FULL,
          "the inbox holds "
              + settings.maxDepth()
              + " messages that are not handled; send it again when some are");
    }
    List<Alias> news = chats.news(account, aliases);
    if (!arrivals.isEmpty() || cursor != null || !memory.isEmpty() || !news.isEmpty()) {
      AccountConfig config = accounts.get(account);
      InboundSettings inbound = config == null ? InboundSettings.DEFAULTS : config.inbound();
      SessionKey session = inbound.session();
      List<NewInbound> entries = new ArrayList<>();
      for (InboundMessage told : arrivals) {
        InboundMessage arrival = told.withChat(chats.spelled(account, told.chat()));
        String name = session.of(account, arrival, chats.now(account, arrival.chat(), news));
        entries.add(
            new NewInbound(new InboundId(ids.next()), arrival, name, now, inbound.keepMedia()));
      }
      List<ReceiveResult> received =
          stored(store.receive(account, entries, cursor, memory, news, session));
      chats.told(account, news);
      for (int i = 0; i < received.size(); i++) {
        if (received.get(i).isNew()) {
          String chat = entries.get(i).arrival().chat();
          events.publish(new Event.InboundReceived(now, account, chat, received.get(i).id()));
        }
      }
    }
    if (!reports.isEmpty()) {
      stored(store.report(account, reports, onReceiptFailed(account), now)).stream()
          .filter(ReportResult::changed)
          .forEach(reported -> announce(account, now, reported));
    }
  }

  private OnReceiptFailed onReceiptFailed(String account) {
    AccountConfig config = accounts.get(account);
    return (config == null ? DeliverySettings.DEFAULTS : config.delivery()).onReceiptFailed();
  }

  private <T> T stored(CompletableFuture<T> write) {
    try {
      T result = time.await(write);
      watch.up();
      return result;
    } catch (StoreUnavailable e) {
      watch.down(String.valueOf(e.getMessage()));
      throw e;
    } catch (RuntimeException | Error e) {
      watch.doubt();
      throw e;
    }
  }

  private void announce(String account, Instant now, ReportResult reported) {
    DeliveryReport report = reported.report();
    events.publish(
        new Event.ReceiptUpdated(
            now,
            account,
            reported.message(),
            reported.part(),
            report.receipt(),
            report.state().label(),
            report.detail()));
    StoredMessage failed = reported.failed();
    if (failed != null) {
      events.publish(
          new Event.Ended(
              now,
              account,
              failed.message().to(),
              failed.id(),
              failed.status(),
              failed.reason(),
              failed.error(),
              Event.Ties.of(failed.message()),
              true));
    }
  }
}
