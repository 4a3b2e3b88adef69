package dev.postrider.channels.xmpp;

import dev.postrider.channel.Outcome;
import dev.postrider.channels.xmpp.XmppRequest.Kind;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The messages that were written and whose fate is not known yet, also beyond the connection they
 * were written on: the next one may tell. Thread-safe.
 */
final class SentMessages {
  private static final int RECENT = 10_000;

  private final Map<String, Sent> open = new ConcurrentHashMap<>();

  /** To whom what went lately, so that nobody else can say that it failed. */
  private final Map<String, Jid> recent =
      Collections.synchronizedMap(
          new LinkedHashMap<>() {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Jid> eldest) {
              return size() > RECENT;
            }
          });

  /** What became of a message. */
  sealed interface Fate {
    /** The server has it; of a room: the room has shown it. */
    record Arrived() implements Fate {}

    /** It never reached the server. */
    record Absent() implements Fate {}

    /** The connection it was written on is replaced by another, and nobody has said. */
    record Forgotten() implements Fate {}

    /** It was refused. */
    record Refused(Outcome outcome) implements Fate {}
  }

  /** A message under way. */
  record Sent(Jid to, Kind kind, CompletableFuture<Fate> fate) {}

  Sent begin(String id, Jid to, Kind kind) {
    Sent sent = new Sent(to, kind, new CompletableFuture<>());
    open.put(id, sent);
    recent.put(id, to);
    return sent;
  }

  @Nullable Sent find(String id) {
    return open.get(id);
  }

  void end(String id, Sent sent) {
    open.remove(id, sent);
  }

  /** The server has these; a room's are not shown yet. */
  void acknowledged(List<String> ids) {
    for (String id : ids) {
      Sent sent = open.get(id);
      if (sent != null && sent.kind != Kind.ROOM) {
        sent.fate.complete(new Fate.Arrived());
      }
    }
  }

  /** A room shows a message of ours. */
  void shown(@Nullable String id, Jid room) {
    Sent sent = id == null ? null : open.get(id);
    if (sent != null && sent.to.equals(room)) {
      sent.fate.complete(new Fate.Arrived());
    }
  }

  /** Whether a message went to whoever speaks of it, or to somebody at its server. */
  boolean isFrom(String id, @Nullable Jid from, Jid self) {
    Jid to = recent.get(id);
    return to != null
        && (from == null
            || from.sameBare(to)
            || from.equals(self.bare())
            || (from.local().isEmpty() && from.domain().equals(self.domain())));
  }

  /** Tells whether somebody still waited to hear of it. */
  boolean refused(String id, Outcome outcome) {
    Sent sent = open.get(id);
    return sent != null && sent.fate.complete(new Fate.Refused(outcome));
  }

  /**
   * Another connection stands: what was written on the one before is settled, as far as it can be.
   *
   * @param resumed whether it goes on with the session before, so that rooms may still show ours
   */
  void settle(XmppSession.Before before, boolean resumed) {
    open.values().removeIf(sent -> sent.fate.isDone()); // nobody has asked
    acknowledged(before.had());
    for (String id : before.lost()) {
      Sent sent = open.get(id);
      if (sent != null) {
        sent.fate.complete(new Fate.Absent());
      }
    }
    if (!resumed) {
      open.values().forEach(sent -> sent.fate.complete(new Fate.Forgotten()));
    }
  }
}
