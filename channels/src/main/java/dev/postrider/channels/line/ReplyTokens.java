package dev.postrider.channels.line;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Memory;
import dev.postrider.channel.NotSentException;
import dev.postrider.channel.Remembered;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The tokens that events bring, with each of which one request may be made within about a minute
 * that is not counted against the month's quota. They are in the chat's memory, by the event they
 * came with; whoever wants to use one takes it out first, so that nobody else does.
 *
 * <p>A reply has no key by which LINE would know a repeat. So it is written down, before the token
 * is taken, that a part goes out as a reply, and that is forgotten once its fate is known: as long
 * as it is there, nobody may repeat the part without asking {@code onUnknown}.
 */
final class ReplyTokens {
  private static final String LAST = "reply";
  private static final String BY_ID = "reply:";
  private static final String REPLIED = "replied:";

  /** A minute, less what the way here and back may take. */
  private static final Duration LASTS = Duration.ofSeconds(50);

  /** Longer than most messages live. */
  private static final Duration IN_DOUBT = Duration.ofDays(7);

  private final Memory memory;
  private final InstantSource clock;

  ReplyTokens(Memory memory, InstantSource clock) {
    this.memory = memory;
    this.clock = clock;
  }

  /** What an event leaves to be remembered. */
  static List<Remembered> remember(String chat, String id, String token, Instant receivedAt) {
    Instant until = receivedAt.plus(LASTS);
    return List.of(
        Remembered.until(until, chat, BY_ID + id, token), Remembered.until(until, chat, LAST, id));
  }

  /**
   * Takes the token of the event that the message replies to, else of the chat's last event, for
   * this part alone; null if there is none.
   */
  @Nullable String take(Dispatch part) {
    String chat = part.to();
    String to = part.message().replyToId();
    String own = to == null ? null : memory.read(chat, BY_ID + to).orElse(null);
    Optional<String> id = own == null ? memory.read(chat, LAST) : Optional.ofNullable(to);
    if (id.isEmpty()) {
      return null;
    }
    String key = BY_ID + id.get();
    String token = own == null ? memory.read(chat, key).orElse(null) : own;
    if (token == null) {
      return null;
    }
    memory.write(
        Remembered.until(clock.instant().plus(IN_DOUBT), chat, REPLIED + part.key(), id.get()));
    if (memory.replace(token, Remembered.forget(chat, key))) {
      return token;
    }
    settle(part);
    return null;
  }

  /** Whether the part went out as a reply, and nobody knows whether it arrived. */
  boolean isInDoubt(Dispatch part) {
    return memory.read(part.to(), REPLIED + part.key()).isPresent();
  }

  /** What is forgotten with a delivered reply. */
  static Remembered settled(Dispatch part) {
    return Remembered.forget(part.to(), REPLIED + part.key());
  }

  /** The part's fate is known, or somebody has decided to send it in spite of that. */
  void settle(Dispatch part) {
    try {
      memory.write(settled(part));
    } catch (NotSentException e) { // the store is away; the doubt that stays does no harm
      return;
    }
  }
}
