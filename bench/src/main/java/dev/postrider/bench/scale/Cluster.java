package dev.postrider.bench.scale;

import org.jspecify.annotations.Nullable;

/** A database and the nodes on it: each takes so many messages a second, one after the other. */
final class Cluster {
  final int region;
  final Node[] nodes;
  Fault.@Nullable Outage outage;
  private final long cost; // microseconds of a message
  private final long commit;
  private long freeAt;
  private long second;
  private int inSecond;
  private int busiest;

  static final class Node {
    private final long cost;
    private long freeAt;
    Fault.@Nullable Outage outage;

    Node(long cost) {
      this.cost = cost;
    }
  }

  Cluster(int region, Conditions conditions) {
    this.region = region;
    this.cost = cost(conditions.real("cluster-rate"));
    this.commit = conditions.micros("commit");
    this.nodes = new Node[conditions.whole("nodes")];
    for (int i = 0; i < nodes.length; i++) {
      nodes[i] = new Node(cost(conditions.real("node-rate")));
    }
  }

  private static long cost(double rate) {
    return Math.max(1, Math.round(Conditions.SECOND / rate));
  }

  /** When a message that is reserved now leaves: database and node work at the same time. */
  long leaves(long now, Node node) {
    count(now);
    freeAt = Math.max(freeAt, now) + cost;
    node.freeAt = Math.max(node.freeAt, now) + node.cost;
    return Math.max(freeAt, node.freeAt) - cost + commit; // the idle time has one cost in it
  }

  private void count(long now) {
    if (now / Conditions.SECOND != second) {
      second = now / Conditions.SECOND;
      inSecond = 0;
    }
    busiest = Math.max(busiest, ++inSecond);
  }

  /** Messages in the busiest second. */
  int busiest() {
    return busiest;
  }

  boolean isDown(long now) {
    return outage != null && outage.until() > now;
  }
}
