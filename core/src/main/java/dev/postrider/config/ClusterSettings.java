package dev.postrider.config;

import java.time.Duration;

/**
 * How this process takes part where several share a store; without meaning on a store of its own.
 *
 * @param node its name, unlike any other's that shares the store; a process that starts again under
 *     the same name takes its accounts up at once
 * @param address where people find it, for them to read; may be empty
 * @param heartbeat how often it gives a sign of life
 * @param lease how long it may be silent before others take over
 */
public record ClusterSettings(String node, String address, Duration heartbeat, Duration lease) {
  public static final Duration HEARTBEAT = Duration.ofMillis(2_500);
  public static final Duration LEASE = Duration.ofSeconds(10);

  public ClusterSettings {
    if (node.isBlank()) {
      throw new IllegalArgumentException("the node needs a name");
    }
    if (!heartbeat.isPositive() || heartbeat.multipliedBy(3).compareTo(lease) > 0) {
      throw new IllegalArgumentException(
          "a lease must last three heartbeats at least, so that one lost sign of life is no death");
    }
  }

  /** The default settings under this name. */
  public static ClusterSettings of(String node) {
    return new ClusterSettings(node, "", HEARTBEAT, LEASE);
  }

  /** The same, with where people find it. */
  public ClusterSettings at(String newAddress) {
    return new ClusterSettings(node, newAddress, heartbeat, lease);
  }

  /** A name nobody else has: this process's. */
  public static ClusterSettings ofThisProcess() {
    return of(
        "process-" + ProcessHandle.current().pid() + "-" + Long.toHexString(System.nanoTime()));
  }
}
