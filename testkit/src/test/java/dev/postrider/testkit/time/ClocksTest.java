package dev.postrider.testkit.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.time.Scheduler;
import dev.postrider.time.SharedClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Timers and a clock that is set: what waits for an instant, and what waits for so long. */
class ClocksTest {
  private static final Duration HOUR = Duration.ofHours(1);

  /** Virtual time itself, and the same through each of the schedulers that build on it. */
  record Clock(String name, VirtualTime world, Scheduler time) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Clock> clocks() {
    VirtualTime plain = VirtualTime.inOrder();
    VirtualTime node = VirtualTime.inOrder();
    VirtualTime shared = VirtualTime.inOrder();
    return Stream.of(
        new Clock("virtual", plain, plain),
        new Clock("node", node, new NodeTime(node)),
        new Clock("shared", shared, new SharedClock(shared, () -> zero(shared).plusSeconds(7))));
  }

  private final List<String> rung = new ArrayList<>();

  @ParameterizedTest
  @MethodSource("clocks")
  void a_timer_for_an_instant_notices_that_the_clock_was_set_forward(Clock clock) {
    clock.time.at(clock.time.instant().plus(HOUR), () -> rung.add("instant"));
    clock.time.after(HOUR, () -> rung.add("duration"));

    clock.world.jump(Duration.ofHours(8));
    clock.world.advance(Scheduler.CLOCK_READ_EVERY);

    assertThat(rung).containsExactly("instant");
  }

  @ParameterizedTest
  @MethodSource("clocks")
  void a_timer_for_an_instant_waits_for_it_when_the_clock_was_set_back(Clock clock) {
    Instant due = clock.time.instant().plus(HOUR);
    List<Instant> at = new ArrayList<>();
    clock.time.at(due, () -> at.add(clock.time.instant()));
    clock.time.after(HOUR, () -> rung.add("duration"));

    clock.world.jump(HOUR.negated());
    clock.world.advance(HOUR);

    assertThat(rung).containsExactly("duration");
    assertThat(at).isEmpty();
    clock.world.advance(HOUR);
    assertThat(at).containsExactly(due);
  }

  @ParameterizedTest
  @MethodSource("clocks")
  void a_pause_takes_as_long_as_it_takes(Clock clock) {
    clock.time.start(
        "pausing",
        () -> {
          clock.time.pause(HOUR);
          rung.add("over");
        });
    clock.world.settle();

    clock.world.jump(HOUR.negated());
    clock.world.advance(HOUR.minusSeconds(1));
    assertThat(rung).isEmpty();
    clock.world.advance(Duration.ofSeconds(1));

    assertThat(rung).containsExactly("over");
  }

  @ParameterizedTest
  @MethodSource("clocks")
  void a_cancelled_timer_does_not_ring_after_the_clock_was_set(Clock clock) {
    Scheduler.Timer timer = clock.time.at(clock.time.instant().plus(HOUR), () -> rung.add("rung"));
    clock.world.advance(Duration.ofMinutes(1));
    clock.world.jump(Duration.ofHours(8));

    timer.cancel();
    clock.world.advance(HOUR);

    assertThat(rung).isEmpty();
  }

  /** What the clock shows when the stopwatch shows zero. */
  private static Instant zero(VirtualTime world) {
    return world.instant().minus(world.elapsed());
  }

  @Test
  void a_shared_clock_that_is_measured_anew_moves_what_waits_for_it() {
    VirtualTime world = VirtualTime.inOrder();
    AtomicReference<Instant> zero = new AtomicReference<>(zero(world));
    Scheduler time = new SharedClock(world, zero::get);
    time.at(time.instant().plus(HOUR), () -> rung.add("rung"));
    zero.set(zero.get().plus(HOUR)); // so the next answer of the store says

    world.advance(Scheduler.CLOCK_READ_EVERY);

    assertThat(rung).containsExactly("rung");
  }

  @Test
  void a_shared_clock_does_not_notice_that_the_nodes_own_is_set() {
    VirtualTime world = VirtualTime.inOrder();
    Instant zero = zero(world);
    Scheduler time = new SharedClock(world, () -> zero);
    Instant before = time.instant();
    time.at(before.plus(HOUR), () -> rung.add("rung"));

    world.jump(HOUR.multipliedBy(8).negated());
    assertThat(time.instant()).isEqualTo(before);
    world.advance(HOUR.plus(Scheduler.CLOCK_READ_EVERY));

    assertThat(rung).containsExactly("rung");
  }
}
