package dev.postrider.channels.sandbox;

import dev.postrider.channels.Settings;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Failures by chance, repeatable with a seed. Thread-safe. */
final class RandomFaults {
  /** What can go wrong; the names are those of the settings. */
  enum Kind {
    notSent,
    unknown,
    throttled,
    rejected,
    broken
  }

  private static final List<String> KINDS =
      List.of(Kind.values()).stream().map(Kind::name).toList();

  private final Map<Kind, Double> shares;
  private final Random random;

  private RandomFaults(Map<Kind, Double> shares, Random random) {
    this.shares = shares;
    this.random = random;
  }

  static RandomFaults of(Settings settings) {
    Settings group = settings.group("faults", KINDS);
    Map<Kind, Double> shares = new LinkedHashMap<>();
    double sum = 0;
    for (Kind kind : Kind.values()) {
      Double share = group.number(kind.name());
      if (share == null) {
        continue;
      }
      if (!(share >= 0 && share <= 1)) {
        throw group.wrong(kind.name(), "is not a share from 0 to 1");
      }
      shares.put(kind, share);
      sum += share;
    }
    if (sum > 1) {
      throw settings.wrong("faults", "add up to more than 1");
    }
    Double seed = settings.number("seed");
    return new RandomFaults(shares, seed == null ? new Random() : new Random(seed.longValue()));
  }

  /** What befalls the next part, or null. */
  @Nullable Kind next() {
    if (shares.isEmpty()) {
      return null;
    }
    double left = random.nextDouble();
    for (Map.Entry<Kind, Double> share : shares.entrySet()) {
      left -= share.getValue();
      if (left < 0) {
        return share.getKey();
      }
    }
    return null;
  }

  boolean coin() {
    return random.nextBoolean();
  }
}
