package dev.postrider.testkit.internal.crash;

import dev.postrider.testkit.platform.FakeTelegram.Delivery;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What became of messages whose store has gone back to what it was a while ago, after everything
 * was held that it called waiting: some are lost, some were held, and the others stayed.
 *
 * @param stayed those that are as if nothing had been
 * @param seenOfThem what the platform saw of those
 */
record GoneBack(
    Map<Load.Lane, List<Load.Sent>> stayed, List<Delivery> seenOfThem, List<String> violations) {

  /**
   * @param held ids of those that were held, and discarded
   */
  static GoneBack of(
      Api api, Set<String> held, Map<Load.Lane, List<Load.Sent>> acknowledged, List<Delivery> seen)
      throws IOException {
    Map<Load.Lane, List<Load.Sent>> stayed = new LinkedHashMap<>();
    Set<String> others = new HashSet<>(); // parts of messages that did not stay
    int lost = 0;
    for (Map.Entry<Load.Lane, List<Load.Sent>> lane : acknowledged.entrySet()) {
      List<Load.Sent> left = new ArrayList<>();
      for (Load.Sent sent : lane.getValue()) {
        boolean known = api.message(sent.id()).has("parts");
        lost += known || held.contains(sent.id()) ? 0 : 1;
        if (!known) {
          others.addAll(sent.parts());
        } else {
          left.add(sent);
        }
      }
      stayed.put(lane.getKey(), left);
    }
    List<String> violations = repeats(others, seen);
    if (lost == 0) {
      violations.add("nothing was lost: this shows nothing");
    }
    List<Delivery> rest =
        seen.stream().filter(delivery -> !others.contains(delivery.text().strip())).toList();
    return new GoneBack(stayed, rest, violations);
  }

  private static List<String> repeats(Set<String> parts, List<Delivery> seen) {
    Map<String, Integer> copies = new HashMap<>();
    seen.forEach(delivery -> copies.merge(delivery.text().strip(), 1, Integer::sum));
    List<String> repeats = new ArrayList<>();
    copies.forEach(
        (text, count) -> {
          if (count > 1 && parts.contains(text)) {
            repeats.add("sent again after it was held: " + text);
          }
        });
    return repeats;
  }
}
