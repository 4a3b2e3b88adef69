package dev.postrider.testkit.engine;

import dev.postrider.SendResult;
import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Probe;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.AccountPace;
import dev.postrider.config.DeliverySettings;
import dev.postrider.config.Pace;
import dev.postrider.message.Fix;
import dev.postrider.message.Format;
import dev.postrider.message.Message;
import dev.postrider.message.OnUnknown;
import dev.postrider.message.Ordering;
import dev.postrider.message.Priority;
import dev.postrider.problem.Refused;
import dev.postrider.testkit.engine.FakeChannel.Reaction;
import dev.postrider.testkit.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * One random life of an engine: messages come in, the platform has its moods, operators interfere,
 * the plug is pulled, the clock jumps. Everything is drawn from one seed, the order of turns
 * included, so a seed is a whole history. What was done is told to a {@link Ledger}, which holds
 * the rules.
 */
final class RandomHistory {
  private static final List<String> ACCOUNTS = List.of("bot", "second");
  private static final int CHATS = 4;
  private static final int MAX_ATTEMPTS = 3;

  private final SplittableRandom random;
  private final World world;
  private final VirtualTime time;
  private final Ledger ledger;
  private final FlakyStore disk;
  private final RandomFaults faults;
  private final RandomInbox inbox;
  private final boolean clockJumps;
  private final boolean brittle; // the store throws anything at any call
  private final boolean stalls; // the store takes its time
  private final Set<String> gone = new HashSet<>(); // accounts and servers out of reach
  private double trouble; // how likely a request does not simply succeed
  private int keys;

  RandomHistory(World.StoreOpener opener, long seed) {
    random = new SplittableRandom(seed);
    time = VirtualTime.shuffled(random.split());
    clockJumps = random.nextInt(4) == 0;
    brittle = random.nextInt(2) == 0;
    stalls = random.nextInt(3) == 0;
    disk = new FlakyStore(time);
    faults = new RandomFaults(random.split());
    disk.trouble(faults);
    FakeChannel platform = new FakeChannel().textLimit(8);
    if (random.nextInt(3) == 0) {
      platform.deduplicating();
    }
    if (random.nextInt(3) == 0) {
      platform.servers(RandomHistory::server);
    }
    world = new World(t -> disk.around(opener.open(t)), time, platform, seed);
    Pace pace = random.nextBoolean() ? Pace.perSecond(5).burst(3) : Pace.perMinute(120).burst(5);
    Pace chatPace = random.nextBoolean() ? Pace.perSecond(1).burst(2) : Pace.UNLIMITED;
    ledger = new Ledger(world, pace, chatPace, MAX_ATTEMPTS, !clockJumps, !clockJumps && !stalls);
    DeliverySettings delivery =
        DeliverySettings.DEFAULTS.with(
            s -> {
              s.maxAttempts = MAX_ATTEMPTS;
              s.attemptTimeout = Duration.ofSeconds(10);
              s.onUnknown = random.nextInt(4) == 0 ? OnUnknown.HOLD : OnUnknown.RESEND;
              s.fastFirstRetry = random.nextBoolean() ? Duration.ofMillis(500) : Duration.ZERO;
            });
    AccountPace accountPace = new AccountPace(pace, chatPace, 1 + random.nextInt(4));
    world.account(bot -> bot.withDelivery(delivery).withPace(accountPace));
    world.configure(
        config ->
            config.account(
                AccountConfig.of("second", "fake").withDelivery(delivery).withPace(accountPace)));
    platform.mood(this::react);
    inbox = new RandomInbox(random.split(), world, faults);
  }

  /** Lives through so many steps, then lets everything come to rest and checks the books. */
  void run(int steps) {
    try {
      start();
      for (int i = 0; i < steps; i++) {
        step();
        ledger.checkRequests();
      }
      rest();
      ledger.checkRequests();
      inbox.check().forEach(ledger::accepted);
      ledger.checkEverything();
      if (world.rescued() > 0) {
        throw new AssertionError(world.rescued() + " lanes were forgotten");
      }
    } finally {
      world.close();
    }
  }

  private void step() {
    switch (random.nextInt(25)) {
      case 0, 1, 2, 3 -> accept(1);
      case 4, 5 -> accept(2 + random.nextInt(8));
      case 6, 7, 8, 9, 10 -> time.advance(Duration.ofMillis(random.nextInt(3_000)));
      case 11 -> time.advance(Duration.ofSeconds(random.nextInt(120)));
      case 12 -> trouble = random.nextInt(3) == 0 ? 0 : random.nextDouble();
      case 13 -> pauseOrResume();
      case 14 -> cancel();
      case 15 -> retry();
      case 16 -> replay();
      case 17 -> restart();
      case 18 -> jump();
      case 19 -> repairAccounts();
      case 20 -> breakOrMendStore();
      case 21 -> stall();
      case 22 -> loseOrFindServer();
      case 23 -> inbox.write("chat" + random.nextInt(CHATS));
      case 24 -> inbox.handleOutside();
      default -> throw new AssertionError();
    }
  }

  // ---- the producers

  private void accept(int count) {
    List<Message> messages = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      messages.add(message());
    }
    if (faults.likelihood() > 0) {
      messages.forEach(this::handInUntilTaken);
      return;
    }
    List<SendResult> submissions = world.postrider().sendAll(messages);
    for (int i = 0; i < count; i++) {
      if (submissions.get(i) instanceof SendResult.Sent sent) {
        ledger.accepted(sent.delivery().message());
      } else {
        throw new AssertionError("refused: " + submissions.get(i));
      }
    }
    if (random.nextBoolean()) {
      time.settle();
    }
  }

  /** As a careful client does: under a key, and again until there is an answer. */
  private void handInUntilTaken(Message message) {
    Message keyed = message.toBuilder().idempotencyKey("key" + ++keys).build();
    while (!faults.survives(() -> ledger.accepted(world.postrider().send(keyed).message()))) {
      time.advance(Duration.ofMillis(random.nextInt(1_500)));
    }
  }

  private Message message() {
    String account = ACCOUNTS.get(random.nextInt(ACCOUNTS.size()));
    String chat = "chat" + random.nextInt(CHATS);
    Message.Builder message =
        Message.to(account, chat).text("abcdefgh".repeat(1 + random.nextInt(3)));
    if (random.nextInt(8) == 0) {
      message.ordering(Ordering.NONE);
    }
    if (random.nextInt(3) == 0) {
      message.priority(Priority.BULK);
    }
    if (random.nextInt(10) == 0) {
      message.sendAt(time.instant().plusMillis(random.nextInt(60_000)));
    }
    if (random.nextInt(12) == 0) {
      message.bestEffort(true);
    }
    if (random.nextInt(12) == 0) {
      message.expiresIn(Duration.ofSeconds(1 + random.nextInt(60)));
    }
    if (random.nextInt(10) == 0) {
      message.text("<b>x</b>").format(Format.NATIVE);
    }
    return message.build();
  }

  // ---- the platform

  private Reaction react(Dispatch dispatch) {
    Duration takes = Duration.ofMillis(random.nextInt(5) == 0 ? random.nextInt(2_000) : 0);
    String server = String.valueOf(server(dispatch.to()));
    if (gone.contains(dispatch.message().account()) || gone.contains(server)) {
      return Reaction.of(new Outcome.Unreachable("connection refused")).taking(takes);
    }
    if (random.nextDouble() >= trouble) {
      return world.platform.delivered().taking(takes);
    }
    return switch (random.nextInt(12)) {
      case 0, 1, 2 -> Reaction.of(new Outcome.NotSent("refused")).taking(takes);
      case 3 -> Reaction.of(new Outcome.Unknown("cut")).arriving().taking(takes);
      case 4 -> Reaction.of(new Outcome.Unknown("cut")).taking(takes);
      case 5 -> Reaction.of(new Outcome.Unknown("hangs")).arriving().neverAnswering();
      case 6, 7 -> Reaction.of(new Outcome.Throttled(ThrottleScope.CHAT, patience(), "slow down"));
      case 8 -> Reaction.of(new Outcome.Throttled(ThrottleScope.ACCOUNT, patience(), "slow down"));
      case 9 -> Reaction.of(new Outcome.Rejected(Outcome.Blame.MESSAGE, "no"));
      case 10 ->
          dispatch.isMarkup()
              ? Reaction.of(new Outcome.Repairable(new Fix.PlainText(), "cannot parse"))
              : Reaction.of(new Outcome.NotSent("refused"));
      case 11 -> {
        world.platform.probe(new Probe.Broken("revoked"));
        yield Reaction.of(new Outcome.AccountBroken("revoked"));
      }
      default -> throw new AssertionError();
    };
  }

  /** How long a throttle lasts; often no time at all. */
  private Duration patience() {
    return random.nextInt(3) == 0 ? Duration.ZERO : Duration.ofMillis(random.nextInt(20_000));
  }

  private void repairAccounts() {
    world.platform.probe(new Probe.Healthy("fake"));
    ACCOUNTS.forEach(account -> ifPossible(() -> world.postrider().checkAccount(account)));
  }

  // ---- the operators

  private void pauseOrResume() {
    String account = ACCOUNTS.get(random.nextInt(ACCOUNTS.size()));
    String chat = "chat" + random.nextInt(CHATS);
    switch (random.nextInt(4)) {
      case 0 ->
          ifPossible(
              () -> {
                world.postrider().pauseAccount(account, "test");
                time.settle();
                ledger.paused(account, null);
              });
      case 1 -> {
        ledger.resumed(account, null);
        ifPossible(() -> world.postrider().resumeAccount(account));
      }
      case 2 ->
          ifPossible(
              () -> {
                world.postrider().pauseLane(account, chat, "test");
                time.settle();
                ledger.paused(account, chat);
              });
      default -> {
        ledger.resumed(account, chat);
        ifPossible(() -> world.postrider().resumeLane(account, chat));
      }
    }
  }

  private void cancel() {
    ledger
        .any(random)
        .ifPresent(
            id ->
                ifPossible(
                    () -> {
                      world.postrider().cancel(id);
                      ledger.cancelled(id);
                    }));
  }

  private void retry() {
    ledger
        .any(random)
        .ifPresent(
            id ->
                ifPossible(
                    () -> {
                      world.postrider().retry(id);
                      ledger.hurried(id);
                    }));
  }

  private void replay() {
    ledger
        .any(random)
        .ifPresent(id -> ifPossible(() -> ledger.accepted(world.postrider().replay(id).message())));
  }

  private void ifPossible(Runnable operation) {
    try {
      faults.survives(operation);
    } catch (Refused e) {
      // Most things cannot be cancelled, retried or replayed most of the time; that is an answer
      // too.
    }
  }

  // ---- fate

  private void restart() {
    if (random.nextInt(3) == 0 && faults.survives(world::stop)) {
      // it has let go of everything
    } else {
      ledger.crashed();
      world.crash();
    }
    if (random.nextBoolean()) {
      time.advance(Duration.ofSeconds(random.nextInt(30)));
    }
    start();
  }

  /** A process that a brittle store keeps from starting is started again. */
  private void start() {
    while (!faults.survives(world::start)) {
      world.crash();
      time.advance(Duration.ofSeconds(1));
    }
    inbox.started();
  }

  private void breakOrMendStore() {
    if (brittle) {
      faults.likelihood(random.nextInt(3) == 0 ? 0 : 0.3 * random.nextDouble());
    }
  }

  /** Writes are durable at once, but whoever waits for them hears of it late. */
  private void stall() {
    if (stalls) {
      boolean over = random.nextBoolean();
      disk.delay(over ? Duration.ZERO : Duration.ofMillis(random.nextInt(4_000)));
    }
  }

  private static @Nullable String server(String chat) {
    return chat.endsWith("0") ? "north" : chat.endsWith("1") ? "south" : null;
  }

  private void loseOrFindServer() {
    String place = List.of("bot", "second", "north", "south").get(random.nextInt(4));
    if (!gone.remove(place)) {
      gone.add(place);
    }
  }

  private void jump() {
    if (clockJumps) {
      time.jump(Duration.ofSeconds(random.nextInt(600) - 300));
    }
  }

  /** The weather clears, everything is resumed, and almost two days pass. */
  private void rest() {
    trouble = 0;
    gone.clear();
    inbox.calm();
    disk.calm();
    disk.delay(Duration.ZERO);
    repairAccounts();
    for (String account : ACCOUNTS) {
      ledger.resumed(account, null);
      world.postrider().resumeAccount(account);
      for (int chat = 0; chat < CHATS; chat++) {
        String lane = "chat" + chat;
        ledger.resumed(account, lane);
        ifPossible(() -> world.postrider().resumeLane(account, lane));
      }
    }
    for (int hour = 0; hour < 45 && (ledger.anyActive() || inbox.anyOpen()); hour++) {
      time.advance(Duration.ofHours(1));
      inbox.handleOutside();
    }
    time.advance(Duration.ofHours(1)); // for the last answers
  }
}
