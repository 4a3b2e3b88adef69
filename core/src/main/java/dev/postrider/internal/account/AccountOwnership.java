package dev.postrider.internal.account;

import dev.postrider.config.ClusterSettings;
import dev.postrider.config.QueueSettings;
import dev.postrider.event.Event;
import dev.postrider.internal.context.EngineContext;
import dev.postrider.internal.lease.HeldLease;
import dev.postrider.internal.lease.LeaseKeeper;
import dev.postrider.message.Priority;
import dev.postrider.problem.Refused;
import dev.postrider.store.QueueDepth;
import dev.postrider.store.cluster.AccountReport;
import dev.postrider.store.cluster.Cluster;
import dev.postrider.store.cluster.ClusterSnapshot;
import dev.postrider.store.failure.StoreFailure;
import dev.postrider.store.failure.StoreUnavailable;
import dev.postrider.store.message.AccountState;
import dev.postrider.store.message.Lease;
import dev.postrider.store.message.StoredMessage;
import dev.postrider.view.AccountView;
import dev.postrider.view.Health;
import dev.postrider.view.ListeningView;
import dev.postrider.view.WaitingFor;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How accounts come to this process and leave it. Alone on its store it takes all of them at the
 * start. In a cluster it takes its share as leases come and go, follows what operators do at other
 * nodes, and does the chores while it holds their lease. Thread-safe.
 */
public final class AccountOwnership implements LeaseKeeper.Work, Cluster.Listener {
  private static final Logger log = LoggerFactory.getLogger(AccountOwnership.class);
  private static final Instant FAR = Instant.parse("9999-01-01T00:00:00Z");
  private static final String HANDED_OVER = "handed over to another node";
  private static final String STOPPED = "the process stops";

  /** How long an account that leaves is waited for to hang up. */
  private static final Duration TO_HANG_UP = Duration.ofSeconds(10);

  private final EngineContext context;
  private final QueueSettings settings;
  private final AccountRegistry accountRegistry;
  private final Housekeeping housekeeping;
  private final MissingAccounts missing;
  private final RecoverySummary recovery;
  private final Runnable inboundMayHaveChanged;
  private final @Nullable Cluster cluster;
  private final @Nullable LeaseKeeper keeper;
  private final Map<String, Long> changes = new ConcurrentHashMap<>(); // by account, as last seen

  /** How often each account was said to have changed since it was last followed. */
  private final Map<String, AtomicInteger> changed = new ConcurrentHashMap<>();

  private final Map<String, String> late = new ConcurrentHashMap<>(); // why, by account

  /** Accounts that were lost and have not hung up yet, by name. */
  private final Map<String, CompletableFuture<Void>> dropping = new ConcurrentHashMap<>();

  private volatile boolean starting = true;
  private volatile boolean stopped;

  /**
   * @param inboundMayHaveChanged is told that other nodes may have taken in something, or had
   *     something
   */
  public AccountOwnership(
      EngineContext context,
      QueueSettings settings,
      ClusterSettings membership,
      AccountRegistry accountRegistry,
      Housekeeping housekeeping,
      MissingAccounts missing,
      RecoverySummary recovery,
      Runnable inboundMayHaveChanged) {
    this.context = context;
    this.settings = settings;
    this.accountRegistry = accountRegistry;
    this.housekeeping = housekeeping;
    this.missing = missing;
    this.recovery = recovery;
    this.inboundMayHaveChanged = inboundMayHaveChanged;
    cluster = context.store().cluster().orElse(null);
    keeper =
        cluster == null
            ? null
            : new LeaseKeeper(
                membership.node(),
                membership.address(),
                accountRegistry.names(),
                membership.heartbeat(),
                context.store(),
                cluster,
                context.time(),
                this);
  }

  // ---- starting and stopping

  public void start() {
    context.chats().restore();
    AccountRegistry.Notes notes = accountRegistry.readNotes();
    accountRegistry.restoreChannels(notes);
    if (cluster == null || keeper == null) {
      takeAll(notes);
      housekeeping.start();
    } else {
      cluster.listen(this);
      keeper.start();
    }
    starting = false;
  }

  private void takeAll(AccountRegistry.Notes notes) {
    for (String account : accountRegistry.names()) {
      try {
        take(account, notes);
      } catch (StoreUnavailable | StoreFailure | Refused e) { // the others need not wait for it
        log.warn("Account {} begins later: {}", account, e.getMessage());
        late.put(account, String.valueOf(e.getMessage()));
        context.insist("begin", () -> takeLate(account));
      }
    }
  }

  private void takeLate(String account) {
    if (!stopped) {
      if (accountRegistry.worked(account) == null) {
        take(account, accountRegistry.readNotes());
      }
      late.remove(account);
      follow(account); // what an operator did while it began
    }
  }

  private void take(String account, AccountRegistry.Notes notes) {
    Optional<Lease> lease = context.time().await(context.store().acquire(account, context.node()));
    if (lease.isPresent()) {
      begin(HeldLease.forGood(lease.get(), context.time()), notes);
    } else {
      log.warn("Account {} is worked by somebody else in this process", account);
    }
  }

  /** Finishes everything, waiting no longer than the grace; then lets go of it. */
  public void stop() {
    stopped = true;
    housekeeping.stop();
    List<Account> all = List.copyOf(accountRegistry.worked());
    CompletableFuture<?>[] idle = all.stream().map(Account::stop).toArray(CompletableFuture[]::new);
    if (!context.time().awaitFor(CompletableFuture.allOf(idle), settings.shutdownGrace())) {
      log.warn(
          "Requests were still in flight after {} s; their outcome is unknown and is settled at the"
              + " next start",
          settings.shutdownGrace().toSeconds());
    }
    all.forEach(account -> leave(account.id(), STOPPED));
    hangUp(all);
    if (keeper == null) {
      all.forEach(account -> release(account.hold().lease()));
    }
    if (keeper != null) {
      keeper.leave();
    }
  }

  private void release(Lease lease) {
    try {
      context.time().await(context.store().release(lease));
    } catch (RuntimeException e) {
      log.warn("Could not give back the lease of {}: {}", lease.account(), e.getMessage());
    }
  }

  // ---- accounts come

  @Override
  public void begin(HeldLease heldLease) {
    if (heldLease.lease().account().equals(Cluster.HOUSE)) {
      housekeeping.start();
      count();
    } else {
      begin(heldLease, accountRegistry.readNotes());
    }
  }

  private void begin(HeldLease heldLease, AccountRegistry.Notes notes) {
    String id = heldLease.lease().account();
    CompletableFuture<Void> dropped = dropping.remove(id);
    if (dropped != null) {
      context.time().await(dropped); // which takes no longer than hanging up may
    }
    boolean begun = false;
    try {
      begin(id, accountRegistry.prepare(heldLease, notes));
      begun = true;
    } finally {
      if (!begun || heldLease.isLost()) { // while it began
        part(id, begun ? "the lease was lost" : "it could not begin");
      }
    }
  }

  private void begin(String id, Account account) {
    account.joinSpellings();
    account.joinTold();
    List<StoredMessage> interrupted = context.store().interrupted(id);
    if (starting) {
      recovery.interrupted(interrupted.size());
      if (!settings.drainOnStartup() && hasBacklog(id, interrupted)) {
        context.write(
            account.pause(
                "messages from before the start wait (drainOnStartup: false); resume to send"
                    + " them"));
      }
    }
    context
        .events()
        .publish(
            new Event.AccountTaken(context.time().instant(), id, context.node(), workedBefore(id)));
    account.recover(interrupted);
    account.open();
    if (cluster != null) {
      account.takeIn(cluster);
    }
  }

  private boolean hasBacklog(String account, List<StoredMessage> interrupted) {
    return !interrupted.isEmpty()
        || List.of(Priority.values()).stream()
            .anyMatch(
                priority ->
                    !context
                        .time()
                        .await(context.store().due(account, priority, FAR, null, 1))
                        .isEmpty());
  }

  private @Nullable String workedBefore(String account) {
    ClusterSnapshot snapshot = keeper == null ? null : keeper.lastRoll();
    return snapshot == null
        ? null
        : snapshot.holdings().stream()
            .filter(holding -> holding.account().equals(account))
            .map(ClusterSnapshot.Holding::owner)
            .filter(owner -> owner != null && !context.node().equals(owner))
            .findFirst()
            .orElse(null);
  }

  // ---- accounts leave

  @Override
  public void finish(String id) {
    if (id.equals(Cluster.HOUSE)) {
      housekeeping.stop();
      return;
    }
    Account account = accountRegistry.worked(id);
    if (account != null) {
      try {
        context.time().awaitFor(account.stop(), account.longestAttempt());
      } finally {
        part(id, HANDED_OVER);
      }
    }
  }

  /** Signs of life do not wait for it; if the account comes again, its next worker does. */
  @Override
  public void lost(String id) {
    if (id.equals(Cluster.HOUSE)) {
      housekeeping.stop();
      return;
    }
    Account account = leave(id, "the lease was lost");
    if (account != null) {
      CompletableFuture<Void> dropped = new CompletableFuture<>();
      dropping.put(id, dropped);
      context
          .time()
          .start(
              "drop",
              () -> {
                try {
                  hangUp(List.of(account));
                } finally {
                  dropping.remove(id, dropped);
                  dropped.complete(null);
                }
              });
    }
  }

  /** The store takes nothing from this process any more, and says why to whoever asks. */
  @Override
  public void standDown(String reason) {
    context.storeWatch().down(reason);
    context
        .events()
        .publish(new Event.NodeReplaced(context.time().instant(), "", context.node(), reason));
  }

  /** The account leaves, and has hung up when this returns. */
  private void part(String id, String reason) {
    Account account = leave(id, reason);
    if (account != null) {
      hangUp(List.of(account));
    }
  }

  /** Gives the account if it was worked here. */
  private @Nullable Account leave(String id, String reason) {
    Account account = accountRegistry.remove(id);
    if (account != null) {
      account.stop();
      context
          .events()
          .publish(new Event.AccountLeft(context.time().instant(), id, context.node(), reason));
    }
    return account;
  }

  /** Ends their connections: whoever works them next must not be met there. */
  private void hangUp(List<Account> accounts) {
    CompletableFuture<?>[] ended =
        accounts.stream().map(Account::hangUp).toArray(CompletableFuture[]::new);
    if (!context.time().awaitFor(CompletableFuture.allOf(ended), TO_HANG_UP)) {
      log.warn(
          "Of {} not every connection has ended after {} s; the next node may meet it for a while",
          accounts.stream().map(Account::id).toList(),
          TO_HANG_UP.toSeconds());
    }
    accounts.forEach(Account::closeLink);
  }

  // ---- what the heartbeat brings

  @Override
  public List<AccountReport> reports() {
    return accountRegistry.worked().stream()
        .map(Account::report)
        .flatMap(Optional::stream)
        .toList();
  }

  @Override
  public void rolled(ClusterSnapshot snapshot) {
    for (ClusterSnapshot.Holding holding : snapshot.holdings()) {
      if (holding.arrivals() && context.node().equals(holding.owner())) {
        arrived(holding.account());
      }
      Long known = changes.put(holding.account(), holding.changes());
      if (known != null && known != holding.changes()) {
        changed(holding.account());
      }
    }
    housekeeping.look();
    inboundMayHaveChanged.run();
    count();
  }

  private void count() {
    context
        .call(() -> context.store().depths())
        .thenAccept(this::counted); // the next beat does it again
  }

  private void counted(List<QueueDepth> depths) {
    context.counts().recount(depths);
    ClusterSnapshot snapshot = keeper == null ? null : keeper.lastRoll();
    if (snapshot != null && housekeeping.isRunning()) {
      Set<String> claimed = new HashSet<>();
      snapshot.nodes().stream()
          .filter(ClusterSnapshot.Node::alive)
          .forEach(node -> claimed.addAll(node.claims()));
      depths.stream()
          .filter(depth -> depth.active() > 0 && !claimed.contains(depth.account()))
          .forEach(depth -> missing.found(depth.account()));
    }
  }

  // ---- what other nodes tell

  @Override
  public void arrived(String id) {
    Account account = accountRegistry.worked(id);
    if (account != null && cluster != null) {
      account.takeIn(cluster);
    }
  }

  @Override
  public void changed(String id) {
    AtomicInteger news = changed.computeIfAbsent(id, _ -> new AtomicInteger());
    if (news.getAndIncrement() == 0) {
      context.insist("follow", () -> followAll(id, news));
    }
  }

  private void followAll(String id, AtomicInteger news) {
    int told;
    do {
      told = news.get();
      follow(id);
    } while (!news.compareAndSet(told, 0));
  }

  private void follow(String id) {
    context.chats().restore();
    accountRegistry.pausedLanes().restore(id);
    Account account = accountRegistry.worked(id);
    if (account != null) {
      AccountState seen = account.state();
      context.store().accounts().stream()
          .filter(state -> state.account().equals(id))
          .forEach(stored -> account.follow(seen, stored));
      account.lanes().lookAgain();
      account.joinTold();
    }
  }

  @Override
  public void inboundChanged() {
    inboundMayHaveChanged.run();
  }

  @Override
  public void leases() {
    if (keeper != null) {
      keeper.beatSoon();
    }
  }

  @Override
  public void missed() {
    for (Account account : accountRegistry.worked()) {
      arrived(account.id());
      changed(account.id());
    }
    inboundChanged();
    leases();
  }

  // ---- looking

  /** The cluster as it is now, or as it was last seen if the store is away. */
  public @Nullable ClusterSnapshot roll() {
    return cluster == null || keeper == null
        ? null
        : context.<@Nullable ClusterSnapshot>glance(cluster::roll, keeper.lastRoll());
  }

  /** Who works the account; null if nobody who lives does. */
  public @Nullable String nodeOf(String id, @Nullable ClusterSnapshot snapshot) {
    if (accountRegistry.worked(id) != null || snapshot == null) {
      return context.node();
    }
    String owner = snapshot.owner(id);
    return context.node().equals(owner) ? null : owner;
  }

  /**
   * What an account looks like that is worked elsewhere, by the store and by its owner's last sign
   * of life.
   */
  public AccountView view(
      AccountRegistry.Known known,
      @Nullable AccountState state,
      @Nullable ClusterSnapshot snapshot,
      @Nullable WaitingFor waitingFor) {
    String id = known.id();
    String node = nodeOf(id, snapshot);
    Instant handed = snapshot == null ? null : snapshot.since(id);
    String waits = node == null ? "no node works it yet" : late.get(id);
    Health health = waits == null ? Health.READY : Health.STARTING;
    Instant since = handed;
    String reason = waits;
    AccountReport report = snapshot == null ? null : snapshot.report(id);
    if (report != null) {
      health = Health.named(report.health());
      since = report.since();
      reason = report.reason();
    }
    if (state != null && state.pausedBecause() != null) {
      health = Health.PAUSED;
      since = state.pausedSince();
      reason = state.pausedBecause();
    } else if (state != null && state.brokenBecause() != null) {
      health = Health.BROKEN;
      since = state.brokenSince();
      reason = state.brokenBecause();
    }
    return new AccountView(
        id,
        known.config().channel(),
        health,
        since,
        reason,
        report != null && report.needsLogin() && Objects.equals(reason, report.reason()),
        node,
        report == null ? ListeningView.OFF : ListeningView.of(report),
        context.counts().active(id),
        0,
        context.counts().deadLetters(id),
        1,
        null,
        null,
        context.oldestDue(id),
        context.oldestWaiting(id),
        List.of(),
        waitingFor);
  }
}
