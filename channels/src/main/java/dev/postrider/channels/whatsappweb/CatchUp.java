package dev.postrider.channels.whatsappweb;

import dev.postrider.channel.InboundSink;
import dev.postrider.channel.Memory;
import dev.postrider.channels.whatsappweb.Bridge.Recent;
import dev.postrider.inbound.InboundMessage;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Reads from the bridge's history what its webhooks have not told: they are tried few times and
 * then forgotten, and some sessions go silent while they seem to work. What was told is recognised
 * by its id. Belongs to the listening task.
 */
final class CatchUp {
  /** What came so long ago should have been told. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private static final Comparator<InboundMessage> AS_WRITTEN =
      Comparator.comparing(
          InboundMessage::sentAt, Comparator.nullsFirst(Comparator.naturalOrder()));

  private final Bridge bridge;
  private final Memory memory;
  private final InstantSource clock;
  private final Duration every;
  private final boolean takesIn;
  private @Nullable Instant next;
  private @Nullable String trouble;
  private boolean failed; // the last time

  /**
   * @param takesIn whether the account takes in what others write; if not, only refusals are read
   */
  CatchUp(Bridge bridge, Memory memory, InstantSource clock, Duration every, boolean takesIn) {
    this.bridge = bridge;
    this.memory = memory;
    this.clock = clock;
    this.every = every;
    this.takesIn = takesIn;
  }

  /** There is a gap: the next look is due when the bridge works again. */
  void soon() {
    next = null;
  }

  /**
   * Looks, if it is time for that.
   *
   * @return why not all is heard; null if nothing shows that
   */
  @Nullable String look(InboundSink inlet) {
    Instant now = clock.instant();
    if (next != null && now.isBefore(next)) {
      return trouble;
    }
    next = now.plus(every);
    String read = inlet.cursor();
    if (read == null) {
      inlet.take(List.of(), List.of(), now.toString()); // from now on
      return null;
    }
    try {
      trouble = silence(missed(Instant.parse(read).minus(PATIENCE), now, inlet));
      inlet.take(List.of(), List.of(), now.toString());
      failed = false;
    } catch (IOException e) {
      if (failed) {
        trouble =
            "the bridge's history tells not all that its webhooks may lose: " + e.getMessage();
      } else {
        next = null; // once may be chance
      }
      failed = true;
    }
    return trouble;
  }

  /**
   * Hands in what was said since then, chat by chat.
   *
   * @return when the first thing was said that should have been told; null if nothing was
   * @throws IOException if not all of it can be read; what can be is handed in
   */
  private @Nullable Instant missed(Instant since, Instant now, InboundSink inlet)
      throws IOException {
    Instant told = memory.read(null, Heard.HEARD).map(Instant::parse).orElse(Instant.EPOCH);
    @Nullable Instant first = null;
    @Nullable IOException gap = null;
    for (String chat : chats(since)) {
      Heard heard = new Heard();
      try {
        read(chat, since, heard);
      } catch (IOException e) {
        gap = e; // the others are read all the same
      }
      first = earliest(first, untold(heard, told, now));
      take(heard, now, inlet);
    }
    if (gap != null) {
      throw gap;
    }
    return first;
  }

  /** The chats in which anything was said since then. */
  private Set<String> chats(Instant since) throws IOException {
    Set<Recent> all =
        all(
            "the list of chats",
            Bridge.CHATS,
            bridge::recent,
            it -> it.last() != null && it.last().isBefore(since));
    if (all.size() > Bridge.CHATS) {
      all.addAll(bridge.recent(0)); // those that came to the top meanwhile
    }
    Set<String> chats = new LinkedHashSet<>();
    for (Recent chat : all) {
      if (chat.jid() != null && chat.last() != null && !chat.last().isBefore(since)) {
        chats.add(chat.jid());
      }
    }
    return chats;
  }

  private void read(String chat, Instant since, Heard heard) throws IOException {
    bridge.refused(chat, since, heard);
    if (takesIn) {
      all(
              "the history of " + chat,
              Bridge.MESSAGES,
              offset -> bridge.said(chat, since, offset),
              _ -> false)
          .forEach(said -> bridge.read(said, chat, heard));
    }
  }

  /** Something that is asked for page by page. */
  @FunctionalInterface
  private interface Pages<T> {
    List<T> from(int offset) throws IOException;
  }

  /** All pages up to one that holds the last, or is not full. */
  private static <T> Set<T> all(String what, int size, Pages<T> pages, Predicate<T> last)
      throws IOException {
    Set<T> all = new LinkedHashSet<>();
    for (int offset = 0; ; offset += size) {
      List<T> page = pages.from(offset);
      boolean news = all.addAll(page);
      if (page.size() < size || page.stream().anyMatch(last)) {
        return all;
      }
      if (!news) {
        throw new IOException(what + " does not go on after " + all.size() + "; update the bridge");
      }
    }
  }

  /** Each in the order in which it was written; bridges give the newest first. */
  private void take(Heard heard, Instant now, InboundSink inlet) {
    heard.arrivals.sort(AS_WRITTEN);
    if (heard.closedUntil != null
        && (!heard.closedUntil.isAfter(now) || memory.read(null, Strangers.CLOSED).isPresent())) {
      heard.closedUntil = null; // it is over, or somebody has told how long it really lasts
    }
    inlet.take(List.of(), List.of(), null, heard.closing());
    inlet.take(heard.arrivals, heard.reports, null, heard.memory, heard.aliases);
  }

  private static @Nullable Instant untold(Heard heard, Instant told, Instant now) {
    return heard.arrivals.stream()
        .map(InboundMessage::sentAt)
        .filter(Objects::nonNull)
        .filter(at -> at.isAfter(told) && at.isBefore(now.minus(PATIENCE)))
        .min(Instant::compareTo)
        .orElse(null);
  }

  private static @Nullable Instant earliest(@Nullable Instant one, @Nullable Instant other) {
    return one == null || other != null && other.isBefore(one) ? other : one;
  }

  private @Nullable String silence(@Nullable Instant untold) {
    return untold == null
        ? null
        : "messages arrive (one at "
            + untold
            + ") that the bridge does not tell by webhook; they are read from its history every "
            + every.toMinutes()
            + " min. Check its webhook's address, or restart its session";
  }
}
