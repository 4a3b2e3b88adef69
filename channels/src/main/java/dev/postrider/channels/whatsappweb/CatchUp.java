package dev.postrider.channels.whatsappweb;

import dev.postrider.channel.InboundSink;
import dev.postrider.channel.Memory;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads from the bridge's history what its webhooks have not told: they are tried few times and
 * then forgotten, and some sessions go silent while they seem to work. What was told is recognised
 * by its id. Belongs to the listening task.
 */
final class CatchUp {
  /** What came so long ago should have been told. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final Bridge bridge;
  private final Memory memory;
  private final InstantSource clock;
  private final Duration every;
  private @Nullable Instant next;
  private @Nullable String silence;

  CatchUp(Bridge bridge, Memory memory, InstantSource clock, Duration every) {
    this.bridge = bridge;
    this.memory = memory;
    this.clock = clock;
    this.every = every;
  }

  /** There is a gap: the next look is due when the bridge works again. */
  void soon() {
    next = null;
  }

  /**
   * Looks, if it is time for that.
   *
   * @return why the bridge seems to tell nothing any more; null if it does not seem so
   */
  @Nullable String look(InboundSink inlet) {
    Instant now = clock.instant();
    if (next != null && now.isBefore(next)) {
      return silence;
    }
    next = now.plus(every);
    String read = inlet.cursor();
    if (read == null) {
      inlet.take(List.of(), List.of(), now.toString()); // from now on
      return null;
    }
    Heard heard = new Heard();
    if (bridge.missed(Instant.parse(read).minus(PATIENCE), heard)) {
      silence = silence(heard, now);
      inlet.take(heard.arrivals, heard.reports, now.toString(), heard.memory, heard.aliases);
    }
    return silence;
  }

  /** Whether something is in the history since the last time that a webhook came. */
  private @Nullable String silence(Heard heard, Instant now) {
    Instant told = memory.read(null, Heard.HEARD).map(Instant::parse).orElse(Instant.EPOCH);
    Instant untold =
        heard.arrivals.stream()
            .map(message -> message.sentAt())
            .filter(Objects::nonNull)
            .filter(at -> at.isAfter(told) && at.isBefore(now.minus(PATIENCE)))
            .min(Instant::compareTo)
            .orElse(null);
    return untold == null
        ? null
        : "messages arrive (one at "
            + untold
            + ") that the bridge does not tell by webhook; they are read from its history every "
            + every.toMinutes()
            + " min. Check its webhook's address, or restart its session";
  }
}
