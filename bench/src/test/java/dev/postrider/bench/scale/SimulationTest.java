package dev.postrider.bench.scale;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class SimulationTest {
  /**
   * An hour with all faults, as much traffic as makes lanes wait, and databases of some breadth.
   */
  private static final Conditions HOUR =
      Conditions.of(
          "accounts=1000",
          "hours=1",
          "messages=4000",
          "answer=5",
          "clusters=4",
          "region-failover=60",
          "lease=30",
          "move=20");

  @Test
  void nothing_is_lost_or_comes_twice_or_out_of_order_whatever_fails() {
    Simulation simulation = new Simulation(HOUR);
    new Faults(simulation).plan();
    simulation.run();

    assertThat(simulation.ledger.handedIn()).isGreaterThan(10_000);
    assertThat(simulation.ledger.repeated()).as("the faults hit something").isPositive();
    assertThat(simulation.refused()).isPositive();
    assertThat(simulation.faults)
        .hasSize(4)
        .allSatisfy(fault -> assertThat(fault.stood.count()).as(fault.name).isPositive());
    assertThat(simulation.ledger.lost()).isZero();
    assertThat(simulation.ledger.twice()).isZero();
    assertThat(simulation.ledger.outOfOrder()).isZero();
  }

  @Test
  void a_cluster_that_fails_over_is_felt_by_its_own_accounts_only() {
    Simulation simulation = new Simulation(HOUR);
    new Faults(simulation).plan();
    simulation.run();

    Fault failover = simulation.faults.get(1);
    assertThat(failover.felt.stream()).allMatch(id -> Placement.cluster(id, 4) == 1);
  }

  @Test
  void an_added_cluster_takes_its_share_and_nothing_else_moves() {
    int moved = 0;
    for (int id = 0; id < 10_000; id++) {
      int before = Placement.cluster(id, 4);
      int after = Placement.cluster(id, 5);
      assertThat(after).isIn(before, 4);
      moved += after == before ? 0 : 1;
    }
    assertThat(moved).isBetween(1_800, 2_200);
  }

  @Test
  void the_same_seed_prints_the_same() {
    assertThat(printed(HOUR)).isEqualTo(printed(HOUR)).isNotEqualTo(printed(HOUR.with("seed=2")));
  }

  @Test
  void the_ledger_sees_what_is_lost_twice_and_out_of_order() {
    Ledger ledger = new Ledger(1);
    for (int i = 0; i < 5; i++) {
      ledger.handIn(0);
    }
    ledger.arrive(0, 1, false);
    ledger.arrive(0, 1, false);
    ledger.arrive(0, 1, true);
    ledger.arrive(0, 3, false);

    assertThat(ledger.twice()).isEqualTo(1);
    assertThat(ledger.repeated()).isEqualTo(1);
    assertThat(ledger.outOfOrder()).isEqualTo(1);
    assertThat(ledger.lost()).isEqualTo(2);
  }

  @Test
  void a_wrong_condition_is_refused_with_the_remedy() {
    assertThatThrownBy(() -> Conditions.of("acounts=1"))
        .hasMessageContaining("'acounts=1'")
        .hasMessageContaining("accounts, messages");
    assertThatThrownBy(() -> Conditions.of("nodes=0"))
        .hasMessage("nodes: '0' is no number from 1 to 100");
  }

  private static String printed(Conditions conditions) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    new Scale(new PrintStream(bytes, true, StandardCharsets.UTF_8)).print(conditions);
    return bytes.toString(StandardCharsets.UTF_8);
  }
}
