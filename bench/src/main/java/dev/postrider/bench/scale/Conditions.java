package dev.postrider.bench.scale;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** What a simulation takes for given. All of it is printed beside its results. */
final class Conditions {
  static final long SECOND = 1_000_000; // times are microseconds since midnight

  private final Map<String, Double> values = new LinkedHashMap<>();
  private final Map<String, Range> ranges = new HashMap<>();

  private record Range(double least, double most) {}

  private Conditions() {
    put("seed", 1, 0, 1e9);
    put("hours", 24, 1, 24);
    put("accounts", 1_000_000, 1, 1e7);
    put("messages", 20, 1, 1e6); // a day, mean of all accounts
    put("skew", 0.8, 0, 2); // Zipf's exponent
    put("fanout", 0.25, 0, 0.99); // share of messages that go to all chats of their account at once
    put("more", 0.5, 0, 0.9); // chance that a reply has another message
    put("peak", 1.9, 1, 2); // times the mean, at 15:00
    put("answer", 0.1, 0, 60); // seconds until a platform answers
    put("cluster-rate", 14_243, 1, 1e6); // messages/s: docs/performance.md, handed in at either
    put("node-rate", 12_224, 1, 1e6); // messages/s: docs/performance.md, one node, 100 chats
    put("commit", 0.00178, 0, 1); // seconds from hand-in to request: docs/performance.md, idle
    put("load", 0.5, 0.01, 1); // of the cluster's rate, planned for the busiest second
    put("cluster-accounts", 100_000, 1000, 1e9); // at most; chosen
    put("clusters", 0, 0, 100); // 0: as many as are needed
    put("nodes", 3, 1, 100); // of each cluster
    put("regions", 3, 1, 100);
    put("lease", 10, 0, 3600); // seconds: cluster.lease
    put("heartbeat", 2.5, 0, 3600); // seconds: cluster.heartbeat
    put("failover", 30, 0, 3600); // seconds until a standby has taken over
    put("region-failover", 300, 0, 3600); // seconds until another region has taken over
    put("move", 2, 0, 3600); // seconds an account stands still when it moves
    put("moves", 50, 0.1, 1e6); // accounts moved in a second
  }

  private void put(String name, double value, double least, double most) {
    values.put(name, value);
    ranges.put(name, new Range(least, most));
  }

  /** The usual ones, except for these: {@code accounts=1000}. */
  static Conditions of(String... changes) {
    return new Conditions().with(changes);
  }

  Conditions with(String... changes) {
    Conditions changed = new Conditions();
    changed.values.putAll(values);
    for (String change : changes) {
      String[] parts = change.split("=", 2);
      Range range = ranges.get(parts[0]);
      if (parts.length < 2 || range == null) {
        throw new IllegalArgumentException(
            "'%s' is no condition; write name=number, with one of: %s"
                .formatted(change, String.join(", ", values.keySet())));
      }
      changed.values.put(parts[0], number(parts[0], parts[1], range));
    }
    return changed;
  }

  private static double number(String name, String text, Range range) {
    double number;
    try {
      number = Double.parseDouble(text);
    } catch (NumberFormatException e) {
      number = Double.NaN;
    }
    if (!(number >= range.least && number <= range.most)) {
      throw new IllegalArgumentException(
          "%s: '%s' is no number from %s to %s"
              .formatted(name, text, plain(range.least), plain(range.most)));
    }
    return number;
  }

  double real(String name) {
    Double value = values.get(name);
    if (value == null) {
      throw new IllegalArgumentException(name);
    }
    return value;
  }

  int whole(String name) {
    return (int) real(name);
  }

  /** A condition in seconds, in microseconds. */
  long micros(String name) {
    return (long) (real(name) * SECOND);
  }

  long length() {
    return (long) (real("hours") * 3600 * SECOND);
  }

  /** As many clusters as the accounts and the busiest second of the mean day need. */
  int clusters() {
    return whole("clusters") > 0 ? whole("clusters") : Math.max(forAccounts(), forRate(peakRate()));
  }

  int forAccounts() {
    return (int) Math.ceil(real("accounts") / real("cluster-accounts"));
  }

  int forRate(double messagesPerSecond) {
    return (int) Math.max(1, Math.ceil(messagesPerSecond / real("cluster-rate") / real("load")));
  }

  double peakRate() {
    return real("accounts") * real("messages") * real("peak") / 86_400;
  }

  @Override
  public String toString() {
    return values.entrySet().stream()
        .map(it -> it.getKey() + "=" + plain(it.getValue()))
        .collect(Collectors.joining(" "));
  }

  private static String plain(double number) {
    return number == (long) number ? Long.toString((long) number) : Double.toString(number);
  }
}
