package dev.postrider.testkit.internal.crash;

import dev.postrider.config.ClusterSettings;
import dev.postrider.testkit.internal.net.FreePort;
import dev.postrider.testkit.internal.postgres.PostgresServer;
import dev.postrider.testkit.platform.FakeTelegram;
import dev.postrider.testkit.platform.FakeTelegram.Delivery;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Three real servers on one real PostgreSQL, under load at all of them for all accounts, and one
 * disaster after the other, or two at once. Then everything comes to rest, and what the platform
 * saw is held against what was acknowledged.
 */
public final class ClusterHarness {
  private static final List<String> ACCOUNTS =
      IntStream.rangeClosed(1, 6).mapToObj(number -> "tg" + number).toList();
  private static final int CHATS_PER_ACCOUNT = 6;
  private static final String CLOCK_OF = "n3"; // the node whose clock can be set
  private static final int IN_EVERY_BUILD = 4; // kinds, and one pair: a round takes minutes
  private static final int PAIRS = 2; // in each round, disasters that happen at once
  private static final Duration PAUSE = Duration.ofMillis(200);

  private final Path folder;
  private final SplittableRandom random;
  private final Set<Disaster> kinds = EnumSet.allOf(Disaster.class);
  private final HttpClient client =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();

  /** What a run came to. */
  public record Report(
      Map<Disaster, Long> disasters,
      int messages,
      int arrivals,
      int repeatsAfterDisaster,
      int repeatsAfterFault,
      int sentOnWaking,
      long staleCompletions,
      long rescued,
      Times takeovers,
      int starved,
      Times silences,
      List<String> violations) {
    @Override
    public String toString() {
      return """
      %d disasters %s
        %d messages, %d arrivals on the platform
        %d repeats after a disaster, %d after a lost answer, %d sent by a frozen node as it woke up
        %d stale completions: writes refused after a lost lease, or answers that came too late
        %d rescued by the safety sweep
        takeovers after a death: %s, from the last sign of life; %d of nodes that got no time to \
      give one
        as the platform saw them: %s, from the disaster to the account's next message
        %d violations\
      """
          .formatted(
              disasters.values().stream().mapToLong(Long::longValue).sum(),
              disasters,
              messages,
              arrivals,
              repeatsAfterDisaster,
              repeatsAfterFault,
              sentOnWaking,
              staleCompletions,
              rescued,
              takeovers,
              starved,
              silences,
              violations.size());
    }
  }

  /** Durations, sorted. */
  public record Times(List<Duration> sorted) {
    static Times of(List<Duration> measured) {
      return new Times(measured.stream().sorted().toList());
    }

    @Override
    public String toString() {
      return sorted.isEmpty()
          ? "none"
          : "%d, p50 %.1f s, max %.1f s"
              .formatted(
                  sorted.size(),
                  sorted.get(sorted.size() / 2).toMillis() / 1000.0,
                  sorted.getLast().toMillis() / 1000.0);
    }
  }

  public ClusterHarness(Path folder, long seed) {
    this.folder = folder;
    this.random = new SplittableRandom(seed);
  }

  /** A node's own clock; null, and it is said, if there is no library for it. */
  private @Nullable NodeClock clock(String node) {
    try {
      return NodeClock.make(folder.resolve(node + ".clock"));
    } catch (IOException e) {
      kinds.remove(Disaster.CLOCK_STEP);
      System.out.println("  Clocks are not set in this run: " + e.getMessage());
      return null;
    }
  }

  /**
   * Runs through all kinds of disasters, in any order, and again until the time is up. Without any
   * time it runs through some of them, once.
   */
  public Report run(Duration atLeast) throws IOException, InterruptedException {
    Weather weather = new Weather(random.split());
    List<ClusterNode> nodes = new ArrayList<>();
    try (FakeTelegram platform = FakeTelegram.start();
        PostgresServer database = PostgresServer.start()) {
      platform.platform().recording(false);
      platform.script(weather);
      for (String name : List.of("n1", "n2", "n3")) {
        ClusterNode node =
            new ClusterNode(
                name,
                FreePort.find(),
                folder,
                database.port(),
                client,
                name.equals(CLOCK_OF) ? clock(name) : null);
        nodes.add(node);
        node.writeConfig(platform.baseUrl(), ACCOUNTS);
        node.start();
      }
      Disasters disasters = new Disasters(nodes, Set.copyOf(ACCOUNTS), database, random.split());
      Load load =
          new Load(
              chance -> nodes.get(chance.nextInt(nodes.size())).api(),
              lanes(),
              PAUSE,
              random.split());
      load.start();
      strikeFor(atLeast, disasters);
      weather.clearUp();
      load.finish();
      rest(nodes.getFirst().patientApi(), load);
      return judge(platform, load, weather, disasters, nodes);
    } finally {
      nodes.forEach(ClusterNode::close);
    }
  }

  private void strikeFor(Duration atLeast, Disasters disasters)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + atLeast.toNanos();
    do {
      List<Disaster> shuffled = new ArrayList<>(kinds);
      Collections.shuffle(shuffled, Random.from(random));
      shuffled.remove(Disaster.DEATH);
      shuffled.addFirst(Disaster.DEATH); // whatever else: somebody takes over
      for (Disaster kind : atLeast.isZero() ? shuffled.subList(0, IN_EVERY_BUILD) : shuffled) {
        disasters.strike(kind);
      }
      for (int pair = 0; pair < (atLeast.isZero() ? 1 : PAIRS); pair++) {
        Disaster ofNode = kindOtherThan(Disaster::ofDatabase);
        disasters.strikeTwice(ofNode, kindOtherThan(kind -> kind == ofNode));
      }
    } while (System.nanoTime() < end);
  }

  private Disaster kindOtherThan(Predicate<Disaster> these) {
    List<Disaster> others = kinds.stream().filter(these.negate()).toList();
    return others.get(random.nextInt(others.size()));
  }

  private static List<Load.Lane> lanes() {
    List<Load.Lane> lanes = new ArrayList<>();
    for (int account = 0; account < ACCOUNTS.size(); account++) {
      lanes.addAll(Load.lanes(ACCOUNTS.get(account), 1_000 * (account + 1), CHATS_PER_ACCOUNT));
    }
    return lanes;
  }

  /** A lane is at rest when its last message has ended. */
  static void rest(Api api, Load load) throws IOException {
    List<Load.Sent> last =
        new ArrayList<>(
            load.acknowledged().values().stream()
                .filter(sent -> !sent.isEmpty())
                .map(List::getLast)
                .toList());
    long deadline = System.nanoTime() + ServerProcess.LIMIT.toNanos();
    while (!last.isEmpty()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("lanes did not come to rest: " + last);
      }
      LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
      List<Load.Sent> waiting = new ArrayList<>();
      for (Load.Sent sent : last) {
        String status = api.message(sent.id()).path("status").asString("");
        if (status.isEmpty() || status.equals("queued") || status.equals("sending")) {
          waiting.add(sent);
        }
      }
      last = waiting;
    }
  }

  /**
   * Counts are kept with every write, through all of it; a node looks at them with its heartbeat.
   */
  private static void awaitNothingQueued(ClusterNode node, List<String> violations)
      throws IOException {
    long deadline = System.nanoTime() + ServerProcess.LIMIT.toNanos();
    long queued = node.patientApi().stats().path("queued").asLong(-1);
    while (queued != 0 && System.nanoTime() < deadline) {
      LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
      queued = node.patientApi().stats().path("queued").asLong(-1);
    }
    if (queued != 0) {
      violations.add("all has ended, and node %s counts %d queued".formatted(node.name(), queued));
    }
  }

  // ---- judging

  private static Report judge(
      FakeTelegram platform,
      Load load,
      Weather weather,
      Disasters disasters,
      List<ClusterNode> nodes)
      throws IOException {
    List<String> violations = new ArrayList<>(load.refusals());
    long stale = 0;
    long rescued = 0;
    for (ClusterNode node : nodes) {
      awaitNothingQueued(node, violations);
      stale += node.staleCompletions();
      rescued += node.rescued();
    }
    if (rescued > 0) {
      violations.add(rescued + " times the safety sweep found what nobody looked at");
    }
    List<Delivery> record = platform.deliveries();
    Verdicts verdicts = new Verdicts(record, load.acknowledged(), disasters.troubles(), weather);
    violations.addAll(verdicts.check(nodes.getFirst().patientApi()));
    List<ClusterView.Takeover> deaths =
        disasters.takeovers().stream().filter(ClusterView.Takeover::died).toList();
    int starved = 0;
    for (ClusterView.Takeover death : deaths) {
      if (death.gap().compareTo(ClusterSettings.LEASE) < 0) {
        violations.add("a node was taken for dead within its lease: " + death);
      }
      if (disasters.past().stream().noneMatch(past -> past.explains(death))) {
        starved++; // on a busy machine; a sign of life that hangs would not have become whole again
      }
    }
    return new Report(
        disasters.past().stream()
            .collect(Collectors.groupingBy(Disasters.Past::kind, Collectors.counting())),
        verdicts.messages(),
        record.size(),
        verdicts.excusedByTrouble(),
        verdicts.excusedByFault(),
        verdicts.sentOnWaking(),
        stale,
        rescued,
        Times.of(deaths.stream().map(ClusterView.Takeover::gap).toList()),
        starved,
        Times.of(silences(record, load, disasters)),
        violations);
  }

  /** How long the platform heard nothing of accounts whose node had died. */
  private static List<Duration> silences(List<Delivery> record, Load load, Disasters disasters) {
    Map<String, String> accounts =
        load.acknowledged().keySet().stream()
            .collect(Collectors.toMap(Load.Lane::chat, Load.Lane::account));
    List<Duration> silences = new ArrayList<>();
    for (Disasters.Past past : disasters.past()) {
      if (past.alone() && (past.kind() == Disaster.DEATH || past.kind() == Disaster.FREEZE)) {
        Instant quiet = past.from().plusSeconds(1); // what was on its way has arrived
        for (String account : past.accounts()) {
          record.stream()
              .filter(delivery -> account.equals(accounts.get(delivery.chat())))
              .map(Delivery::at)
              .filter(at -> at.isAfter(quiet))
              .findFirst()
              .ifPresent(at -> silences.add(Duration.between(past.from(), at)));
        }
      }
    }
    return silences;
  }
}
