package dev.postrider.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.event.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class EventRingTest {
  private final EventRing ring = new EventRing(4, "now");

  @Test
  void a_newcomer_gets_what_is_new() throws InterruptedException {
    publish(2);
    EventRing.Position position = ring.position(null);
    publish(1);

    EventRing.Next next = ring.after(position.after(), 10, Duration.ZERO);
    assertThat(next.events()).hasSize(1);
    assertThat(next.last()).isEqualTo(3);
  }

  @Test
  void one_who_comes_back_in_time_misses_nothing() throws InterruptedException {
    publish(3);
    EventRing.Position position = ring.position(ring.id(1));
    assertThat(position.gap()).isNull();
    assertThat(ring.after(position.after(), 10, Duration.ZERO).events()).hasSize(2);
  }

  @Test
  void one_who_comes_back_late_or_with_a_strange_id_is_told_so() {
    publish(10);

    assertThat(ring.position(ring.id(5)).gap()).isEqualTo("too-old");
    assertThat(ring.position(ring.id(6)).gap()).isNull();
    assertThat(ring.position("before-3").gap()).isEqualTo("restarted");
    assertThat(ring.position("nonsense").gap()).isEqualTo("restarted");
    assertThat(ring.position("now-x").gap()).isEqualTo("unknown-id");
    assertThat(ring.position("now-99").gap()).isEqualTo("unknown-id");
  }

  @Test
  void one_who_falls_behind_by_a_whole_ring_is_dropped() throws InterruptedException {
    EventRing.Position position = ring.position(null);
    publish(4);
    assertThat(ring.after(position.after(), 10, Duration.ZERO).over()).isFalse();
    publish(1);
    assertThat(ring.after(position.after(), 10, Duration.ZERO).over()).isTrue();
  }

  @Test
  void one_who_waits_is_woken_by_an_event_and_by_the_end() throws Exception {
    for (boolean end : new boolean[] {false, true}) {
      long at = ring.position(null).after();
      CompletableFuture<EventRing.Next> next = new CompletableFuture<>();
      Thread.startVirtualThread(
          () -> {
            try {
              next.complete(ring.after(at, 10, Duration.ofMinutes(5)));
            } catch (InterruptedException e) {
              next.completeExceptionally(e);
            }
          });
      while (ring.waiting() == 0) {
        Thread.onSpinWait();
      }
      if (end) {
        ring.close();
      } else {
        publish(1);
      }
      assertThat(next.get().over()).isEqualTo(end);
    }
  }

  private void publish(int count) {
    for (int i = 0; i < count; i++) {
      ring.on(new Event.AccountReady(Instant.EPOCH, "a"));
    }
  }
}
