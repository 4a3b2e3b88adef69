package dev.postrider.channels.irc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.time.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class FloodPaceTest {
  /** A stopwatch that is turned by hand. */
  private static final class Stopwatch implements Scheduler {
    private Duration shows = Duration.ofHours(1);

    @Override
    public Duration elapsed() {
      return shows;
    }

    @Override
    public Instant instant() {
      return Instant.EPOCH;
    }

    @Override
    public Task start(String name, Runnable body) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Timer after(Duration wait, Runnable task) {
      throw new UnsupportedOperationException();
    }

    @Override
    public <T> T await(CompletableFuture<T> future) {
      throw new UnsupportedOperationException();
    }
  }

  private final Stopwatch time = new Stopwatch();
  private final FloodPace pace = new FloodPace(time);

  @Test
  void there_is_no_gap_before_the_first_complaint() {
    for (int i = 0; i < 100; i++) {
      assertThat(pace.take()).isZero();
    }
  }

  @Test
  void each_complaint_doubles_the_gap_up_to_a_minute() {
    pace.warned();
    assertThat(pace.take()).isEqualTo(Duration.ofSeconds(2));
    time.shows = time.shows.plusSeconds(2);
    assertThat(pace.take()).isZero();
    assertThat(pace.take()).as("the next one waits again").isEqualTo(Duration.ofSeconds(2));
    pace.warned();
    assertThat(pace.take()).isEqualTo(Duration.ofSeconds(4));
    for (int i = 0; i < 10; i++) {
      pace.warned();
    }
    assertThat(pace.gap()).isEqualTo(Duration.ofMinutes(1));
  }

  @Test
  void lines_that_go_well_bring_the_pace_back_slowly() {
    pace.warned();
    for (int i = 0; i < 10; i++) {
      pace.taken();
    }
    assertThat(pace.gap()).isEqualTo(Duration.ofMillis(1500));
    for (int i = 0; i < 40; i++) {
      pace.taken();
    }
    assertThat(pace.gap()).isZero();
    assertThat(pace.take()).isZero();
  }
}
