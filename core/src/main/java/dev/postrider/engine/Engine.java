package dev.postrider.engine;

import dev.postrider.channel.Channel;
import dev.postrider.channel.Hook;
import dev.postrider.channel.Probe;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.InboundSettings;
import dev.postrider.config.Pace;
import dev.postrider.config.PostriderConfig;
import dev.postrider.event.Events;
import dev.postrider.media.Custody;
import dev.postrider.media.Downloads;
import dev.postrider.media.Fetcher;
import dev.postrider.message.Ids;
import dev.postrider.message.Message;
import dev.postrider.message.MessageId;
import dev.postrider.store.AccountState;
import dev.postrider.store.Depth;
import dev.postrider.store.Ended;
import dev.postrider.store.Head;
import dev.postrider.store.Lane;
import dev.postrider.store.MessageFilter;
import dev.postrider.store.Roll;
import dev.postrider.store.Store;
import dev.postrider.store.StoredMessage;
import dev.postrider.time.Scheduler;
import dev.postrider.turn.Handout;
import java.sql.Connection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The engine as a whole: its accounts at work, and the operations people have on messages and
 * accounts.
 */
public final class Engine {
  private final PostriderConfig config;
  private final House house;
  private final Roster roster;
  private final Intake intake;
  private final Operations operations;
  private final MissingAccounts missing;
  private final Membership membership;
  private final Recovery recovery;
  private final Handout handout;
  private final Reception reception;
  private final Lapses lapses;
  private final FollowUps followUps;
  private final Minutes minutes;
  private final Waits waits;
  private final SafetySweep sweep;
  private final Instant startedAt;
  private volatile boolean stopping;

  public Engine(
      PostriderConfig config,
      Map<String, Channel> channels,
      Store store,
      Scheduler time,
      RandomGenerator random,
      Events events,
      @Nullable Fetcher fetcher) {
    this.config = config;
    startedAt = time.instant();
    Tally tally = new Tally();
    events.subscribe(tally);
    StoreWatch watch = new StoreWatch(store, time, events, this::storeChanged, this::lookAgain);
    Ids ids = new Ids(time, random);
    Map<String, InboundSettings> inbound =
        config.accounts().stream()
            .collect(Collectors.toMap(AccountConfig::id, AccountConfig::inbound));
    Custody custody = new Custody(store.blobs(), config.media(), time);
    ChatNames chats = new ChatNames(store);
    house =
        new House(
            config.cluster().node(),
            store,
            time,
            random,
            events,
            tally,
            watch,
            custody,
            new Downloads(fetcher, config.media(), custody, time),
            new Doorway(store, time, events, watch, ids, tally, config.desk(), inbound, chats),
            chats);
    roster = new Roster(config, channels, house);
    Housekeeping housekeeping = new Housekeeping(house, config.queue(), this::ended);
    intake =
        new Intake(house, config.queue(), ids, house.custody(), roster, housekeeping::expiryAt);
    operations = new Operations(house, intake, this::offer);
    missing = new MissingAccounts(house, config.queue(), housekeeping);
    recovery = new Recovery(time, events);
    membership =
        new Membership(
            house,
            config.queue(),
            config.cluster(),
            roster,
            housekeeping,
            missing,
            recovery,
            this::deskNews);
    handout = new Handout(store.desk(), time, events, ids, random, inbound, this::leasedUntil);
    events.subscribe(handout);
    reception = new Reception(house, config.desk(), roster, handout, intake, ids);
    lapses = new Lapses(house, operations, handout);
    followUps = new FollowUps(house);
    events.subscribe(followUps);
    waits = new Waits(house, roster, membership);
    minutes = new Minutes(house, this::sending, housekeeping::isRunning);
    sweep = new SafetySweep(house, roster, lapses, followUps, housekeeping);
  }

  private void deskNews() {
    handout.bell().ring();
    lapses.look();
  }

  private void leasedUntil(Instant when) {
    lapses.watch(when);
  }

  // ---- starting

  /**
   * Begins to send: first what was under way when the last process stopped, then everything else.
   */
  public void start() {
    recovery.begin(config.queue().drainBudget());
    CompletableFuture<List<Depth>> depths = house.call(() -> house.store().depths());
    lapses.recover();
    membership.start();
    followUps.sweepAt(startedAt);
    minutes.start();
    sweep.start();
    depths.whenComplete(
        (counted, failure) -> {
          if (failure == null) {
            counted(counted);
          } else {
            house.insist("count", () -> counted(house.time().await(house.store().depths())));
          }
        });
  }

  private void counted(List<Depth> depths) {
    if (house.store().cluster().isEmpty()) {
      house.tally().countBefore(depths);
      depths.stream()
          .filter(depth -> depth.active() > 0 && !roster.names().contains(depth.account()))
          .forEach(depth -> missing.found(depth.account()));
      recovery.found(depths.stream().mapToLong(Depth::active).sum());
    } else {
      recovery.found(
          depths.stream()
              .filter(depth -> roster.worked(depth.account()) != null)
              .mapToLong(Depth::active)
              .sum());
    }
  }

  // ---- sending

  /** What a message would become. */
  public Preview preview(Message message) {
    return intake.preview(message);
  }

  /**
   * Answers a platform's webhook: stores what it tells first.
   *
   * @throws Refused if there is no such account, or it takes no webhooks
   * @throws dev.postrider.store.StoreUnavailable if it could not be stored
   */
  public Hook.Answer receive(String account, Hook.Request request) {
    Hook hook = roster.known(account).hook();
    if (hook == null) {
      throw new Refused(
          Refused.Cause.NOT_FOUND,
          "account '" + account + "' takes no webhooks; its channel's settings say how it would");
    }
    return house.doorway().receive(account, hook, request);
  }

  /** Whether there is such an account and it takes webhooks. */
  public boolean takesWebhooks(String account) {
    return roster.names().contains(account) && roster.known(account).hook() != null;
  }

  /** For whoever handles what comes in. */
  public Reception reception() {
    return reception;
  }

  public Set<String> accountNames() {
    return Set.copyOf(roster.names());
  }

  public Pace paceOf(String account) {
    return roster.known(account).pace();
  }

  public @Nullable String channelOf(String account) {
    return roster.names().contains(account) ? roster.known(account).channel().name() : null;
  }

  public Custody custody() {
    return house.custody();
  }

  /** Hands a message in; the future completes when it is durable, or refused. */
  public CompletableFuture<Admission> submit(Message message) {
    return stopping ? CompletableFuture.completedFuture(stopped()) : intake.submit(message);
  }

  /** Hands a message in with the caller's transaction: it is there when that commits. */
  public Admission submit(Connection transaction, Message message) {
    return stopping ? stopped() : intake.submit(transaction, message);
  }

  private static Admission stopped() {
    return new Admission.Denied(
        new Refused(
            Refused.Cause.STOPPING, "the engine is stopping; send it again after the restart"));
  }

  // ---- operating on messages

  public StoredMessage cancel(MessageId id) {
    return operations.cancel(id);
  }

  public StoredMessage retry(MessageId id) {
    return operations.retry(id);
  }

  /** Hands a dead letter in again, as a new message that points to the old one. */
  public Admission replay(MessageId id) {
    return stopping ? stopped() : operations.replay(id);
  }

  public void discard(MessageId id) {
    operations.discard(id);
  }

  private void offer(@Nullable Head head) {
    Account account = head == null ? null : roster.worked(head.account());
    if (account != null) {
      account.lanes().offer(head);
    }
  }

  private void ended(Ended ended) {
    offer(ended.next());
  }

  // ---- lanes and accounts

  public void pauseLane(String account, String chat, String reason) {
    roster.known(account);
    house.write(roster.pausedLanes().pause(account, chat, reason));
  }

  public void resumeLane(String account, String chat) {
    roster.known(account);
    roster.pausedLanes().resume(account, chat);
  }

  public AccountView pauseAccount(String id, String reason) {
    roster.known(id);
    Account account = roster.worked(id);
    house.write(
        account != null
            ? account.pause(reason)
            : house.store().pauseAccount(id, reason, house.time().instant()));
    return view(id);
  }

  public AccountView resumeAccount(String id) {
    roster.known(id);
    Account account = roster.worked(id);
    house.write(account != null ? account.resume() : house.store().resumeAccount(id));
    return view(id);
  }

  public Probe checkAccount(String id) {
    roster.known(id);
    Account account = roster.worked(id);
    if (account == null) {
      String node = membership.nodeOf(id, membership.roll());
      throw new Refused(
          Refused.Cause.CONFLICT,
          "account",
          node == null
              ? "no node works account '" + id + "' yet; ask again in a moment"
              : "account '" + id + "' is worked by node " + node + "; ask there");
    }
    return account.probe();
  }

  private AccountState stateOf(String id) {
    return house.store().accounts().stream()
        .filter(state -> state.account().equals(id))
        .findFirst()
        .orElse(AccountState.fresh(id));
  }

  private AccountView view(String id) {
    Account account = roster.worked(id);
    WaitingFor waitingFor = waits.ofAccounts(List.of(id)).get(id);
    return account == null
        ? membership.view(roster.known(id), stateOf(id), membership.roll(), waitingFor)
        : account.view(house.tally(), waitingFor);
  }

  /** Something may have been written that nobody heard of: everybody looks at what is stored. */
  private void lookAgain() {
    house.tally().doubt();
    followUps.sweepAt(house.time().instant());
    membership.missed();
  }

  private void storeChanged() {
    roster.worked().forEach(Account::setGates);
  }

  // ---- looking

  public String node() {
    return house.node();
  }

  /** Whether this process works the account. */
  public boolean works(String account) {
    return roster.worked(account) != null;
  }

  /** What messages wait for; those that have ended or are being sent wait for nothing. */
  public Map<MessageId, WaitingFor> waitingFor(Collection<StoredMessage> messages) {
    return waits.ofMessages(messages);
  }

  /** What lanes wait for; those whose head is being sent wait for nothing. */
  public Map<Lane, WaitingFor> waitingForLanes(Collection<Lane> lanes) {
    return waits.ofLanes(lanes);
  }

  /** The same, for a chat that has moved under all its names. */
  public MessageFilter underAllNames(MessageFilter filter) {
    String chat = filter.chat();
    return chat == null ? filter : filter.alsoNamed(house.chats().others(filter.account(), chat));
  }

  public String chatName(String account, String chat) {
    return house.chats().now(account, chat);
  }

  public List<String> formerNames(String account, String chat) {
    return house.chats().former(account, chat);
  }

  public List<AccountView> accounts() {
    List<AccountView> views = new ArrayList<>();
    List<Roster.Known> elsewhere = new ArrayList<>(0);
    List<String> gone = missing.names();
    Map<String, WaitingFor> waiting =
        waits.ofAccounts(Stream.concat(roster.names().stream(), gone.stream()).toList());
    for (Roster.Known known : roster.all()) {
      Account account = roster.worked(known.id());
      if (account != null) {
        views.add(account.view(house.tally(), waiting.get(known.id())));
      } else {
        elsewhere.add(known);
      }
    }
    if (!elsewhere.isEmpty()) {
      Roll roll = membership.roll();
      Map<String, AccountState> states = house.glance(roster::readStates, Map.of());
      elsewhere.forEach(
          known ->
              views.add(
                  membership.view(known, states.get(known.id()), roll, waiting.get(known.id()))));
    }
    for (String account : gone) {
      views.add(
          new AccountView(
              account,
              "",
              Health.BROKEN,
              startedAt,
              MissingAccounts.REASON,
              null,
              ListeningView.OFF,
              house.tally().active(account),
              0,
              house.tally().deadLetters(account),
              1,
              null,
              null,
              null,
              house.oldestWaiting(account),
              List.of(),
              waiting.get(account)));
    }
    views.sort(Comparator.comparing(AccountView::id));
    return views;
  }

  /** How many messages wait, by account and kind of what they wait for. */
  public Map<String, Map<String, Long>> waitingCounts(Collection<AccountView> accounts) {
    return waits.counts(accounts);
  }

  /** Counts what was found forgotten; gives how much that is by now. */
  public long countRescued(int found) {
    house.tally().rescued.add(found);
    return house.tally().rescued.sum();
  }

  /** Why the store takes no writes, as far as is known; null if it does. Asks nobody. */
  public @Nullable String storeDownBecause() {
    return house.storeWatch().downBecause();
  }

  public Stats stats() {
    Tally tally = house.tally();
    List<AccountView> views = accounts();
    return new Stats(
        house.time().instant(),
        startedAt,
        house.node(),
        house.store().durable(),
        tally.counted(),
        house.storeWatch().downBecause(),
        tally.active(),
        sending(),
        tally.deadLetters(),
        roster.pausedLanes().count(),
        views.stream()
            .map(AccountView::oldestWaitingAt)
            .filter(Objects::nonNull)
            .min(Comparator.naturalOrder())
            .orElse(null),
        tally.accepted.sum(),
        tally.delivered.sum(),
        tally.failed.sum(),
        tally.expired.sum(),
        tally.held.sum(),
        tally.cancelled.sum(),
        tally.retried.sum(),
        tally.throttled.sum(),
        tally.stale.sum(),
        tally.rescued.sum(),
        new Stats.Inbound(
            tally.waitingEvents(),
            tally.leasedEvents(),
            tally.deadEvents(),
            tally.received.sum(),
            tally.refused.sum(),
            tally.handled.sum(),
            tally.handlingFailed.sum()),
        views);
  }

  private int sending() {
    return roster.worked().stream().mapToInt(account -> account.lanes().view().inFlight()).sum();
  }

  // ---- stopping

  /** Starts nothing new and waits for what is in flight, but not longer than the grace. */
  public void stop() {
    house
        .time()
        .awaitFor(reception.stop(), config.queue().shutdownGrace()); // it may still want to answer
    stopping = true;
    lapses.stop();
    minutes.stop();
    sweep.stop();
    membership.stop();
  }
}
