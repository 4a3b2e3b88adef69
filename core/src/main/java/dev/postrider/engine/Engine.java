package dev.postrider.engine;

import dev.postrider.channel.Channel;
import dev.postrider.channel.Probe;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.Nearest;
import dev.postrider.config.Pace;
import dev.postrider.config.PostriderConfig;
import dev.postrider.config.QueueSettings.OnMissingAccount;
import dev.postrider.event.Events;
import dev.postrider.lane.LaneScheduler.Gate;
import dev.postrider.message.HistoryEntry;
import dev.postrider.message.Ids;
import dev.postrider.message.Message;
import dev.postrider.message.MessageId;
import dev.postrider.message.Priority;
import dev.postrider.message.Status;
import dev.postrider.pace.Budget;
import dev.postrider.pace.Pacer;
import dev.postrider.store.AccountState;
import dev.postrider.store.Depth;
import dev.postrider.store.Ended;
import dev.postrider.store.Head;
import dev.postrider.store.Lease;
import dev.postrider.store.Settlement;
import dev.postrider.store.Store;
import dev.postrider.store.StoredMessage;
import dev.postrider.time.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The engine as a whole: its accounts at work, and the operations people have on messages and
 * accounts.
 */
public final class Engine {
  private static final Logger log = LoggerFactory.getLogger(Engine.class);
  private static final Instant FAR = Instant.parse("9999-01-01T00:00:00Z");

  private final PostriderConfig config;
  private final House house;
  private final String owner;
  private final Intake intake;
  private final Operations operations;
  private final Housekeeping housekeeping;
  private final Recovery recovery;
  private final Instant startedAt;
  private final Map<String, Account> accounts = new LinkedHashMap<>();
  private final Set<String> missing = new TreeSet<>(); // guarded by itself
  private final PausedLanes pausedLanes;
  private volatile boolean stopping;

  /**
   * @param owner names this process to others that share the store
   */
  public Engine(
      PostriderConfig config,
      Map<String, Channel> channels,
      Store store,
      Scheduler time,
      RandomGenerator random,
      Events events,
      String owner) {
    this.config = config;
    this.owner = owner;
    startedAt = time.instant();
    Tally tally = new Tally();
    events.subscribe(tally);
    StoreWatch watch = new StoreWatch(store, time, events, this::storeChanged);
    house = new House(store, time, random, events, tally, watch);
    housekeeping = new Housekeeping(house, config.queue(), this::ended);
    intake =
        new Intake(
            house, config.queue(), new Ids(time, random), this::account, housekeeping::expiryAt);
    operations = new Operations(house, intake, this::offer);
    pausedLanes = new PausedLanes(house, accounts::get);
    recovery = new Recovery(time, events);
    openAccounts(channels);
  }

  // ---- starting

  private void openAccounts(Map<String, Channel> channels) {
    Map<String, AccountState> states =
        house.store().accounts().stream()
            .collect(Collectors.toMap(AccountState::account, state -> state));
    Map<String, Pacer.ChannelMeter> meters = new HashMap<>();
    for (AccountConfig account : config.accounts()) {
      Channel channel = channels.get(account.channel());
      if (channel == null) {
        throw new IllegalArgumentException(
            "account '"
                + account.id()
                + "': unknown channel '"
                + account.channel()
                + "'; known are "
                + channels.keySet().stream().sorted().toList());
      }
      Optional<Lease> lease = house.time().await(house.store().acquire(account.id(), owner));
      if (lease.isEmpty()) {
        log.info("Account {} is worked by another process", account.id());
        continue;
      }
      Pacer.ChannelMeter meter =
          meters.computeIfAbsent(
              account.channel(),
              name ->
                  new Pacer.ChannelMeter(
                      name, config.channelPaces().getOrDefault(name, Pace.UNLIMITED)));
      accounts.put(
          account.id(),
          new Account(
              account,
              channel,
              meter,
              states.getOrDefault(account.id(), AccountState.fresh(account.id())),
              lease.get(),
              house,
              (chat, reason) -> pausedLanes.pause(account.id(), chat, reason)));
    }
    restore(meters.values());
  }

  /** Takes over what was spent and paused before; must be complete before the first send. */
  private void restore(Iterable<Pacer.ChannelMeter> meters) {
    for (Budget budget : house.store().budgets(house.time().instant())) {
      meters.forEach(meter -> meter.restore(budget));
      accounts.values().forEach(account -> account.lanes().restore(budget));
    }
    house.store().pausedLanes().forEach(pausedLanes::restore);
  }

  /**
   * Begins to send: first what was under way when the last process stopped, then everything else.
   */
  public void start() {
    recovery.begin(config.queue().drainBudget());
    CompletableFuture<List<Depth>> depths = house.store().depths();
    for (Account account : accounts.values()) {
      List<StoredMessage> interrupted = house.store().interrupted(account.id());
      recovery.interrupted(interrupted.size());
      if (!config.queue().drainOnStartup() && hasBacklog(account.id(), interrupted)) {
        house.write(
            account.pause(
                "messages from before the start wait (drainOnStartup: false); resume to send them"));
      }
      account.recover(interrupted);
      account.open();
    }
    housekeeping.start();
    depths.whenComplete(this::counted);
  }

  private boolean hasBacklog(String account, List<StoredMessage> interrupted) {
    return !interrupted.isEmpty()
        || List.of(Priority.values()).stream()
            .anyMatch(
                priority ->
                    !house
                        .time()
                        .await(house.store().due(account, priority, FAR, null, 1))
                        .isEmpty());
  }

  private void counted(@Nullable List<Depth> depths, @Nullable Throwable failure) {
    if (depths == null) {
      log.warn("Could not count what is in the store: {}", String.valueOf(failure));
      return;
    }
    house.tally().countBefore(depths);
    recovery.found(depths.stream().mapToLong(Depth::active).sum());
    for (Depth depth : depths) {
      if (depth.active() > 0 && !accounts.containsKey(depth.account())) {
        house.time().start("missing", () -> adoptMissing(depth.account()));
      }
    }
  }

  /** Messages of an account that is not configured wait, or fail, as the settings say. */
  private void adoptMissing(String account) {
    Optional<Lease> lease = house.time().await(house.store().acquire(account, owner));
    if (lease.isEmpty()) {
      return;
    }
    synchronized (missing) {
      missing.add(account);
    }
    for (StoredMessage message : house.store().interrupted(account)) {
      house.time().await(house.store().settle(inDoubt(message, lease.get())));
    }
    if (config.queue().onMissingAccount() == OnMissingAccount.FAIL) {
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

  // ---- sending

  /** Hands a message in; the future completes when it is durable, or refused. */
  public CompletableFuture<Admission> submit(Message message) {
    return stopping ? CompletableFuture.completedFuture(stopped()) : intake.submit(message);
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
    Account account = head == null ? null : accounts.get(head.account());
    if (account != null) {
      account.lanes().offer(head);
    }
  }

  private void ended(Ended ended) {
    offer(ended.next());
  }

  // ---- lanes and accounts

  public void pauseLane(String account, String chat, String reason) {
    account(account);
    house.write(pausedLanes.pause(account, chat, reason));
  }

  public void resumeLane(String account, String chat) {
    account(account);
    pausedLanes.resume(account, chat);
  }

  public AccountView pauseAccount(String id, String reason) {
    Account account = account(id);
    house.write(account.pause(reason));
    return account.view(house.tally());
  }

  public AccountView resumeAccount(String id) {
    Account account = account(id);
    house.write(account.resume());
    return account.view(house.tally());
  }

  public Probe checkAccount(String id) {
    return account(id).probe();
  }

  private Account account(String id) {
    Account account = accounts.get(id);
    if (account == null) {
      throw new Refused(
          Refused.Cause.UNKNOWN_ACCOUNT,
          "account",
          "no account '" + id + "' is configured" + Nearest.hint(id, accounts.keySet()));
    }
    return account;
  }

  private void storeChanged(boolean up) {
    for (Account account : accounts.values()) {
      if (up) {
        account.lanes().open(Gate.STORE_DOWN);
      } else {
        account.lanes().close(Gate.STORE_DOWN);
      }
    }
  }

  // ---- looking

  public List<AccountView> accounts() {
    List<AccountView> views = new ArrayList<>();
    accounts.values().forEach(account -> views.add(account.view(house.tally())));
    synchronized (missing) {
      for (String account : missing) {
        views.add(
            new AccountView(
                account,
                "",
                "missing",
                "not configured any more",
                house.tally().active(account),
                0,
                house.tally().deadLetters(account),
                1,
                null,
                null,
                null));
      }
    }
    views.sort(Comparator.comparing(AccountView::id));
    return views;
  }

  public Stats stats() {
    Tally tally = house.tally();
    List<AccountView> views = accounts();
    return new Stats(
        house.time().instant(),
        startedAt,
        house.store().durable(),
        tally.counted(),
        house.storeWatch().downBecause(),
        tally.active(),
        views.stream().mapToInt(AccountView::sending).sum(),
        tally.deadLetters(),
        pausedLanes.count(),
        tally.accepted.sum(),
        tally.delivered.sum(),
        tally.failed.sum(),
        tally.expired.sum(),
        tally.held.sum(),
        tally.cancelled.sum(),
        tally.retried.sum(),
        tally.throttled.sum(),
        tally.stale.sum(),
        views);
  }

  // ---- stopping

  /** Starts nothing new and waits for what is in flight, but not longer than the grace. */
  public void stop() {
    stopping = true;
    housekeeping.stop();
    CompletableFuture<Boolean> quiet = new CompletableFuture<>();
    CompletableFuture<?>[] idle =
        accounts.values().stream().map(Account::stop).toArray(CompletableFuture[]::new);
    CompletableFuture.allOf(idle).thenRun(() -> quiet.complete(true));
    Duration grace = config.queue().shutdownGrace();
    Scheduler.Timer limit =
        house.time().at(house.time().instant().plus(grace), () -> quiet.complete(false));
    boolean clean = house.time().await(quiet);
    limit.cancel();
    if (!clean) {
      log.warn(
          "Requests were still in flight after {} s; their outcome is unknown and is settled at the next start",
          grace.toSeconds());
    }
    accounts.values().forEach(Account::closeLink);
    accounts.values().forEach(account -> release(account.lease()));
  }

  private void release(Lease lease) {
    try {
      house.time().await(house.store().release(lease));
    } catch (RuntimeException e) {
      log.warn("Could not give back the lease of {}: {}", lease.account(), e.getMessage());
    }
  }
}
