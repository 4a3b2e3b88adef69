package dev.postrider.internal.lease;

import dev.postrider.store.Store;
import dev.postrider.store.cluster.AccountReport;
import dev.postrider.store.cluster.Cluster;
import dev.postrider.store.cluster.ClusterSnapshot;
import dev.postrider.store.failure.OutdatedNode;
import dev.postrider.store.failure.StandDown;
import dev.postrider.store.failure.StoreFailure;
import dev.postrider.store.failure.StoreRefused;
import dev.postrider.store.failure.StoreUnavailable;
import dev.postrider.store.message.Lease;
import dev.postrider.time.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
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
 * Keeps this node's leases in a cluster.
 *
 * <pre>
 *             ┌────────── heartbeat ──────────┐
 *   beat ──► roll ──► what I hold is confirmed│, or lost: drop it at once
 *                 └─► Balance: take what is free and falls to me
 *                              give what falls to others: finish, then let go
 * </pre>
 *
 * <h2>The promise</h2>
 *
 * Two nodes never both believe for certain that they hold a lease. The store counts a node as dead
 * once it has been silent for as long as a lease lasts, by the store's clock. The node counts the
 * same time on its own stopwatch, but from <em>before</em> it sent its last answered sign of life,
 * and a tenth less: so its certainty ends before anybody else's right begins, whatever the clocks
 * say. What it writes after that carries an old fence, and the store refuses it.
 *
 * <h2>Quick where it can be</h2>
 *
 * A node that leaves, or gives an account up, lets go in the store, and the store tells the others:
 * they need not wait for their next heartbeat. Only a death has to be waited for.
 *
 * <p>Everything runs in one task but the work on accounts, which gets tasks of its own: an account
 * that is slow to begin or to finish must not delay a sign of life.
 */
public final class LeaseKeeper {
  private static final Logger log = LoggerFactory.getLogger(LeaseKeeper.class);

  /** How long a store may take to hear that a node leaves. */
  private static final Duration TO_LEAVE = Duration.ofSeconds(5);

  /** What is done with leases. */
  public interface Work {
    /** The lease is held: begin. May block. */
    void begin(HeldLease heldLease);

    /** Begin nothing new, and return when nothing is under way any more. Blocks. */
    void finish(String account);

    /** The lease is lost: drop everything. Does not block. */
    void lost(String account);

    /** What to tell the other nodes of the accounts that are worked here. */
    List<AccountReport> reports();

    /** A sign of life was answered. */
    void rolled(ClusterSnapshot snapshot);

    /** This process must not go on, and every lease is lost: do nothing any more. */
    void standDown(String reason);
  }

  private final String node;
  private final String address;
  private final Set<String> claims;
  private final Duration heartbeat;
  private final Store store;
  private final Cluster cluster;
  private final Scheduler time;
  private final Work work;
  private final Map<String, HeldLease> holds = new ConcurrentHashMap<>();
  private final Set<String> leaving = ConcurrentHashMap.newKeySet();
  private final Map<String, Long> letGo = new ConcurrentHashMap<>(); // the fence, by account
  private CompletableFuture<Boolean> wake = new CompletableFuture<>(); // guarded by this
  private volatile boolean stopped;
  private volatile @Nullable ClusterSnapshot last;
  private boolean silent; // whether the last sign of life went unanswered; the task's own

  /**
   * @param claims the accounts this node is able to work
   */
  public LeaseKeeper(
      String node,
      String address,
      Set<String> claims,
      Duration heartbeat,
      Store store,
      Cluster cluster,
      Scheduler time,
      Work work) {
    this.node = node;
    this.address = address;
    Set<String> all = new HashSet<>(claims);
    all.add(Cluster.HOUSE);
    this.claims = Set.copyOf(all);
    this.heartbeat = heartbeat;
    this.store = store;
    this.cluster = cluster;
    this.time = time;
    this.work = work;
  }

  /** Takes this node's share, and goes on by itself. */
  public void start() {
    for (CompletableFuture<Boolean> begun : firstBeat()) {
      try {
        time.await(begun);
      } catch (StoreUnavailable | StoreFailure e) {
        log.warn("An account begins with a later heartbeat: {}", e.getMessage());
      }
    }
    time.start("leases", this::keep);
  }

  private List<CompletableFuture<Boolean>> firstBeat() {
    try {
      return beat();
    } catch (OutdatedNode e) { // a newer version was a moment faster
      throw new StoreRefused(String.valueOf(e.getMessage()));
    }
  }

  /** The cluster as of the last answered sign of life. */
  public @Nullable ClusterSnapshot lastRoll() {
    return last;
  }

  /** Something has changed: do not wait for the next heartbeat. */
  public void beatSoon() {
    CompletableFuture<Boolean> sleeping;
    synchronized (this) {
      sleeping = wake;
    }
    sleeping.complete(true);
  }

  private void keep() {
    try {
      while (!stopped) {
        sleep();
        if (!stopped) {
          beatOrWarn();
        }
      }
    } catch (Scheduler.Interrupted e) {
      log.info("No more signs of life from node {}", node);
    }
  }

  private void sleep() {
    CompletableFuture<Boolean> sleeping;
    synchronized (this) {
      sleeping = wake;
    }
    // One that could not be given is given soon: a lease is short, and others count on it.
    Duration pause = silent ? heartbeat.dividedBy(5) : heartbeat;
    Scheduler.Timer timer = time.after(pause, () -> sleeping.complete(false));
    time.await(sleeping);
    timer.cancel();
    synchronized (this) {
      wake = new CompletableFuture<>();
    }
  }

  private void beatOrWarn() {
    try {
      beat();
      silent = false;
    } catch (Scheduler.Interrupted e) {
      throw e;
    } catch (StandDown e) {
      standDown(e);
    } catch (RuntimeException | Error e) { // whatever it is, the next sign of life must be given
      if (!silent) {
        log.warn("Node {} cannot give a sign of life: {}", node, String.valueOf(e));
      }
      silent = true;
    }
  }

  /** Gives no more signs of life: they would be another's. */
  private void standDown(StandDown order) {
    stopped = true;
    log.error("{}", order.getMessage());
    holds.forEach(this::lose);
    work.standDown(String.valueOf(order.getMessage()));
  }

  /** One sign of life and what follows from it; gives the accounts that are beginning. */
  private List<CompletableFuture<Boolean>> beat() {
    Duration sent = time.elapsed();
    ClusterSnapshot snapshot = time.await(cluster.beat(node, address, claims, work.reports()));
    last = snapshot;
    renew(snapshot, certainUntil(sent));
    LeaseBalance balance = LeaseBalance.of(snapshot, node, cluster.leaseLength());
    balance.give().forEach(this::give);
    List<CompletableFuture<Boolean>> begun = new ArrayList<>();
    List<String> wanted = new ArrayList<>(forgotten(snapshot));
    wanted.addAll(balance.take());
    for (String account : wanted) {
      CompletableFuture<Boolean> beginning = takeOrWarn(account);
      if (beginning != null) {
        begun.add(beginning);
      }
    }
    work.rolled(snapshot);
    return begun;
  }

  /** What is this node's by the store but not by its own books: from before it was restarted. */
  private List<String> forgotten(ClusterSnapshot snapshot) {
    return snapshot.holdings().stream()
        .filter(
            holding ->
                node.equals(holding.owner())
                    && claims.contains(holding.account())
                    && !holds.containsKey(holding.account())
                    && holding.fence() > letGo.getOrDefault(holding.account(), -1L))
        .map(ClusterSnapshot.Holding::account)
        .toList();
  }

  private Duration certainUntil(Duration sent) {
    return sent.plus(cluster.leaseLength().multipliedBy(9).dividedBy(10));
  }

  private void renew(ClusterSnapshot snapshot, Duration until) {
    Set<Lease> held = new HashSet<>();
    for (ClusterSnapshot.Holding holding : snapshot.holdings()) {
      if (node.equals(holding.owner())) {
        held.add(new Lease(holding.account(), holding.fence()));
      }
    }
    holds.forEach(
        (account, heldLease) -> {
          if (held.contains(heldLease.lease())) {
            heldLease.renew(until);
          } else {
            lose(account, heldLease);
          }
        });
  }

  private void lose(String account, HeldLease heldLease) {
    if (holds.remove(account, heldLease)) {
      log.warn("Node {} has lost account '{}'", node, account);
      heldLease.lose();
      work.lost(account);
    }
  }

  /** One account that cannot be had must not keep this node from the others, nor from its roll. */
  private @Nullable CompletableFuture<Boolean> takeOrWarn(String account) {
    try {
      return take(account);
    } catch (StoreUnavailable | StoreFailure e) {
      log.warn("Node {} could not take account '{}': {}", node, account, e.getMessage());
      return null;
    }
  }

  private @Nullable CompletableFuture<Boolean> take(String account) {
    if (stopped || holds.containsKey(account)) {
      return null;
    }
    Duration asked = time.elapsed();
    Optional<Lease> lease = time.await(store.acquire(account, node));
    if (lease.isEmpty()) {
      return null;
    }
    HeldLease heldLease = HeldLease.until(lease.get(), time, certainUntil(asked));
    holds.put(account, heldLease);
    CompletableFuture<Boolean> begun = new CompletableFuture<>();
    time.start("begin", () -> begin(heldLease, begun));
    return begun;
  }

  private void begin(HeldLease heldLease, CompletableFuture<Boolean> begun) {
    String account = heldLease.lease().account();
    try {
      work.begin(heldLease);
      begun.complete(true);
    } catch (RuntimeException | Error e) {
      log.warn("Node {} could not begin account '{}': {}", node, account, String.valueOf(e));
      try {
        release(heldLease);
      } finally {
        holds.remove(account, heldLease); // a later heartbeat takes it again
        begun.completeExceptionally(e);
      }
    }
  }

  /** Finishes what is under way, then lets go. */
  private void give(String account) {
    HeldLease heldLease = holds.get(account);
    if (heldLease != null && leaving.add(account)) {
      log.info("Node {} hands account '{}' over", node, account);
      time.start("hand over", () -> handOver(account, heldLease));
    }
  }

  private void handOver(String account, HeldLease heldLease) {
    try {
      work.finish(account);
    } catch (Scheduler.Interrupted e) {
      throw e;
    } catch (RuntimeException | Error e) { // half finished it is of no use to anybody
      log.warn("Node {} drops account '{}': {}", node, account, String.valueOf(e));
      work.lost(account);
    } finally {
      leaving.remove(account);
    }
    if (holds.remove(account, heldLease)) {
      release(heldLease);
    }
  }

  private void release(HeldLease heldLease) {
    try {
      time.await(letGo(heldLease));
    } catch (Scheduler.Interrupted e) {
      throw e;
    } catch (RuntimeException | Error e) {
      log.warn(
          "Could not give back the lease of '{}': {}",
          heldLease.lease().account(),
          String.valueOf(e));
    }
  }

  private CompletableFuture<Boolean> letGo(HeldLease heldLease) {
    heldLease.lose(); // from now on nobody here may act under it
    letGo.merge(heldLease.lease().account(), heldLease.lease().fence(), Math::max);
    return store.release(heldLease.lease());
  }

  /**
   * Gives no more signs of life, and lets go of everything: its work must be finished. A store that
   * does not answer is not waited for: the others wait for the leases' end.
   */
  public void leave() {
    stopped = true;
    beatSoon();
    List<CompletableFuture<?>> gone = new ArrayList<>();
    for (HeldLease heldLease : List.copyOf(holds.values())) {
      if (holds.remove(heldLease.lease().account(), heldLease)) {
        gone.add(letGo(heldLease));
      }
    }
    CompletableFuture<Void> all = CompletableFuture.allOf(gone.toArray(CompletableFuture[]::new));
    if (!isDone(all) || !isDone(cluster.leave(node))) {
      log.warn("Node {} could not say goodbye: the others wait until its leases are over", node);
    }
  }

  private boolean isDone(CompletableFuture<?> goodbye) {
    return time.awaitFor(goodbye, TO_LEAVE) && !goodbye.isCompletedExceptionally();
  }
}
