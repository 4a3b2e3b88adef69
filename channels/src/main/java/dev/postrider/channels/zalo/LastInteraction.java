package dev.postrider.channels.zalo;

import dev.postrider.channel.Remembered;
import dev.postrider.inbound.InboundMessage;
import java.time.Duration;
import java.util.List;

/**
 * When a person last wrote to an Official Account, or followed it: for 48 hours from then on
 * messages are free, for seven days they are possible. It is remembered to explain a refusal, not
 * to refuse by ourselves: a webhook may have been missed, other things count too, and Zalo knows
 * better.
 */
final class LastInteraction {
  static final String KEY = "lastInteraction";

  private static final Duration KEPT = Duration.ofDays(90);

  private LastInteraction() {}

  static List<Remembered> remember(InboundMessage arrival) {
    boolean left =
        arrival.raw().get("event_name") instanceof String name && name.equals("unfollow");
    return left || arrival.sentAt() == null
        ? List.of()
        : List.of(
            Remembered.until(
                arrival.sentAt().plus(KEPT), arrival.chat(), KEY, arrival.sentAt().toString()));
  }
}
