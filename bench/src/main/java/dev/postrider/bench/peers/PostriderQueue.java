package dev.postrider.bench.peers;

import dev.postrider.Postrider;
import dev.postrider.SendResult;
import dev.postrider.bench.NoopChannel;
import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Outcome;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.DeliverySettings;
import dev.postrider.config.PostriderConfig;
import dev.postrider.config.QueueSettings;
import dev.postrider.event.Event;
import dev.postrider.message.Message;
import dev.postrider.store.Store;
import dev.postrider.store.StoreProvider;
import dev.postrider.time.SystemScheduler;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;

/** Postrider as a library: a chat for each key, and a channel that gives items to the worker. */
public final class PostriderQueue implements Queue {
  private static final String ACCOUNT = "bot";

  private final Postrider postrider;
  private final CompletableFuture<Worker> worker = new CompletableFuture<>();

  /**
   * @param url of the store, as in the configuration
   */
  public PostriderQueue(String url) {
    SystemScheduler time = new SystemScheduler();
    PostriderConfig config =
        PostriderConfig.store(url)
            .queue(
                QueueSettings.DEFAULTS.with(s -> s.maxQueueDepth = s.maxAccountDepth = 10_000_000))
            .account(
                AccountConfig.of(ACCOUNT, "noop")
                    .withDelivery(
                        DeliverySettings.DEFAULTS.with(
                            s -> s.backoff = List.of(Duration.ofMillis(1)))));
    postrider =
        Postrider.open(
            config,
            time,
            store(config, time),
            () -> ThreadLocalRandom.current().nextLong(),
            List.of(new NoopChannel(this::handle)));
  }

  private static Store store(PostriderConfig config, SystemScheduler time) {
    return ServiceLoader.load(StoreProvider.class).stream()
        .map(ServiceLoader.Provider::get)
        .filter(provider -> provider.accepts(config.store()))
        .findFirst()
        .orElseThrow()
        .open(config.store(), config.cluster(), config.encryptionKeys(), time);
  }

  private Outcome handle(Dispatch dispatch) {
    try {
      worker.join().handle(Item.parse(Objects.requireNonNull(dispatch.message().text())));
      return Outcome.delivered("n");
    } catch (IllegalStateException e) {
      return new Outcome.NotSent("injected");
    }
  }

  @Override
  public void enqueue(Item item) {
    postrider.send(message(item));
  }

  @Override
  public void enqueueAll(List<Item> items) {
    for (SendResult result :
        postrider.sendAll(items.stream().map(PostriderQueue::message).toList())) {
      if (result instanceof SendResult.NotSent refused) {
        throw refused.refusal();
      }
    }
  }

  private static Message message(Item item) {
    return Message.to(ACCOUNT, item.key()).text(item.text()).build();
  }

  @Override
  public void pause() {
    postrider.pauseAccount(ACCOUNT, "nothing is handled yet");
  }

  @Override
  public void work(Worker chosen) {
    postrider
        .events()
        .subscribe(
            event -> {
              if (event instanceof Event.Delivered) {
                chosen.ended();
              }
            });
    worker.complete(chosen);
    postrider.resumeAccount(ACCOUNT);
  }

  @Override
  public void close() {
    postrider.close();
  }
}
