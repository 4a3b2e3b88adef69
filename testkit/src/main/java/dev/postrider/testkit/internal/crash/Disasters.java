package dev.postrider.testkit.internal.crash;

import dev.postrider.testkit.internal.postgres.PostgresServer;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Brings disasters about, one at a time or two at once, and waits after each until the cluster has
 * recovered. Keeps the books: what befell whom and when, and which accounts changed hands.
 */
final class Disasters {
  private static final Duration SHORTER_THAN_A_LEASE = Duration.ofMillis(5_000);

  private static final Duration TAKEN_OVER_BY = Duration.ofSeconds(20);
  private static final Duration LONGER_THAN_A_LEASE = Duration.ofSeconds(13);

  /** How far clocks are set, in seconds. */
  private static final List<Integer> STEPS = List.of(-600, -20, 20, 600, 8 * 3600);

  private final List<ClusterNode> nodes;
  private final Set<String> accounts;
  private final PostgresServer database;
  private final RandomGenerator random; // guarded by itself
  private final List<Past> past = new ArrayList<>();
  private final Set<ClusterView.Takeover> takeovers = new LinkedHashSet<>();
  private volatile boolean overlapping; // then nobody can know who will take what over

  /**
   * A disaster that was.
   *
   * @param victims the nodes that could not give signs of life
   * @param accounts what they worked
   * @param alone whether nothing else happened meanwhile
   * @param wholeAt when every node was at work again
   */
  record Past(
      Disaster kind,
      Set<String> victims,
      Set<String> accounts,
      Instant from,
      Instant to,
      boolean alone,
      Instant wholeAt) {
    /** How it can have left outcomes in doubt. */
    Verdicts.Trouble trouble() {
      return new Verdicts.Trouble(
          from, to, accounts, kind == Disaster.FREEZE ? wholeAt : Instant.MIN);
    }

    Past wholeAt(Instant at) {
      return new Past(kind, victims, accounts, from, to, alone, at);
    }

    /** Whether it is why a node was taken for dead. */
    boolean explains(ClusterView.Takeover takeover) {
      return victims.contains(takeover.from())
          && takeover.at().isAfter(from)
          && takeover.at().isBefore(to.plus(TAKEN_OVER_BY));
    }

    boolean putsInDoubt(ClusterView.Takeover takeover) {
      return explains(takeover) && accounts.contains(takeover.account());
    }
  }

  Disasters(
      List<ClusterNode> nodes,
      Set<String> accounts,
      PostgresServer database,
      RandomGenerator random) {
    this.nodes = nodes;
    this.accounts = accounts;
    this.database = database;
    this.random = random;
  }

  List<Past> past() {
    return past;
  }

  Set<ClusterView.Takeover> takeovers() {
    return takeovers;
  }

  /**
   * What can have left outcomes in doubt: each disaster, and each node that was taken for dead
   * because the database was away.
   */
  List<Verdicts.Trouble> troubles() {
    return Stream.concat(
            past.stream().map(Past::trouble),
            takeovers.stream()
                .filter(ClusterView.Takeover::died)
                .filter(death -> past.stream().noneMatch(one -> one.putsInDoubt(death)))
                .map(
                    death ->
                        Verdicts.Trouble.kill(
                            death.at().minus(death.gap()), death.at(), Set.of(death.account()))))
        .toList();
  }

  /** Brings one about, and sees it through. */
  void strike(Disaster kind) throws IOException {
    ClusterView before = awaitView("the cluster is whole", this::isWhole);
    ClusterNode victim = victim(kind);
    Instant began = Instant.now();
    Past happened = happen(kind, victim, before.accountsOf(victim.name()));
    recovered(began, kind.ofDatabase() ? kind.toString() : kind + " " + victim.name(), happened);
  }

  /** Brings two about at once, of two nodes, or of one and the database; and sees them through. */
  void strikeTwice(Disaster kind, Disaster other) throws IOException, InterruptedException {
    awaitView("the cluster is whole", this::isWhole);
    ClusterNode one;
    ClusterNode two;
    do {
      one = victim(kind);
      two = victim(other);
    } while (one == two);
    together(kind, one, other, two);
  }

  private ClusterNode victim(Disaster kind) {
    List<ClusterNode> able =
        nodes.stream().filter(node -> kind != Disaster.CLOCK_STEP || node.hasOwnClock()).toList();
    return able.get(draw(able.size()));
  }

  private void together(Disaster kind, ClusterNode one, Disaster other, ClusterNode two)
      throws IOException, InterruptedException {
    Instant began = Instant.now();
    String what = "%s %s and %s %s".formatted(kind, one.name(), other, two.name());
    overlapping = true;
    try (ExecutorService together = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<Past> beside = together.submit(() -> happen(other, two, accounts));
      Past happened = happen(kind, one, accounts);
      recovered(began, what, happened, beside.get());
    } catch (ExecutionException e) {
      throw new AssertionError(what + " after " + past, e.getCause());
    }
    overlapping = false;
  }

  private void recovered(Instant began, String what, Past... happened) {
    awaitView("the cluster is whole after " + what, this::isWhole);
    Instant now = Instant.now();
    Stream.of(happened).map(one -> one.wholeAt(now)).forEach(past::add);
    System.out.printf(
        "  %s: whole again after %.1f s%n", what, Duration.between(began, now).toMillis() / 1000.0);
    pass(Duration.ofMillis(1_000 + draw(3_000)));
  }

  private int draw(int bound) {
    synchronized (random) {
      return random.nextInt(bound);
    }
  }

  private Past happen(Disaster kind, ClusterNode victim, Set<String> owned) throws IOException {
    Instant began = Instant.now();
    return switch (kind) {
      case CRASH -> kill(kind, victim, owned);
      case DEATH -> {
        Past killed = kill(kind, victim, owned);
        outlast(victim);
        victim.start();
        yield killed;
      }
      case FREEZE -> freeze(victim, owned);
      case CUT -> {
        victim.cable().cut();
        yield healLater(kind, victim, owned, began);
      }
      case CLOG -> {
        victim.cable().clog();
        yield healLater(kind, victim, owned, began);
      }
      case CLOCK_STEP -> setClock(victim);
      case TWIN -> startTwin(victim);
      case LEAVE -> leave(victim);
      case DATABASE_RESTART -> away(kind, database::stop);
      case DATABASE_KILL ->
          away(
              kind,
              () -> {
                database.kill();
                database.stop();
              });
      case BACKEND_KILL -> killBackend();
      case CANCEL -> cancel();
    };
  }

  private Past past(Disaster kind, Set<String> victims, Set<String> of, Instant from) {
    return new Past(kind, victims, of, from, Instant.now(), !overlapping, Instant.MAX);
  }

  /** Nobody notices: no node was silent for long, and nothing is in doubt. */
  private Past harmless(Disaster kind, Instant from) {
    return past(kind, overlapping ? names() : Set.of(), overlapping ? accounts : Set.of(), from);
  }

  private Past kill(Disaster kind, ClusterNode victim, Set<String> owned) throws IOException {
    remember(victim);
    Instant from = Instant.now();
    victim.process().kill();
    Past killed = past(kind, Set.of(victim.name()), owned, from);
    if (kind == Disaster.CRASH) {
      victim.start();
    }
    return killed;
  }

  /** What it has counted; a node whose database is away may not say. */
  private void remember(ClusterNode victim) throws IOException {
    try {
      victim.remember();
    } catch (IOException e) {
      if (!overlapping) {
        throw e;
      }
    }
  }

  private Past freeze(ClusterNode victim, Set<String> owned) {
    Instant from = Instant.now();
    victim.process().freeze();
    outlast(victim);
    Past frozen = past(Disaster.FREEZE, Set.of(victim.name()), owned, from);
    victim.process().thaw();
    return frozen;
  }

  private Past healLater(Disaster kind, ClusterNode victim, Set<String> owned, Instant from) {
    if (draw(4) == 0) {
      pass(SHORTER_THAN_A_LEASE);
    } else {
      outlast(victim);
    }
    victim.cable().heal();
    return past(kind, Set.of(victim.name()), owned, from);
  }

  /** Until the others have taken over, and at times a while longer. */
  private void outlast(ClusterNode victim) {
    if (overlapping) {
      pass(LONGER_THAN_A_LEASE);
    } else {
      awaitView("the others took over", view -> isTakenOver(view, victim));
    }
    pass(Duration.ofMillis(draw(3_000)));
  }

  private Past setClock(ClusterNode victim) {
    Instant from = Instant.now();
    victim.clock().set(Duration.ofSeconds(STEPS.get(draw(STEPS.size()))));
    pass(Duration.ofMillis(2_000 + draw(6_000)));
    victim.clock().set(Duration.ZERO);
    return harmless(Disaster.CLOCK_STEP, from);
  }

  private Past startTwin(ClusterNode victim) {
    Instant from = Instant.now();
    if (victim.startTwin() == 0) {
      throw new AssertionError("a second process named " + victim.name() + " was let in");
    }
    return harmless(Disaster.TWIN, from);
  }

  /**
   * Nodes keep what they know while the database is away: unless it is for long, nothing repeats.
   */
  private Past away(Disaster kind, Runnable goes) {
    Instant from = Instant.now();
    goes.run();
    pass(Duration.ofMillis(500 + draw(1_500)));
    database.startAgain();
    return afterDatabase(kind, from);
  }

  private Past killBackend() {
    Instant from = Instant.now();
    if (!database.killBackend()) {
      throw new AssertionError("there was no connection to kill");
    }
    pass(Duration.ofMillis(500));
    return afterDatabase(Disaster.BACKEND_KILL, from);
  }

  private Past cancel() {
    Instant from = Instant.now();
    long end = System.nanoTime() + SHORTER_THAN_A_LEASE.toNanos();
    while (System.nanoTime() < end) {
      database.cancelStatement();
      pass(Duration.ofMillis(draw(40)));
    }
    return harmless(Disaster.CANCEL, from);
  }

  /** No node could give signs of life; in doubt is only what was taken over because of that. */
  private Past afterDatabase(Disaster kind, Instant from) {
    return past(kind, names(), overlapping ? accounts : Set.of(), from);
  }

  /** A node that leaves finishes first: nothing is in doubt. */
  private Past leave(ClusterNode victim) throws IOException {
    remember(victim);
    Instant from = Instant.now();
    victim.process().stop();
    if (!overlapping) {
      awaitView("the others took over", view -> isTakenOver(view, victim));
    }
    Past left = harmless(Disaster.LEAVE, from);
    victim.start();
    return left;
  }

  // ---- looking

  private Set<String> names() {
    return nodes.stream().map(ClusterNode::name).collect(Collectors.toSet());
  }

  private boolean isWhole(ClusterView view) {
    // The nodes first: one that has ended is the reason for whatever else is missing.
    return nodes.stream().allMatch(node -> node.isReady(overlapping))
        && view.isShared(names(), accounts);
  }

  private boolean isTakenOver(ClusterView view, ClusterNode from) {
    Set<String> others = new HashSet<>(names());
    others.remove(from.name());
    return view.isShared(others, accounts) && !view.owners().containsValue(from.name());
  }

  private synchronized void note(ClusterView view) {
    takeovers.addAll(view.takeovers());
  }

  private ClusterView awaitView(String what, Predicate<ClusterView> is) {
    long deadline = System.nanoTime() + ServerProcess.LIMIT.toNanos();
    String last = "";
    while (System.nanoTime() < deadline) {
      for (ClusterNode node : nodes) {
        try {
          ClusterView view = ClusterView.of(node.api().cluster());
          note(view);
          last = view.toString();
          if (is.test(view)) {
            return view;
          }
        } catch (IOException e) {
          // It is down, or cannot look; the next may.
        }
      }
      pass(Duration.ofMillis(100));
    }
    throw new AssertionError(
        "waited " + ServerProcess.LIMIT + " until " + what + ", after " + past + ": " + last);
  }

  private static void pass(Duration duration) {
    LockSupport.parkNanos(duration.toNanos());
  }
}
