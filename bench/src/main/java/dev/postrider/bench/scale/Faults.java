package dev.postrider.bench.scale;

import dev.postrider.bench.scale.Cluster.Node;
import dev.postrider.bench.scale.Fault.Outage;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** What goes wrong, or is changed, in the course of the day. */
final class Faults {
  private static final long AGAIN = Conditions.SECOND / 10;

  private final Simulation simulation;
  private final Conditions conditions;
  private final Events events;

  Faults(Simulation simulation) {
    this.simulation = simulation;
    this.conditions = simulation.conditions;
    this.events = simulation.events;
  }

  /** At 9:00, 11:00, 13:00 and 18:00 of a whole day. */
  void plan() {
    at(9, "a node dies", this::nodeDies);
    at(11, "a cluster fails over", this::clusterFailsOver);
    at(13, "a cluster is added", this::clusterIsAdded);
    at(18, "a region is lost", this::regionIsLost);
  }

  private interface Happening {
    void to(Fault fault);
  }

  private void at(int hour, String name, Happening happening) {
    Fault fault = new Fault(name);
    simulation.faults.add(fault);
    events.at(conditions.length() / 24 * hour, () -> happening.to(fault));
  }

  /** Its accounts stand still until its lease is over and the others have seen it. */
  private void nodeDies(Fault fault) {
    Node dead = simulation.clusters.getFirst().nodes[0];
    long seen = (long) (conditions.micros("heartbeat") * simulation.random.nextDouble());
    Outage outage = new Outage(fault, events.now() + conditions.micros("lease") + seen);
    dead.outage = outage;
    int[] accounts = accounts(id -> simulation.cluster[id] == 0 && simulation.node[id] == 0);
    events.at(outage.until(), () -> shareOut(accounts));
    fault.touched = accounts.length;
    interrupt(accounts);
  }

  /** Evenly among the others. If there are none, it has come back. */
  private void shareOut(int[] accounts) {
    int others = conditions.whole("nodes") - 1;
    for (int i = 0; i < accounts.length && others > 0; i++) {
      simulation.node[accounts[i]] = (short) (1 + i % others);
    }
  }

  /** Its nodes live: they keep the answers that come, and begin nothing. */
  private void clusterFailsOver(Fault fault) {
    int index = 1 % simulation.clusters.size();
    long until = events.now() + conditions.micros("failover");
    simulation.clusters.get(index).outage = new Outage(fault, until);
    fault.touched = accounts(id -> simulation.cluster[id] == index).length;
  }

  /** The accounts that belong there now move one after the other. */
  private void clusterIsAdded(Fault fault) {
    int added = simulation.clusters.size();
    simulation.clusters.add(new Cluster(added % conditions.whole("regions"), conditions));
    int[] accounts = accounts(id -> Placement.cluster(id, added + 1) == added);
    fault.touched = accounts.length;
    for (int i = 0; i < accounts.length; i++) {
      int id = accounts[i];
      long at = events.now() + (long) (i * Conditions.SECOND / conditions.real("moves"));
      events.at(at, () -> move(simulation.awake(id), added, fault));
    }
  }

  /** Nothing new is begun while its rows are copied. */
  private void move(Account account, int to, Fault fault) {
    long until = events.now() + conditions.micros("move");
    account.outage = new Outage(fault, until);
    events.at(until, () -> arrive(account, to, fault));
  }

  /** Only if nothing is under way any more, and both databases are there. */
  private void arrive(Account account, int to, Fault fault) {
    if (account.inFlight > 0
        || simulation.clusterOf(account).isDown(events.now())
        || simulation.clusters.get(to).isDown(events.now())) {
      account.outage = new Outage(fault, events.now() + AGAIN);
      events.at(events.now() + AGAIN, () -> arrive(account, to, fault));
      return;
    }
    account.outage = null;
    simulation.cluster[account.id] = (short) to;
    simulation.pump(account);
    simulation.rest(account);
  }

  /** Databases and nodes: another region takes over with all that was recorded. */
  private void regionIsLost(Fault fault) {
    int region = simulation.clusters.get(2 % simulation.clusters.size()).region;
    Outage outage = new Outage(fault, events.now() + conditions.micros("region-failover"));
    List<Cluster> lost = new ArrayList<>(simulation.clusters);
    lost.removeIf(cluster -> cluster.region != region);
    lost.forEach(cluster -> cluster.outage = outage);
    int[] accounts =
        accounts(id -> simulation.clusters.get(simulation.cluster[id]).region == region);
    fault.touched = accounts.length;
    interrupt(accounts);
  }

  /** What they had under way nobody records. */
  private void interrupt(int[] accounts) {
    for (int id : accounts) {
      Account account = simulation.ifAwake(id);
      if (account != null) {
        account.interrupt(events.now());
        simulation.pump(account);
      }
    }
  }

  private int[] accounts(IntPredicate which) {
    return IntStream.range(0, simulation.population.accounts).filter(which).toArray();
  }
}
