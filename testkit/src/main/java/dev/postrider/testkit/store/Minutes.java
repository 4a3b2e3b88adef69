package dev.postrider.testkit.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.store.history.QueueMinute;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How the queues went, minute by minute, over all nodes. */
abstract class Minutes extends InboundStoreBehaviour {
  private static final QueueMinute.Flow NOTHING = new QueueMinute.Flow(0, 0, 0, 0, 0, 0, 0);

  Minutes(StoreContract contract) {
    super(contract);
  }

  private static QueueMinute minute(int n, QueueMinute.Flow in, QueueMinute.Flow out) {
    return new QueueMinute(at(60L * n), in, out);
  }

  private static QueueMinute minute(int n) {
    return minute(
        n, new QueueMinute.Flow(n, 2, 3, 4, 5, 6, 7), new QueueMinute.Flow(7, 8, 9, 10, 11, 12, n));
  }

  private void save(String node, QueueMinute minute, boolean depths) {
    done(desk().save(node, minute, depths));
  }

  private List<QueueMinute> all() {
    return desk().minutes(Instant.EPOCH, 1_000);
  }

  @Test
  void a_minute_comes_back() {
    assertThat(all()).isEmpty();

    save("node", minute(1), true);

    assertThat(all()).containsExactly(minute(1));
    reopen();
    assertThat(all()).containsExactly(minute(1));
  }

  @Test
  void what_happened_is_the_sum_over_nodes_and_depths_are_those_of_the_one_who_knows() {
    save("one", minute(1, flow(5, 6, 7, 1), flow(8, 9, 10, 2)), true);
    save("two", minute(1, flow(50, 60, 70, 10), flow(80, 90, 100, 20)), false);
    save("three", minute(1, flow(0, 0, 0, 100), flow(0, 0, 0, 200)), false);

    assertThat(all()).containsExactly(minute(1, flow(5, 6, 7, 111), flow(8, 9, 10, 222)));
  }

  private static QueueMinute.Flow flow(long waiting, long underWay, long dead, long happened) {
    return new QueueMinute.Flow(
        waiting, underWay, dead, happened, happened * 2, happened * 3, happened * 4);
  }

  @Test
  void what_a_node_tells_twice_of_a_minute_adds_up_and_depths_are_the_last() {
    save("node", minute(1, flow(5, 6, 7, 1), flow(1, 1, 1, 10)), true);
    save("node", minute(1, flow(3, 2, 1, 2), flow(2, 2, 2, 20)), true);
    assertThat(all()).containsExactly(minute(1, flow(3, 2, 1, 3), flow(2, 2, 2, 30)));

    save("node", minute(1, flow(9, 9, 9, 4), flow(9, 9, 9, 40)), false);

    assertThat(all()).containsExactly(minute(1, flow(3, 2, 1, 7), flow(2, 2, 2, 70)));
  }

  @Test
  void without_anybody_who_knows_the_depths_they_are_nought() {
    save("node", minute(1, flow(5, 6, 7, 1), flow(5, 6, 7, 1)), false);

    assertThat(all()).containsExactly(minute(1, flow(0, 0, 0, 1), flow(0, 0, 0, 1)));
  }

  @Test
  void minutes_are_told_from_then_on_the_oldest_first() {
    for (int n : List.of(3, 1, 5, 2, 4)) {
      save("one", minute(n), true);
      save("two", minute(n, NOTHING, NOTHING), false);
    }

    assertThat(desk().minutes(at(120), 100))
        .containsExactly(minute(2), minute(3), minute(4), minute(5));
    assertThat(desk().minutes(at(121), 2)).containsExactly(minute(3), minute(4));
    assertThat(desk().minutes(at(301), 2)).isEmpty();
  }

  @Test
  void minutes_are_forgotten_the_oldest_first_within_the_limit() {
    List<QueueMinute> kept = new ArrayList<>();
    for (int n = 1; n <= 6; n++) {
      save("node", minute(n), true);
      if (n >= 4) {
        kept.add(minute(n));
      }
    }

    assertThat(done(desk().pruneMinutes(at(240), 2))).isEqualTo(2);
    assertThat(all().getFirst()).isEqualTo(minute(3));
    assertThat(done(desk().pruneMinutes(at(240), 2))).isEqualTo(1);
    assertThat(done(desk().pruneMinutes(at(240), 2))).isZero();
    assertThat(all()).isEqualTo(kept);
  }
}
