package dev.postrider.internal.pace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.config.Pace;
import dev.postrider.store.message.Budget;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What an account has spent, and what of it is to be stored. */
class PacerTest {
  private static final Moment NOW =
      new Moment(Duration.ofHours(1), Instant.parse("2026-03-01T12:00:00Z"));
  private static final Moment LATER =
      new Moment(NOW.elapsed().plusSeconds(3), NOW.clock().plusSeconds(3));

  private static Pacer pacer(Pace chats) {
    return new Pacer(
        "bot", new Pacer.ChannelMeter("fake", Pace.UNLIMITED), Pace.UNLIMITED, _ -> chats);
  }

  @Test
  void messages_to_a_chat_without_limits_leave_nothing_to_store() {
    Pacer pacer = pacer(Pace.UNLIMITED);

    for (int n = 0; n < 3; n++) {
      assertThat(pacer.take("ann", NOW)).isEmpty();
      assertThat(pacer.takeAtWire("ann", LATER)).isTrue();
      assertThat(pacer.leftLate("ann", LATER)).isEmpty();
      pacer.turnedAwayAtWire("ann");
    }
  }

  @Test
  void a_request_that_left_late_is_stored_with_its_chat() {
    Pacer pacer = pacer(new Pace(Map.of(Duration.ofSeconds(1), 1), 1));

    pacer.take("ann", NOW);
    pacer.takeAtWire("ann", LATER);

    assertThat(pacer.leftLate("ann", LATER))
        .extracting(Budget::scope)
        .containsExactly("chat:bot/ann");
  }
}
