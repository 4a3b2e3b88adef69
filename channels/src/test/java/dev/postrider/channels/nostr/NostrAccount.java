package dev.postrider.channels.nostr;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.AccountContext;
import dev.postrider.channel.Alias;
import dev.postrider.channel.Dispatch;
import dev.postrider.channel.InboundSink;
import dev.postrider.channel.Link;
import dev.postrider.channel.Remembered;
import dev.postrider.channels.TestAccount;
import dev.postrider.channels.TestMemory;
import dev.postrider.config.AccountConfig;
import dev.postrider.inbound.DeliveryReport;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.message.Message;
import dev.postrider.time.Scheduler;
import dev.postrider.time.SystemScheduler;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** An account in real time, as the engine would hold it: its sockets know no other. */
final class NostrAccount implements AccountContext, InboundSink, AutoCloseable {
  static final NostrKey ME = GiftWrapsTest.key(7);
  static final String SECRET = "0".repeat(63) + "7";

  private final SystemScheduler time = new SystemScheduler();
  final BlockingQueue<String> readiness = new LinkedBlockingQueue<>();
  final BlockingQueue<InboundMessage> arrived = new LinkedBlockingQueue<>();
  final BlockingQueue<String> cursors = new LinkedBlockingQueue<>();
  final BlockingQueue<String> ends = new LinkedBlockingQueue<>();
  private final Set<String> known = ConcurrentHashMap.newKeySet();
  private final AccountConfig config;
  TestMemory memory = new TestMemory(time);

  /** Of an account that has listened before, whenever that was; null is one that never has. */
  volatile @Nullable String cursor = "{}";

  private @Nullable Link link;
  private @Nullable Thread listening;

  NostrAccount(AccountConfig config) {
    this.config = config;
  }

  static AccountConfig config(FakeRelay... relays) {
    return AccountConfig.of("nos", "nostr")
        .set("privateKey", SECRET)
        .set("relays", Stream.of(relays).map(FakeRelay::url).toList())
        .set("allowedNetworks", "127.0.0.0/8");
  }

  /** Connected, and ready to send. */
  static NostrAccount connected(AccountConfig config) throws InterruptedException {
    NostrAccount account = new NostrAccount(config);
    account.listen();
    assertThat(account.readiness.take()).startsWith("not ready");
    assertThat(account.readiness.take()).isEqualTo("ready");
    return account;
  }

  Link link() {
    if (link == null) {
      link = new NostrChannel().open(this);
    }
    return link;
  }

  void listen() {
    Link to = link();
    listening =
        Thread.ofVirtual()
            .start(
                () -> {
                  try {
                    to.listen(this);
                    ends.add("returned");
                  } catch (Exception e) {
                    ends.add(String.valueOf(e.getMessage()));
                  }
                });
  }

  void stop() throws InterruptedException {
    if (listening != null) {
      listening.interrupt();
      listening.join();
    }
  }

  Dispatch part(String to, String text) {
    return part(Message.to("nos", to).text(text));
  }

  Dispatch part(Message.Builder message) {
    return TestAccount.of(config).part(message);
  }

  static <T> T next(BlockingQueue<T> queue) throws InterruptedException {
    T next = queue.poll(2, TimeUnit.MINUTES);
    assertThat(next).as("what was waited for").isNotNull();
    return next;
  }

  @Override
  public AccountConfig config() {
    return config;
  }

  @Override
  public Scheduler scheduler() {
    return time;
  }

  @Override
  public TestMemory memory() {
    return memory;
  }

  @Override
  public void ready() {
    readiness.add("ready");
  }

  @Override
  public void notReady(String reason) {
    readiness.add("not ready: " + reason);
  }

  @Override
  public @Nullable String cursor() {
    return cursor;
  }

  @Override
  public void take(
      List<InboundMessage> arrivals,
      List<DeliveryReport> reports,
      @Nullable String readUntil,
      List<Remembered> remembered,
      List<Alias> aliases) {
    arrivals.stream().filter(one -> known.add(one.platformId())).forEach(arrived::add);
    if (readUntil != null) {
      cursor = readUntil;
      cursors.add(readUntil);
    }
  }

  @Override
  public void take(
      List<InboundMessage> arrivals,
      List<DeliveryReport> reports,
      @Nullable String readUntil,
      List<Remembered> remembered) {
    take(arrivals, reports, readUntil, remembered, List.of());
  }

  @Override
  public void connected() {}

  @Override
  public void failing(String cause) {}

  @Override
  public boolean pause(Duration duration) {
    return true;
  }

  @Override
  public void close() throws InterruptedException {
    stop();
    link().close();
    time.close();
  }
}
