package dev.postrider.channels.whatsapp;

import dev.postrider.channel.Memory;
import dev.postrider.channel.NotSentException;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Remembered;
import dev.postrider.inbound.InboundMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The 24 hours after a person wrote, in which WhatsApp takes texts for them. When they wrote is
 * remembered to explain a refusal, not to refuse by ourselves: a webhook may have been missed, and
 * WhatsApp knows better.
 */
final class ServiceWindow {
  private static final String LAST_WROTE = "lastWrote";
  private static final Duration KEPT = Duration.ofDays(90);

  private ServiceWindow() {}

  /** When each of them last wrote. */
  static List<Remembered> remember(List<InboundMessage> arrivals) {
    Map<String, Instant> last = new TreeMap<>();
    for (InboundMessage arrival : arrivals) {
      Instant at = arrival.sentAt();
      if (at != null) {
        last.merge(arrival.chat(), at, (one, other) -> one.isAfter(other) ? one : other);
      }
    }
    return last.entrySet().stream()
        .map(
            one ->
                Remembered.until(
                    one.getValue().plus(KEPT), one.getKey(), LAST_WROTE, one.getValue().toString()))
        .toList();
  }

  /** The outcome; if the window was closed, with what is known of it. */
  static Outcome explained(Outcome outcome, String user, Memory memory) {
    if (!(outcome instanceof Outcome.Rejected(Outcome.Blame blame, String cause))
        || !cause.startsWith(WhatsAppVerdict.WINDOW_CLOSED + " ")) {
      return outcome;
    }
    try {
      return new Outcome.Rejected(
          blame,
          cause
              + memory
                  .read(user, LAST_WROTE)
                  .map(at -> "; they last wrote at " + at)
                  .orElse("; nothing they wrote has come in"));
    } catch (NotSentException e) { // the store is away, but what was refused was refused
      return outcome;
    }
  }
}
