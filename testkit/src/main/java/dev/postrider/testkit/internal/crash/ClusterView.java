package dev.postrider.testkit.internal.crash;

import dev.postrider.config.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * The cluster as one of its nodes shows it.
 *
 * @param alive the nodes that live
 * @param owners who works what, by account
 * @param takeovers the latest ones
 */
record ClusterView(Set<String> alive, Map<String, String> owners, Set<Takeover> takeovers) {

  /** An account that changed hands. */
  record Takeover(Instant at, String account, String from, String to, boolean died, Duration gap) {}

  static ClusterView of(JsonNode json) {
    Set<String> alive = new HashSet<>();
    for (JsonNode node : json.path("nodes")) {
      if (node.path("alive").asBoolean(false)) {
        alive.add(node.path("name").asString(""));
      }
    }
    Map<String, String> owners = new HashMap<>();
    for (JsonNode account : json.path("accounts")) {
      owners.put(account.path("id").asString(""), account.path("node").asString(""));
    }
    Set<Takeover> takeovers = new LinkedHashSet<>();
    for (JsonNode takeover : json.path("takeovers")) {
      takeovers.add(
          new Takeover(
              Instant.parse(takeover.path("at").asString("")),
              takeover.path("account").asString(""),
              takeover.path("from").asString(""),
              takeover.path("to").asString(""),
              takeover.path("died").asBoolean(false),
              Durations.parse(takeover.path("gap").asString(""))));
    }
    return new ClusterView(alive, owners, takeovers);
  }

  Set<String> accountsOf(String node) {
    return owners.entrySet().stream()
        .filter(owned -> owned.getValue().equals(node))
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }

  /** Whether all of these nodes live and share these accounts. */
  boolean isShared(Set<String> nodes, Set<String> accounts) {
    return alive.containsAll(nodes)
        && owners.keySet().containsAll(accounts)
        && nodes.containsAll(owners.values())
        && new HashSet<>(owners.values()).size() == nodes.size();
  }
}
