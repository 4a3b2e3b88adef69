package dev.postrider.testkit.crash;

import dev.postrider.testkit.postgres.PostgresServer;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/**
 * Brings disasters about, one at a time, and waits after each until the cluster has recovered.
 * Keeps the books: what befell whom and when, and which accounts changed hands.
 */
final class Disasters {
  private static final Duration SHORTER_THAN_A_LEASE = Duration.ofMillis(5_000);

  /** So long may all nodes be silent without one of them being taken for dead. */
  private static final Duration UNNOTICED = Duration.ofMillis(7_000);

  private static final Duration TAKEN_OVER_BY = Duration.ofSeconds(20);
  private static final Duration RECOVERY_LIMIT = Duration.ofSeconds(60);

  private final List<ClusterNode> nodes;
  private final Set<String> accounts;
  private final PostgresServer database;
  private final RandomGenerator random;
  private final List<Past> past = new ArrayList<>();
  private final Set<ClusterView.Takeover> takeovers = new LinkedHashSet<>();

  /**
   * A disaster that was.
   *
   * @param victims the nodes that could not give signs of life
   * @param accounts what they worked
   */
  record Past(Disaster kind, Set<String> victims, Set<String> accounts, Instant from, Instant to) {
    /** How it can have left outcomes in doubt. */
    Verdicts.Trouble trouble() {
      return new Verdicts.Trouble(from, to, accounts, kind == Disaster.FREEZE);
    }

    /** Whether it is why a node was taken for dead. */
    boolean explains(ClusterView.Takeover takeover) {
      return victims.contains(takeover.from())
          && takeover.at().isAfter(from)
          && takeover.at().isBefore(to.plus(TAKEN_OVER_BY));
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

  /** Brings one about, and sees it through. */
  void strike(Disaster kind) throws IOException {
    ClusterView before = awaitView("the cluster is whole", this::isWhole);
    ClusterNode victim = nodes.get(random.nextInt(nodes.size()));
    Set<String> owned = before.accountsOf(victim.name());
    Instant began = Instant.now();
    Past happened =
        switch (kind) {
          case CRASH -> kill(kind, victim, owned);
          case DEATH -> {
            Past killed = kill(kind, victim, owned);
            awaitView("the others took over", view -> isTakenOver(view, victim));
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
          case DATABASE_RESTART -> restartDatabase();
          case LEAVE -> leave(victim);
        };
    past.add(happened);
    awaitView("the cluster is whole", this::isWhole);
    System.out.printf(
        "  %s %s: whole again after %.1f s%n",
        kind,
        kind == Disaster.DATABASE_RESTART ? "" : victim.name(),
        Duration.between(began, Instant.now()).toMillis() / 1000.0);
    pass(Duration.ofMillis(1_000 + random.nextInt(3_000)));
  }

  private Past kill(Disaster kind, ClusterNode victim, Set<String> owned) throws IOException {
    victim.remember();
    Instant from = Instant.now();
    victim.process().kill();
    Instant to = Instant.now();
    if (kind == Disaster.CRASH) {
      victim.start();
    }
    return new Past(kind, Set.of(victim.name()), owned, from, to);
  }

  private Past freeze(ClusterNode victim, Set<String> owned) {
    Instant from = Instant.now();
    victim.process().freeze();
    outlast(victim);
    Instant to = Instant.now();
    victim.process().thaw();
    return new Past(Disaster.FREEZE, Set.of(victim.name()), owned, from, to);
  }

  private Past healLater(Disaster kind, ClusterNode victim, Set<String> owned, Instant from) {
    if (random.nextInt(4) == 0) {
      pass(SHORTER_THAN_A_LEASE);
    } else {
      outlast(victim);
    }
    victim.cable().heal();
    return new Past(kind, Set.of(victim.name()), owned, from, Instant.now());
  }

  /** Until the others have taken over, and at times a while longer. */
  private void outlast(ClusterNode victim) {
    awaitView("the others took over", view -> isTakenOver(view, victim));
    pass(Duration.ofMillis(random.nextInt(3_000)));
  }

  /**
   * Nodes keep what they know while the database is away: unless it is for long, nothing repeats.
   */
  private Past restartDatabase() {
    Instant from = Instant.now();
    database.stop();
    pass(Duration.ofMillis(500 + random.nextInt(1_500)));
    database.startAgain();
    Instant to = Instant.now();
    boolean unnoticed = Duration.between(from, to).compareTo(UNNOTICED) < 0;
    return new Past(
        Disaster.DATABASE_RESTART,
        unnoticed ? Set.of() : names(),
        unnoticed ? Set.of() : accounts,
        from,
        to);
  }

  /** A node that leaves finishes first: nothing is in doubt. */
  private Past leave(ClusterNode victim) throws IOException {
    victim.remember();
    Instant from = Instant.now();
    victim.process().stop();
    awaitView("the others took over", view -> isTakenOver(view, victim));
    Past left = new Past(Disaster.LEAVE, Set.of(), Set.of(), from, Instant.now());
    victim.start();
    return left;
  }

  // ---- looking

  private Set<String> names() {
    return nodes.stream().map(ClusterNode::name).collect(Collectors.toSet());
  }

  private boolean isWhole(ClusterView view) {
    return view.isShared(names(), accounts) && nodes.stream().allMatch(ClusterNode::isReady);
  }

  private boolean isTakenOver(ClusterView view, ClusterNode from) {
    Set<String> others = new HashSet<>(names());
    others.remove(from.name());
    return view.isShared(others, accounts) && !view.owners().containsValue(from.name());
  }

  private ClusterView awaitView(String what, Predicate<ClusterView> is) {
    long deadline = System.nanoTime() + RECOVERY_LIMIT.toNanos();
    String last = "";
    while (System.nanoTime() < deadline) {
      for (ClusterNode node : nodes) {
        try {
          ClusterView view = ClusterView.of(node.api().cluster());
          takeovers.addAll(view.takeovers());
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
        "waited " + RECOVERY_LIMIT + " until " + what + ", after " + past + ": " + last);
  }

  private static void pass(Duration duration) {
    LockSupport.parkNanos(duration.toNanos());
  }
}
