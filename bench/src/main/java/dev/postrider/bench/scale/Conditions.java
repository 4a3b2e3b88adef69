package dev.postrider.bench.scale;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** What a simulation takes for given. All of it is printed beside its results. */
final class Conditions {
  static final long SECOND = 1_000_000; // times are microseconds since midnight

  private final Map<String, Double> values = new LinkedHashMap<>();

  private Conditions() {
    values.put("seed", 1.0);
    values.put("hours", 24.0);
    values.put("accounts", 1_000_000.0);
    values.put("messages", 50.0); // a day, mean of all accounts
    values.put("skew", 0.8); // Zipf's exponent
    values.put("fanout", 0.25); // share of messages that go to all chats of their account at once
    values.put("peak", 1.9); // times the mean, at 15:00
    values.put("answer", 0.1); // seconds until a platform answers
    values.put("cluster-rate", 14_243.0); // messages/s: docs/performance.md, handed in at either
    values.put("node-rate", 12_224.0); // messages/s: docs/performance.md, one node, 100 chats
    values.put("commit", 0.00178); // seconds from hand-in to request: docs/performance.md, idle
    values.put("load", 0.5); // of the cluster's rate, planned for the busiest second
    values.put("cluster-accounts", 100_000.0); // at most; chosen
    values.put("clusters", 0.0); // 0: as many as are needed
    values.put("nodes", 3.0); // of each cluster
    values.put("regions", 3.0);
    values.put("lease", 10.0); // seconds: cluster.lease
    values.put("heartbeat", 2.5); // seconds: cluster.heartbeat
    values.put("failover", 30.0); // seconds until a standby has taken over
    values.put("region-failover", 300.0); // seconds until another region has taken over
    values.put("move", 2.0); // seconds an account stands still when it moves
    values.put("moves", 50.0); // accounts moved in a second
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
      if (parts.length < 2 || !values.containsKey(parts[0])) {
        throw new IllegalArgumentException(
            "'%s' is no condition; write name=number, with one of: %s"
                .formatted(change, String.join(", ", values.keySet())));
      }
      changed.values.put(parts[0], number(parts[0], parts[1]));
    }
    return changed;
  }

  private static double number(String name, String text) {
    double number;
    try {
      number = Double.parseDouble(text);
    } catch (NumberFormatException e) {
      number = -1;
    }
    if (!(number >= 0 && number <= 1e9)) {
      throw new IllegalArgumentException("%s: '%s' is no number from 0 on".formatted(name, text));
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
