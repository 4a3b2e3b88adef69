package dev.postrider.testkit.time;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.time.Scheduler;
import dev.postrider.time.Supervisor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Work that must go on whatever is thrown. */
class SupervisorTest {
  private final VirtualTime time = VirtualTime.inOrder();
  private final Supervisor supervisor =
      new Supervisor(time, e -> e instanceof IllegalStateException);
  private final List<String> done = new ArrayList<>();

  @Test
  void work_that_throws_begins_again_a_second_later() {
    supervisor.start("work", failingTwice(StackOverflowError::new));

    time.advance(Duration.ofSeconds(2));

    assertThat(done).containsExactly("try", "try", "try", "done");
  }

  @Test
  void work_at_a_time_begins_again_too() {
    supervisor.at(time.instant().plusSeconds(60), "work", failingTwice(OutOfMemoryError::new));
    supervisor.after(Duration.ofSeconds(60), "work", failingTwice(LinkageError::new));

    time.advance(Duration.ofSeconds(62));

    assertThat(done).filteredOn("done"::equals).hasSize(2);
  }

  private Runnable failingTwice(Supplier<Error> failure) {
    int[] tries = {0};
    return () -> {
      done.add("try");
      if (++tries[0] <= 2) {
        throw failure.get();
      }
      done.add("done");
    };
  }

  @Test
  void a_round_that_throws_does_not_end_the_rounds() {
    supervisor.every(
        Duration.ofSeconds(10),
        "rounds",
        () -> {
          done.add("round");
          if (done.size() == 2) {
            throw new UnsupportedOperationException("a bad day");
          }
        });

    time.advance(Duration.ofSeconds(31));

    assertThat(done).hasSize(3);
  }

  @Test
  void what_says_that_everything_ends_ends_it() {
    supervisor.every(
        Duration.ofSeconds(1),
        "rounds",
        () -> {
          done.add("round");
          throw new IllegalStateException("closed");
        });

    time.advance(Duration.ofSeconds(10));

    assertThat(done).hasSize(1);
  }

  @Test
  void an_interrupt_ends_it_while_it_works_and_while_it_waits() {
    Scheduler.Task working =
        supervisor.every(Duration.ofSeconds(1), "rounds", () -> done.add("round"));
    Scheduler.Task failing =
        supervisor.start(
            "failing",
            () -> {
              done.add("try");
              throw new UnsupportedOperationException("always");
            });
    time.advance(Duration.ofMillis(1500));
    working.interrupt();
    failing.interrupt();

    time.advance(Duration.ofSeconds(10));

    assertThat(done).containsExactlyInAnyOrder("round", "try", "try");
  }
}
