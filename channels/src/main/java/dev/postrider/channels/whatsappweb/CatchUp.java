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
import tools.jackson.databind.JsonNode;

/**
 * Reads from the bridge's history what its webhooks have not told: they are tried few times and
 * then forgotten, and some sessions go silent while they seem to work. What was told is recognised
 * by its id. Belongs to the listening task.
 */
final class CatchUp {
  /** What came so long ago should have been told. */
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  /** As many questions in a row may fail because of a chat. */
  private static final int MOST_GAPS = 3;

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
    Gaps gaps = new Gaps();
    for (String chat : chats(since, gaps)) {
      Heard heard = new Heard();
      if (takesIn) {
        gaps.over(() -> said(chat, since, heard));
      }
      gaps.over(() -> bridge.refused(chat, since, heard));
      first = earliest(first, untold(heard, told, now));
      take(heard, now, inlet);
      if (gaps.inARow > MOST_GAPS) {
        break; // it is the bridge, and not this chat
      }
    }
    gaps.tell();
    return first;
  }

  /** What cannot be read does not keep from the rest. */
  private static final class Gaps {
    private @Nullable IOException first;
    private int inARow;

    interface Reading {
      void run() throws IOException;
    }

    void over(Reading reading) {
      try {
        reading.run();
        inARow = 0;
      } catch (IOException e) {
        first = first == null ? e : first;
        inARow++;
      }
    }

    void tell() throws IOException {
      if (first != null) {
        throw first;
      }
    }
  }

  /** The chats in which anything was said since then. */
  private Set<String> chats(Instant since, Gaps gaps) {
    Set<Recent> all = new LinkedHashSet<>();
    Predicate<Recent> isOld = it -> it.last() != null && it.last().isBefore(since);
    gaps.over(() -> read("the list of chats", Bridge.CHATS, bridge::recent, isOld, all));
    if (all.size() > Bridge.CHATS) {
      gaps.over(() -> all.addAll(bridge.recent(0))); // those that came to the top meanwhile
    }
    Set<String> chats = new LinkedHashSet<>();
    for (Recent chat : all) {
      if (chat.jid() != null && chat.last() != null && !isOld.test(chat)) {
        chats.add(chat.jid());
      }
    }
    return chats;
  }

  private void said(String chat, Instant since, Heard heard) throws IOException {
    Set<JsonNode> all = new LinkedHashSet<>();
    try {
      read(
          "the history of " + chat,
          Bridge.MESSAGES,
          offset -> bridge.said(chat, since, offset),
          _ -> false,
          all);
    } finally {
      all.forEach(one -> bridge.read(one, chat, heard));
    }
  }

  /** Something that is asked for page by page. */
  @FunctionalInterface
  private interface Pages<T> {
    List<T> from(int offset) throws IOException;
  }

  /** Reads all pages up to one that holds the last, or is not full. */
  private static <T> void read(
      String what, int size, Pages<T> pages, Predicate<T> last, Set<T> into) throws IOException {
    for (int offset = 0; ; offset += size) {
      List<T> page = pages.from(offset);
      boolean news = into.addAll(page);
      if (page.size() < size || page.stream().anyMatch(last)) {
        return;
      }
      if (!news) {
        throw new IOException(
            what + " does not go on after " + into.size() + "; update the bridge");
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
