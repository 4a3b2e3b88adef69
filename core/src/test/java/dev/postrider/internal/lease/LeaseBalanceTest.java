package dev.postrider.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.store.cluster.Cluster;
import dev.postrider.store.cluster.ClusterSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An even spread, reckoned by each node for itself. */
class LeaseBalanceTest {
  private static final Instant NOW = Instant.parse("2026-01-05T09:00:00Z");
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final Map<String, Set<String>> claims = new TreeMap<>();
  private final Map<String, @Nullable String> owners = new TreeMap<>();
  private final Set<String> dead = new HashSet<>();

  private ClusterSnapshot roll() {
    List<ClusterSnapshot.Node> nodes = new ArrayList<>();
    claims.forEach(
        (name, able) ->
            nodes.add(
                new ClusterSnapshot.Node(
                    name, "", NOW, NOW, !dead.contains(name), able, List.of(), null, null)));
    List<ClusterSnapshot.Holding> holdings = new ArrayList<>();
    owners.forEach(
        (account, owner) ->
            holdings.add(new ClusterSnapshot.Holding(account, owner, 1, NOW, false, 0)));
    return new ClusterSnapshot(NOW, nodes, holdings);
  }

  /** Every node does its part; gives how many accounts changed hands. */
  private int round() {
    ClusterSnapshot snapshot = roll();
    int moved = 0;
    for (String node : claims.keySet()) {
      if (dead.contains(node)) {
        continue;
      }
      LeaseBalance balance = LeaseBalance.of(snapshot, node, PATIENCE);
      for (String account : balance.take()) {
        owners.put(account, node);
        moved++;
      }
      for (String account : balance.give()) {
        if (node.equals(owners.get(account))) {
          owners.put(account, null);
        }
      }
    }
    return moved;
  }

  private Map<String, Integer> loads() {
    Map<String, Integer> loads = new HashMap<>();
    claims.keySet().stream().filter(node -> !dead.contains(node)).forEach(n -> loads.put(n, 0));
    owners.forEach(
        (account, owner) -> {
          if (owner != null && !account.equals(Cluster.HOUSE)) {
            loads.merge(owner, 1, Integer::sum);
          }
        });
    return loads;
  }

  private void nodes(int count, int accounts) {
    Set<String> able = new HashSet<>(Set.of(Cluster.HOUSE));
    for (int i = 0; i < accounts; i++) {
      able.add("account" + i);
    }
    for (int i = 0; i < count; i++) {
      claims.put("node" + i, able);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 7, 10})
  void whatever_the_numbers_the_spread_is_even_after_three_rounds(int count) {
    for (int accounts : List.of(0, 1, 2, 5, 6, 17, 100)) {
      claims.clear();
      owners.clear();
      nodes(count, accounts);
      round();
      round();
      round();

      assertThat(owners).hasSize(accounts + 1);
      assertThat(owners.values()).doesNotContainNull();
      int most = loads().values().stream().mapToInt(load -> load).max().orElse(0);
      int least = loads().values().stream().mapToInt(load -> load).min().orElse(0);
      assertThat(most - least).isLessThanOrEqualTo(1);
      assertThat(round()).as("nothing moves once it is even").isZero();
    }
  }

  @Test
  void a_joining_node_gets_its_share_and_no_more_is_moved_than_that() {
    nodes(2, 12);
    round();
    Map<String, @Nullable String> before = new HashMap<>(owners);
    nodes(3, 12);
    round();
    round();

    long moved =
        owners.entrySet().stream()
            .filter(entry -> !String.valueOf(before.get(entry.getKey())).equals(entry.getValue()))
            .count();
    assertThat(moved).isEqualTo(4);
    assertThat(loads().values()).containsOnly(4);
  }

  @Test
  void what_a_dead_node_held_is_shared_out() {
    nodes(3, 12);
    round();
    dead.add("node1");
    round();

    assertThat(loads()).containsOnly(Map.entry("node0", 6), Map.entry("node2", 6));
  }

  @Test
  void nobody_takes_what_it_cannot_work() {
    claims.put("all", Set.of("a", "b", "c", "d"));
    claims.put("one", Set.of("a"));
    for (int i = 0; i < 4; i++) {
      round();
    }

    assertThat(owners)
        .containsOnly(
            Map.entry("a", "one"),
            Map.entry("b", "all"),
            Map.entry("c", "all"),
            Map.entry("d", "all"));
    assertThat(round()).isZero();
  }

  @Test
  void an_account_that_its_turn_neglects_is_taken_by_whoever_can() {
    nodes(2, 1);
    Instant long_ago = NOW.minus(PATIENCE).minusSeconds(1);
    ClusterSnapshot snapshot =
        new ClusterSnapshot(
            NOW,
            roll().nodes(),
            List.of(new ClusterSnapshot.Holding("account0", null, 1, long_ago, false, 0)));

    assertThat(LeaseBalance.of(snapshot, "node0", PATIENCE).take()).contains("account0");
    assertThat(LeaseBalance.of(snapshot, "node1", PATIENCE).take()).contains("account0");
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void through_any_comings_and_goings_it_settles(long seed) {
    Random random = new Random(seed);
    nodes(5, 23);
    for (int step = 0; step < 50; step++) {
      String node = "node" + random.nextInt(5);
      if (!dead.remove(node) && dead.size() < 4) {
        dead.add(node);
      }
      for (int i = 0; i < 4; i++) {
        round();
      }
      assertThat(owners.values()).noneMatch(owner -> owner == null || dead.contains(owner));
      int most = loads().values().stream().mapToInt(load -> load).max().orElse(0);
      int least = loads().values().stream().mapToInt(load -> load).min().orElse(0);
      assertThat(most - least).as("step " + step).isLessThanOrEqualTo(1);
    }
  }
}
