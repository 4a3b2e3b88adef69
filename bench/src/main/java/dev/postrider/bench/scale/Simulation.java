package dev.postrider.bench.scale;

import dev.postrider.bench.scale.Account.Flight;
import dev.postrider.bench.scale.Account.Lane;
import dev.postrider.bench.scale.Account.Message;
import dev.postrider.bench.scale.Cluster.Node;
import dev.postrider.bench.scale.Fault.Outage;
import dev.postrider.config.Pace;
import dev.postrider.internal.pace.Moment;
import dev.postrider.internal.pace.Pacer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The walk of every message: handed in, put in its lane, sent when account, chat and machines
 * allow, answered, recorded. An account that has nothing to do and full buckets takes no memory.
 */
final class Simulation {
  private static final Instant MIDNIGHT = Instant.parse("2026-03-01T00:00:00Z");

  final Conditions conditions;
  final Population population;
  final Events events = new Events();
  final RandomGenerator random;
  final List<Cluster> clusters = new ArrayList<>();
  final Ledger ledger;
  final Waits waits;
  final List<Fault> faults = new ArrayList<>();
  final short[] cluster; // by account
  final short[] node; // by account
  private final @Nullable Account[] awake;
  private final List<Queue<Rest>> resting = new ArrayList<>(); // by channel, since buckets differ
  private final Pacer.ChannelMeter shared = new Pacer.ChannelMeter("simulated", Pace.UNLIMITED);
  private final long answer;
  private final double more;
  private long refused;
  private Moment moment = new Moment(Duration.ZERO, MIDNIGHT);
  private long momentAt;

  private record Rest(Account account, long since) {}

  Simulation(Conditions conditions) {
    this.conditions = conditions;
    random = new SplittableRandom(conditions.whole("seed"));
    population = new Population(conditions);
    ledger = new Ledger(population.allChats());
    waits = new Waits(population.accounts);
    answer = conditions.micros("answer");
    more = conditions.real("more");
    Population.CHANNELS.forEach(_ -> resting.add(new ArrayDeque<>()));
    awake = new Account[population.accounts];
    cluster = new short[population.accounts];
    node = new short[population.accounts];
    for (int i = 0; i < conditions.clusters(); i++) {
      clusters.add(new Cluster(i % conditions.whole("regions"), conditions));
    }
    for (int i = 0; i < population.accounts; i++) {
      cluster[i] = (short) Placement.cluster(i, clusters.size());
      node[i] = (short) (i % conditions.whole("nodes"));
    }
  }

  /** Lives through the whole day, and until the last message has left. */
  Simulation run() {
    Traffic traffic = new Traffic(population, conditions, random);
    for (Traffic.HandIn next = traffic.next();
        next.at() < conditions.length();
        next = traffic.next()) {
      events.runUntil(next.at());
      handIn(next);
      letSleep();
    }
    events.runOut();
    return this;
  }

  private void handIn(Traffic.HandIn handIn) {
    Account account = awake(handIn.account());
    int first = population.firstChat(account.id);
    int chats = population.chats(account.id);
    if (handIn.fanout()) {
      for (int i = 0; i < chats; i++) {
        handIn(account, first + i, true);
      }
    } else {
      int chat = first + random.nextInt(chats);
      do {
        handIn(account, chat, false);
      } while (random.nextDouble() < more);
    }
    pump(account);
  }

  /** While its database is down nobody takes the message: its sender keeps it, and its order. */
  private void handIn(Account account, int chat, boolean fanout) {
    if (clusterOf(account).isDown(events.now())) {
      refused++;
    }
    Lane lane = account.lanes.computeIfAbsent(chat, Lane::new);
    lane.waiting.add(new Message(events.now(), ledger.handIn(chat), fanout));
    lane.replies += fanout ? 0 : 1;
    if (lane.waiting.size() == 1) {
      account.ready(lane);
    } else if (lane.replies == 1 && !fanout) {
      account.promote(lane);
    }
  }

  /** Sends what may be sent now; for the rest something is coming that looks again. */
  void pump(Account account) {
    while (account.hasReady() && account.inFlight < account.channel.concurrency()) {
      Outage outage = outage(account);
      if (outage != null) {
        hold(account, outage.fault());
        wake(account, outage.until());
        return;
      }
      long opens = micros(account.pacer.opensAt(now()));
      if (opens > events.now()) {
        wake(account, opens);
        return;
      }
      Lane lane = account.nextReady();
      String chat = Integer.toString(lane.chat + 1);
      long chatOpens = micros(account.pacer.chatOpensAt(chat, now()));
      if (chatOpens > events.now()) {
        stepAside(account, lane, chatOpens);
      } else {
        account.pacer.take(chat, now());
        send(account, lane);
      }
    }
  }

  /** A lane whose chat must wait delays no other. */
  private void stepAside(Account account, Lane lane, long until) {
    events.at(
        until,
        () -> {
          account.ready(lane);
          pump(account);
        });
  }

  private void wake(Account account, long at) {
    if (at < account.wakeAt) {
      account.wakeAt = at;
      events.at(
          at,
          () -> {
            if (account.wakeAt == at) {
              account.wakeAt = Long.MAX_VALUE;
              pump(account);
            }
          });
    }
  }

  private void send(Account account, Lane lane) {
    long leaves = clusterOf(account).leaves(events.now(), nodeOf(account));
    Flight flight = new Flight(lane.waiting.getFirst(), leaves);
    lane.flight = flight;
    account.inFlight++;
    if (account.heldBy != null) {
      account.heldBy.stood.add(leaves - account.heldSince);
      account.heldBy = null;
    }
    events.at(
        leaves + answer,
        () -> {
          if (!flight.neverLeft) {
            Message message = flight.message;
            ledger.arrive(lane.chat, message.number, message.possibleDuplicate);
          }
          record(account, lane, flight);
        });
  }

  /**
   * An answer is kept until the database takes it. Whoever has lost the account records nothing.
   */
  private void record(Account account, Lane lane, Flight flight) {
    if (lane.flight != flight) {
      return;
    }
    Cluster database = clusterOf(account);
    if (database.outage != null && database.isDown(events.now())) {
      events.at(database.outage.until(), () -> record(account, lane, flight));
      return;
    }
    Message message = lane.waiting.remove();
    lane.replies -= message.fanout ? 0 : 1;
    waits.add(account.id, message.fanout, message.handedIn, flight.leaves);
    lane.flight = null;
    account.inFlight--;
    if (lane.waiting.isEmpty()) {
      account.lanes.remove(lane.chat);
    } else {
      account.ready(lane);
    }
    pump(account);
    rest(account);
  }

  private void hold(Account account, Fault fault) {
    if (account.heldBy != fault) {
      account.heldBy = fault;
      account.heldSince = events.now();
      fault.felt.set(account.id);
    }
  }

  /** Why the account cannot send now; of several reasons the one that lasts. */
  private @Nullable Outage outage(Account account) {
    Outage machines = longer(nodeOf(account).outage, clusterOf(account).outage);
    Outage longest = longer(account.outage, machines);
    return longest != null && longest.until() > events.now() ? longest : null;
  }

  private static @Nullable Outage longer(@Nullable Outage one, @Nullable Outage other) {
    return one == null || (other != null && other.until() > one.until()) ? other : one;
  }

  Account awake(int id) {
    Account account = awake[id];
    if (account == null) {
      account = new Account(id, population.channel(id), shared);
      awake[id] = account;
    }
    return account;
  }

  /** The account, if it is awake: one that sleeps has nothing in flight. */
  @Nullable Account ifAwake(int id) {
    return awake[id];
  }

  /** If it has nothing to do, it may sleep as soon as its buckets are full. */
  void rest(Account account) {
    if (account.lanes.isEmpty() && account.outage == null) {
      account.restsSince = events.now();
      resting.get(population.channelIndex(account.id)).add(new Rest(account, events.now()));
    }
  }

  private void letSleep() {
    for (int i = 0; i < resting.size(); i++) {
      long settled = events.now() - population.settled(i);
      Queue<Rest> queue = resting.get(i);
      for (Rest first = queue.peek();
          first != null && first.since <= settled;
          first = queue.peek()) {
        queue.remove();
        Account account = first.account;
        if (account.restsSince == first.since
            && account.lanes.isEmpty()
            && account.outage == null) {
          awake[account.id] = null;
        }
      }
    }
  }

  Cluster clusterOf(Account account) {
    return clusters.get(cluster[account.id]);
  }

  Node nodeOf(Account account) {
    return clusterOf(account).nodes[node[account.id]];
  }

  /** Hand-ins that were refused at first, since the database was down. */
  long refused() {
    return refused;
  }

  private Moment now() {
    if (momentAt != events.now()) {
      momentAt = events.now();
      Duration elapsed = Duration.ofNanos(momentAt * 1000);
      moment = new Moment(elapsed, MIDNIGHT.plus(elapsed));
    }
    return moment;
  }

  private static long micros(Duration duration) {
    return duration.toNanos() / 1000;
  }
}
