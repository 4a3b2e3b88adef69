package dev.postrider.channels.whatsappweb;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Memory;
import dev.postrider.channel.NotSentException;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.Remembered;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.channels.whatsappweb.Bridge.Answer;
import dev.postrider.message.Fix;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * First messages to people whom the account has never written with: what WhatsApp restricts and
 * bans accounts for. A stranger is asked for before the first message, a day has room for so many
 * of them, and while WhatsApp has closed the account to strangers (463) they wait. Groups, and
 * people with whom anything was ever exchanged, are no strangers.
 *
 * <p>A place of the day is taken durably before the request, and once per chat: a kill in between
 * may waste one, and never gives one twice. Thread-safe.
 */
final class Strangers {
  static final String KNOWN = "known";
  static final String CLOSED = "closed-to-strangers";
  private static final String FIRST = "first";
  private static final String ABSENT = "not-on-whatsapp";
  private static final String DAY = "new-chats:";

  /** If nobody says how long a restriction lasts. */
  static final Duration USUALLY_CLOSED = Duration.ofHours(24);

  private static final Duration ABSENCE_LASTS = Duration.ofDays(1);

  private final Bridge bridge;
  private final Memory memory;
  private final InstantSource clock;
  private final int aDay;
  private final Function<Answer, Outcome> failure;

  /**
   * @param aDay how many strangers may be written to on a day (UTC)
   * @param failure what an answer means that is not what was asked for
   */
  Strangers(
      Bridge bridge,
      Memory memory,
      InstantSource clock,
      int aDay,
      Function<Answer, Outcome> failure) {
    this.bridge = bridge;
    this.memory = memory;
    this.clock = clock;
    this.aDay = aDay;
    this.failure = failure;
  }

  boolean isKnown(String chat) {
    return !Jid.isPerson(chat) || memory.read(chat, KNOWN).isPresent();
  }

  /** What keeps a part from going out; null if it may. */
  @Nullable Outcome before(Dispatch part) {
    String chat = part.to();
    if (isKnown(chat) || memory.read(chat, FIRST).isPresent() && closedUntil() == null) {
      return null;
    }
    if (bridge.isKnown(chat)) {
      memory.write(Remembered.of(chat, KNOWN, "history"));
      return null;
    }
    Instant closed = closedUntil();
    if (closed != null) {
      return wait(closed, closedWords(closed));
    }
    Instant now = clock.instant();
    LocalDate today = LocalDate.ofInstant(now, ZoneOffset.UTC);
    if (count(today) >= aDay) {
      return full(today);
    }
    Outcome absent = ask(chat);
    if (absent != null) {
      return absent;
    }
    return takePlace(chat, today) ? null : full(today);
  }

  private Outcome full(LocalDate today) {
    Instant tomorrow = today.plusDays(1).atStartOfDay(ZoneOffset.UTC).toInstant();
    return wait(
        tomorrow,
        "%d new chats were begun today, and newChatsPerDay allows no more; goes on at %s"
            .formatted(aDay, tomorrow));
  }

  private Outcome wait(Instant until, String cause) {
    return new Outcome.Throttled(
        ThrottleScope.CHAT, Duration.between(clock.instant(), until), cause);
  }

  /** Whether the number is on WhatsApp; writing to one that is not can restrict the account. */
  private @Nullable Outcome ask(String chat) {
    if (!Jid.isNumber(chat)) {
      return null;
    }
    if (memory.read(chat, ABSENT).isPresent()) {
      return absent(chat);
    }
    Answer answer = bridge.check(chat);
    if (!(answer instanceof Answer.Said(JsonNode body))) {
      return failure.apply(answer);
    }
    String found = bridge.found(body, chat);
    if (found == null) {
      memory.write(Remembered.until(clock.instant().plus(ABSENCE_LASTS), chat, ABSENT, "1"));
      return absent(chat);
    }
    return found.equals(chat)
        ? null
        : new Outcome.Repairable(new Fix.NewChat(found), "WhatsApp knows " + chat + " as " + found);
  }

  private static Outcome absent(String chat) {
    return new Outcome.Rejected(
        Blame.TARGET, "the number " + Jid.user(chat) + " is not on WhatsApp");
  }

  private int count(LocalDate day) {
    return memory.read(null, DAY + day).map(Integer::parseInt).orElse(0);
  }

  private boolean takePlace(String chat, LocalDate day) {
    Instant over = day.plusDays(2).atStartOfDay(ZoneOffset.UTC).toInstant();
    while (true) {
      @Nullable String taken = memory.read(null, DAY + day).orElse(null);
      int count = taken == null ? 0 : Integer.parseInt(taken);
      if (count >= aDay) {
        return false;
      }
      if (memory.replace(taken, Remembered.until(over, null, DAY + day, "" + (count + 1)))) {
        memory.write(Remembered.of(chat, FIRST, day.toString()));
        return true;
      }
    }
  }

  /** Until when the account may not write to strangers; null if it may. */
  private @Nullable Instant closedUntil() {
    return memory.read(null, CLOSED).map(Instant::parse).orElse(null);
  }

  private static String closedWords(Instant until) {
    return "WhatsApp has closed the account to people it has never written with (463) until "
        + until.truncatedTo(ChronoUnit.SECONDS);
  }

  /** WhatsApp has just said so: those who wait, and this one, wait until it is over. */
  Outcome closed(String cause) {
    Instant until = closedUntil();
    if (until == null) {
      until = clock.instant().plus(USUALLY_CLOSED);
      try {
        memory.write(closedUntil(until));
      } catch (NotSentException e) {
        // The store is away; the next one that is refused is remembered.
      }
    }
    return wait(until, cause + ": " + closedWords(until));
  }

  static Remembered closedUntil(Instant until) {
    return Remembered.until(until, null, CLOSED, until.toString());
  }

  /** What a delivered part leaves to be known. */
  List<Remembered> delivered(Dispatch part) {
    List<Remembered> all = new ArrayList<>();
    if (!isKnown(part.to())) {
      all.add(Remembered.of(part.to(), KNOWN, "out"));
    }
    return all;
  }
}
