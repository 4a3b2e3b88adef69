package dev.postrider.bench.peers;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import tools.jackson.databind.json.JsonMapper;

/** What every round of one system gave, by figure. */
final class Results {
  static final JsonMapper MAPPER = JsonMapper.builder().build();

  private final Map<String, List<Double>> rounds = new TreeMap<>();

  void add(String figure, double value) {
    rounds.computeIfAbsent(figure, _ -> new ArrayList<>()).add(value);
  }

  boolean has(String figure) {
    return rounds.containsKey(figure);
  }

  double median(String figure) {
    List<Double> sorted =
        rounds.getOrDefault(figure, List.of(Double.NaN)).stream().sorted().toList();
    return sorted.get(sorted.size() / 2);
  }

  double lowest(String figure) {
    return rounds.getOrDefault(figure, List.of()).stream().min(Double::compare).orElse(Double.NaN);
  }

  double highest(String figure) {
    return rounds.getOrDefault(figure, List.of()).stream().max(Double::compare).orElse(Double.NaN);
  }

  /** Of all rounds together, for what should never happen. */
  double sum(String figure) {
    return rounds.getOrDefault(figure, List.of()).stream().mapToDouble(value -> value).sum();
  }

  /** What the last round gave. */
  Map<String, Double> last() {
    Map<String, Double> last = new TreeMap<>();
    rounds.forEach((figure, values) -> last.put(figure, values.getLast()));
    return last;
  }

  Map<String, List<Double>> all() {
    return rounds;
  }
}
