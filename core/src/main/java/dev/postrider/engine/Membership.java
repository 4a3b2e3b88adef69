package dev.postrider.engine;

import dev.postrider.config.ClusterSettings;
import dev.postrider.config.QueueSettings;
import dev.postrider.event.Event;
import dev.postrider.lease.Hold;
import dev.postrider.lease.LeaseKeeper;
import dev.postrider.message.Priority;
import dev.postrider.store.AccountReport;
import dev.postrider.store.AccountState;
import dev.postrider.store.Cluster;
import dev.postrider.store.Depth;
import dev.postrider.store.Lease;
import dev.postrider.store.Roll;
import dev.postrider.store.StoreFailure;
import dev.postrider.store.StoreUnavailable;
import dev.postrider.store.StoredMessage;
import dev.postrider.time.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How accounts come to this process and leave it. Alone on its store it takes all of them at the
 * start. In a cluster it takes its share as leases come and go, follows what operators do at other
 * nodes, and does the chores while it holds the house's lease. Thread-safe.
 */
final class Membership implements LeaseKeeper.Work, Cluster.Listener {
  private static final Logger log = LoggerFactory.getLogger(Membership.class);
  private static final Instant FAR = Instant.parse("9999-01-01T00:00:00Z");
  private static final String HANDED_OVER = "handed over to another node";
  private static final String STOPPED = "the process stops";

  private final House house;
  private final QueueSettings settings;
  private final Roster roster;
  private final Housekeeping housekeeping;
  private final MissingAccounts missing;
  private final Recovery recovery;
  private final Runnable deskNews;
  private final @Nullable Cluster cluster;
  private final @Nullable LeaseKeeper keeper;
  private final Map<String, Long> changes = new ConcurrentHashMap<>(); // by account, as last seen
  private final Map<String, String> late = new ConcurrentHashMap<>(); // why, by account
  private volatile boolean starting = true;
  private volatile boolean stopped;

  /**
   * @param deskNews is told that other nodes may have taken in something, or had something
   */
  Membership(
      House house,
      QueueSettings settings,
      ClusterSettings membership,
      Roster roster,
      Housekeeping housekeeping,
      MissingAccounts missing,
      Recovery recovery,
      Runnable deskNews) {
    this.house = house;
    this.settings = settings;
    this.roster = roster;
    this.housekeeping = housekeeping;
    this.missing = missing;
    this.recovery = recovery;
    this.deskNews = deskNews;
    cluster = house.store().cluster().orElse(null);
    keeper =
        cluster == null
            ? null
            : new LeaseKeeper(
                membership.node(),
                membership.address(),
                roster.names(),
                membership.heartbeat(),
                house.store(),
                cluster,
                house.time(),
                this);
  }

  // ---- starting and stopping

  void start() {
    house.chats().restore();
    Roster.Notes notes = roster.readNotes();
    roster.restoreChannels(notes);
    if (cluster == null || keeper == null) {
      takeAll(notes);
      housekeeping.start();
    } else {
      cluster.listen(this);
      keeper.start();
    }
    starting = false;
  }

  private void takeAll(Roster.Notes notes) {
    for (String account : roster.names()) {
      try {
        take(account, notes);
      } catch (StoreUnavailable | StoreFailure | Refused e) { // the others need not wait for it
        log.warn("Account {} begins later: {}", account, e.getMessage());
        late.put(account, String.valueOf(e.getMessage()));
        house.insist("begin", () -> takeLate(account));
      }
    }
  }

  private void takeLate(String account) {
    if (!stopped) {
      if (roster.worked(account) == null) {
        take(account, roster.readNotes());
      }
      late.remove(account);
      follow(account); // what an operator did while it began
    }
  }

  private void take(String account, Roster.Notes notes) {
    Optional<Lease> lease = house.time().await(house.store().acquire(account, house.node()));
    if (lease.isPresent()) {
      begin(Hold.forGood(lease.get(), house.time()), notes);
    } else {
      log.warn("Account {} is worked by somebody else in this process", account);
    }
  }

  /** Finishes everything, waiting no longer than the grace; then lets go of it. */
  void stop() {
    stopped = true;
    housekeeping.stop();
    CompletableFuture<?>[] idle =
        roster.worked().stream().map(Account::stop).toArray(CompletableFuture[]::new);
    if (!house.time().awaitFor(CompletableFuture.allOf(idle), settings.shutdownGrace())) {
      log.warn(
          "Requests were still in flight after {} s; their outcome is unknown and is settled at the"
              + " next start",
          settings.shutdownGrace().toSeconds());
    }
    for (Account account : List.copyOf(roster.worked())) {
      part(account.id(), STOPPED);
      if (keeper == null) {
        release(account.hold().lease());
      }
    }
    if (keeper != null) {
      keeper.leave();
    }
  }

  private void release(Lease lease) {
    try {
      house.time().await(house.store().release(lease));
    } catch (RuntimeException e) {
      log.warn("Could not give back the lease of {}: {}", lease.account(), e.getMessage());
    }
  }

  private CompletableFuture<Boolean> limited(Duration patience, CompletableFuture<Void> done) {
    CompletableFuture<Boolean> over = new CompletableFuture<>();
    Scheduler.Timer limit = house.time().after(patience, () -> over.complete(false));
    done.thenRun(() -> over.complete(true));
    return over.whenComplete((_, _) -> limit.cancel());
  }

  // ---- accounts come

  @Override
  public void begin(Hold hold) {
    if (hold.lease().account().equals(Cluster.HOUSE)) {
      housekeeping.start();
      count();
    } else {
      begin(hold, roster.readNotes());
    }
  }

  private void begin(Hold hold, Roster.Notes notes) {
    String id = hold.lease().account();
    boolean begun = false;
    try {
      begin(id, roster.prepare(hold, notes));
      begun = true;
    } finally {
      if (!begun || hold.isLost()) { // while it began
        part(id, begun ? "the lease was lost" : "it could not begin");
      }
    }
  }

  private void begin(String id, Account account) {
    List<StoredMessage> interrupted = house.store().interrupted(id);
    if (starting) {
      recovery.interrupted(interrupted.size());
      if (!settings.drainOnStartup() && hasBacklog(id, interrupted)) {
        house.write(
            account.pause(
                "messages from before the start wait (drainOnStartup: false); resume to send"
                    + " them"));
      }
    }
    house
        .events()
        .publish(
            new Event.AccountTaken(house.time().instant(), id, house.node(), workedBefore(id)));
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
                    !house
                        .time()
                        .await(house.store().due(account, priority, FAR, null, 1))
                        .isEmpty());
  }

  private @Nullable String workedBefore(String account) {
    Roll roll = keeper == null ? null : keeper.lastRoll();
    return roll == null
        ? null
        : roll.holdings().stream()
            .filter(holding -> holding.account().equals(account))
            .map(Roll.Holding::owner)
            .filter(owner -> owner != null && !house.node().equals(owner))
            .findFirst()
            .orElse(null);
  }

  // ---- accounts leave

  @Override
  public CompletableFuture<Void> finish(String id) {
    if (id.equals(Cluster.HOUSE)) {
      housekeeping.stop();
      return CompletableFuture.completedFuture(null);
    }
    Account account = roster.worked(id);
    if (account == null) {
      return CompletableFuture.completedFuture(null);
    }
    return limited(account.longestAttempt(), account.stop()).thenAccept(_ -> part(id, HANDED_OVER));
  }

  @Override
  public void lost(String id) {
    if (id.equals(Cluster.HOUSE)) {
      housekeeping.stop();
    } else {
      part(id, "the lease was lost");
    }
  }

  /** The store takes nothing from this process any more, and says why to whoever asks. */
  @Override
  public void standDown(String reason) {
    house.storeWatch().down(reason);
    house
        .events()
        .publish(new Event.NodeReplaced(house.time().instant(), "", house.node(), reason));
  }

  private void part(String id, String reason) {
    Account account = roster.remove(id);
    if (account != null) {
      account.stop();
      account.closeLink();
      house
          .events()
          .publish(new Event.AccountLeft(house.time().instant(), id, house.node(), reason));
    }
  }

  // ---- what the heartbeat brings

  @Override
  public List<AccountReport> reports() {
    return roster.worked().stream().map(Account::report).flatMap(Optional::stream).toList();
  }

  @Override
  public void rolled(Roll roll) {
    for (Roll.Holding holding : roll.holdings()) {
      if (holding.arrivals() && house.node().equals(holding.owner())) {
        arrived(holding.account());
      }
      Long known = changes.put(holding.account(), holding.changes());
      if (known != null && known != holding.changes()) {
        changed(holding.account());
      }
    }
    housekeeping.look();
    deskNews.run();
    count();
  }

  private void count() {
    house
        .call(() -> house.store().depths())
        .thenAccept(this::counted); // the next beat does it again
  }

  private void counted(List<Depth> depths) {
    house.tally().recount(depths);
    Roll roll = keeper == null ? null : keeper.lastRoll();
    if (roll != null && housekeeping.isRunning()) {
      Set<String> claimed = new HashSet<>();
      roll.nodes().stream().filter(Roll.Node::alive).forEach(node -> claimed.addAll(node.claims()));
      depths.stream()
          .filter(depth -> depth.active() > 0 && !claimed.contains(depth.account()))
          .forEach(depth -> missing.found(depth.account()));
    }
  }

  // ---- what other nodes tell

  @Override
  public void arrived(String id) {
    Account account = roster.worked(id);
    if (account != null && cluster != null) {
      account.takeIn(cluster);
    }
  }

  @Override
  public void changed(String id) {
    house.insist("follow", () -> follow(id));
  }

  private void follow(String id) {
    house.chats().restore();
    roster.pausedLanes().restore(id);
    Account account = roster.worked(id);
    if (account != null) {
      AccountState seen = account.state();
      house.store().accounts().stream()
          .filter(state -> state.account().equals(id))
          .forEach(stored -> account.follow(seen, stored));
      account.lanes().lookAgain();
    }
  }

  @Override
  public void handOut() {
    deskNews.run();
  }

  @Override
  public void leases() {
    if (keeper != null) {
      keeper.hurry();
    }
  }

  @Override
  public void missed() {
    for (Account account : roster.worked()) {
      arrived(account.id());
      changed(account.id());
    }
    handOut();
    leases();
  }

  // ---- looking

  /** The cluster as it is now, or as it was last seen if the store is away. */
  @Nullable Roll roll() {
    return cluster == null || keeper == null
        ? null
        : house.<@Nullable Roll>glance(cluster::roll, keeper.lastRoll());
  }

  /** Who works the account; null if nobody who lives does. */
  @Nullable String nodeOf(String id, @Nullable Roll roll) {
    if (roster.worked(id) != null || roll == null) {
      return house.node();
    }
    String owner = roll.owner(id);
    return house.node().equals(owner) ? null : owner;
  }

  /**
   * What an account looks like that is worked elsewhere, by the store and by its owner's last sign
   * of life.
   */
  AccountView view(
      Roster.Known known,
      @Nullable AccountState state,
      @Nullable Roll roll,
      @Nullable WaitingFor waitingFor) {
    String id = known.id();
    String node = nodeOf(id, roll);
    Instant handed = roll == null ? null : roll.since(id);
    String waits = node == null ? "no node works it yet" : late.get(id);
    Health health = waits == null ? Health.READY : Health.STARTING;
    Instant since = handed;
    String reason = waits;
    AccountReport report = roll == null ? null : roll.report(id);
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
        node,
        report == null ? ListeningView.OFF : ListeningView.of(report),
        house.tally().active(id),
        0,
        house.tally().deadLetters(id),
        1,
        null,
        null,
        house.oldestDue(id),
        house.oldestWaiting(id),
        List.of(),
        waitingFor);
  }
}
