package dev.postrider.testkit.engine;

import dev.postrider.Delivery;
import dev.postrider.Postrider;
import dev.postrider.channel.Channel;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.ClusterSettings;
import dev.postrider.config.PostriderConfig;
import dev.postrider.event.Event;
import dev.postrider.message.HistoryEntry;
import dev.postrider.message.Message;
import dev.postrider.message.MessageId;
import dev.postrider.message.Status;
import dev.postrider.store.Store;
import dev.postrider.store.message.StoredMessage;
import dev.postrider.testkit.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * An engine in virtual time between a real store and a {@link FakeChannel}: send, let time pass,
 * pull the plug, start again, look. Has one account, {@code bot}, unless told otherwise.
 */
public final class World implements AutoCloseable {

  /** Opens the store under test; called again after a restart, for the same data. */
  @FunctionalInterface
  public interface StoreOpener {
    Store open(VirtualTime time);
  }

  /** Where the store could be shared, nobody else is there, and nobody asks for years. */
  public static final ClusterSettings ALONE =
      new ClusterSettings("test", "", Duration.ofDays(1000), Duration.ofDays(4000));

  private final StoreOpener opener;
  private final List<Event> events = new ArrayList<>();
  public final VirtualTime time;
  public final FakeChannel platform;
  public final FakeInternet internet = new FakeInternet();
  private final List<Channel> channels = new ArrayList<>();
  private PostriderConfig config;
  private long seed;
  private long rescued;
  private @Nullable Store store;
  private @Nullable Postrider postrider;

  public World(StoreOpener opener) {
    this(opener, VirtualTime.inOrder(), new FakeChannel(), 1);
  }

  public World(StoreOpener opener, VirtualTime time, FakeChannel platform, long seed) {
    this.opener = opener;
    this.time = time;
    this.platform = platform;
    this.channels.add(platform);
    this.seed = seed;
    this.config =
        PostriderConfig.store("test").cluster(ALONE).account(AccountConfig.of("bot", "fake"));
  }

  // ---- setting up

  /** Changes the account {@code bot}; takes effect at the next start. */
  public World account(UnaryOperator<AccountConfig> change) {
    List<AccountConfig> changed = new ArrayList<>();
    for (AccountConfig account : config.accounts()) {
      changed.add(account.id().equals("bot") ? change.apply(account) : account);
    }
    config = config.accounts(changed);
    return this;
  }

  /** Accounts may be on this channel, too. */
  public World with(Channel channel) {
    channels.add(channel);
    return this;
  }

  public World configure(UnaryOperator<PostriderConfig> change) {
    config = change.apply(config);
    return this;
  }

  public World start() {
    Store opened = opener.open(time);
    store = opened;
    Postrider started =
        Postrider.open(
            config, time, opened, new SplittableRandom(seed++), List.copyOf(channels), internet);
    started.events().subscribe(events::add);
    postrider = started;
    time.settle();
    return this;
  }

  /** The account {@code bot} of the other world is configured as here. */
  void copyAccountTo(World other) {
    other.config = config;
  }

  /** How many lanes the safety sweep has found forgotten since the world began. */
  public long rescued() {
    return rescued + (postrider == null ? 0 : postrider.countRescued(0));
  }

  /** Pulls the plug: what was not committed is lost. */
  public World crash() {
    rescued = rescued();
    time.crash();
    store().close(Duration.ZERO);
    time.crash(); // whoever was told that the store is closed does not live any more
    store = null;
    postrider = null;
    return this;
  }

  /** Stops cleanly. */
  public World stop() {
    rescued = rescued();
    postrider().close();
    time.settle();
    store = null;
    postrider = null;
    return this;
  }

  public Postrider postrider() {
    if (postrider == null) {
      throw new IllegalStateException("the world is not started");
    }
    return postrider;
  }

  public Store store() {
    if (store == null) {
      throw new IllegalStateException("the world is not started");
    }
    return store;
  }

  public boolean isRunning() {
    return postrider != null;
  }

  // ---- acting

  public Delivery send(String chat, String text) {
    return send(Message.to("bot", chat).text(text));
  }

  public Delivery send(Message.Builder message) {
    Delivery delivery = postrider().send(message.build());
    time.settle();
    return delivery;
  }

  public World pass(Duration duration) {
    time.advance(duration);
    return this;
  }

  // ---- looking

  public StoredMessage message(MessageId id) {
    return postrider().find(id).orElseThrow(() -> new AssertionError("no message " + id));
  }

  public Status status(Delivery delivery) {
    return message(delivery.id()).status();
  }

  public List<HistoryEntry> history(Delivery delivery) {
    return postrider().history(delivery.id());
  }

  /** Everything that happened since the world began, over all restarts. */
  public List<Event> events() {
    return events;
  }

  public <E extends Event> List<E> events(Class<E> kind) {
    return events.stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  @Override
  public void close() {
    if (isRunning()) {
      crash();
    }
  }
}
