package dev.postrider.channels.xmpp;

import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.time.Scheduler;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The rooms that we are in (XEP-0045). They are entered when something is to be said there, and
 * never made: whoever enters a room that is not there makes it. Thread-safe.
 */
final class Rooms {
  static final String DISCO = "http://jabber.org/protocol/disco#info";
  static final String ARCHIVE = "urn:xmpp:mam:2";
  private static final String MUC = "http://jabber.org/protocol/muc";
  private static final String OWNER = "http://jabber.org/protocol/muc#owner";
  private static final int NICKS = 3;

  /** Kicked, banned, or not allowed in any more. */
  private static final Set<String> EXPELLED = Set.of("301", "307", "321", "322");

  private final Scheduler time;
  private final Duration timeout;
  private final String nick;
  private final Map<Jid, Room> rooms = new ConcurrentHashMap<>();
  private final Map<Jid, String> troubles = new ConcurrentHashMap<>();
  private final Set<Jid> expelled = ConcurrentHashMap.newKeySet();
  private final Map<String, Boolean> services = new ConcurrentHashMap<>();

  /** A room that we are in, or about to enter. */
  private static final class Room {
    final CompletableFuture<Entry> entered = new CompletableFuture<>();
    volatile CompletableFuture<XmlElement> answer = new CompletableFuture<>();
    volatile String nick;
    volatile Set<String> features = Set.of();

    Room(String nick) {
      this.nick = nick;
    }
  }

  /**
   * How entering ended.
   *
   * @param refusal null if we are in
   */
  record Entry(@Nullable Outcome refusal) {}

  Rooms(XmppAccount account, Scheduler time) {
    this.time = time;
    timeout = account.timeout();
    nick = account.nick();
  }

  /** A new session is in no room. */
  void clear() {
    rooms.clear();
    troubles.clear();
    expelled.clear();
  }

  /** Our nickname in a room, or null if we are not in it. */
  @Nullable String nick(Jid room) {
    Room there = rooms.get(room);
    return there == null ? null : there.nick;
  }

  boolean archives(Jid room) {
    Room there = rooms.get(room);
    return there != null && there.features.contains(ARCHIVE);
  }

  /** What keeps us out of rooms that we should be in. */
  Map<Jid, String> troubles() {
    return troubles;
  }

  /** Whether somebody has put us out of a room. */
  boolean isExpelled(Jid room) {
    return expelled.contains(room);
  }

  /** What an address is of. */
  sealed interface Place {
    record Known(XmppRequest.Kind kind) implements Place {}

    /** It cannot be found out, or the room is closed to us. */
    record Not(Outcome outcome) implements Place {}
  }

  /** Finds out whether an address is a room's, and enters it then. */
  Place place(XmppSession session, Jid to) throws IOException {
    if (!rooms.containsKey(to.bare())) {
      Place.Not unknown = learn(session, to.domain());
      if (unknown != null) {
        return unknown;
      }
      if (!services.getOrDefault(to.domain(), false) || to.local().isEmpty()) {
        return new Place.Known(XmppRequest.Kind.PERSON);
      }
    }
    Outcome refusal = enter(session, to.bare(), null).refusal();
    if (refusal != null) {
      return new Place.Not(refusal);
    }
    return new Place.Known(to.isBare() ? XmppRequest.Kind.ROOM : XmppRequest.Kind.OCCUPANT);
  }

  /** Asks a domain once whether it is one of rooms. */
  private Place.@Nullable Not learn(XmppSession session, String domain) throws IOException {
    if (services.containsKey(domain) || domain.equals(session.self().domain())) {
      return null;
    }
    XmlElement answer = session.ask("get", new Jid("", domain, ""), XmlElement.of("query", DISCO));
    if (answer == null) {
      return new Place.Not(new Outcome.NotSent(domain + " does not say whether it has rooms"));
    }
    if ("error".equals(answer.get("type"))) {
      Outcome outcome = XmppVerdict.of(answer, false);
      if (outcome instanceof Outcome.Unreachable
          || XmppVerdict.condition(answer).startsWith("remote-server")) {
        return new Place.Not(outcome);
      }
    }
    XmlElement query = answer.child("query", DISCO);
    services.put(
        domain,
        query != null
            && query.all("identity", DISCO).stream()
                .anyMatch(identity -> identity.get("category", "").equals("conference")));
    return null;
  }

  /**
   * Enters a room, unless we are in it.
   *
   * @param since when to begin with what was said before; null for nothing of it
   */
  Entry enter(XmppSession session, Jid room, @Nullable Instant since) throws IOException {
    Room mine = new Room(nick);
    Room there = rooms.putIfAbsent(room, mine);
    if (there != null) {
      return time.awaitFor(there.entered, timeout)
          ? there.entered.join()
          : new Entry(new Outcome.NotSent("still entering " + room));
    }
    Outcome refusal = new Outcome.NotSent("could not enter " + room);
    try {
      refusal = knock(session, room, mine, since);
    } finally {
      if (refusal != null) {
        rooms.remove(room, mine);
        troubles.put(room, cause(refusal));
      } else {
        troubles.remove(room);
        expelled.remove(room);
      }
      mine.entered.complete(new Entry(refusal));
    }
    return new Entry(refusal);
  }

  private static String cause(Outcome refusal) {
    return switch (refusal) {
      case Outcome.Rejected(_, String cause) -> cause;
      case Outcome.NotSent(String cause) -> cause;
      case Outcome other -> other.label();
    };
  }

  private @Nullable Outcome knock(XmppSession session, Jid room, Room mine, @Nullable Instant since)
      throws IOException {
    XmlElement info = session.ask("get", room, XmlElement.of("query", DISCO));
    if (info == null) {
      return new Outcome.NotSent("no answer from " + room);
    }
    if (XmppVerdict.condition(info).equals("item-not-found")) {
      return new Outcome.Rejected(
          Blame.TARGET, "there is no room " + room + "; somebody has to make it first");
    }
    XmlElement query = info.child("query", DISCO);
    Set<String> features = new HashSet<>();
    if (query != null) {
      query.all("feature", DISCO).forEach(one -> features.add(one.get("var", "")));
    }
    mine.features = features;
    for (int i = 0; i < NICKS; i++) {
      mine.nick = nick + "_".repeat(i);
      mine.answer = new CompletableFuture<>();
      session.say(presence(room.with(mine.nick), since), "");
      if (!time.awaitFor(mine.answer, timeout)) {
        return new Outcome.NotSent(room + " does not let us in in time");
      }
      XmlElement answer = mine.answer.join();
      if (!"error".equals(answer.get("type"))) {
        return statuses(answer).contains("201") ? undo(session, room) : null;
      }
      if (!XmppVerdict.condition(answer).equals("conflict")) {
        Outcome outcome = XmppVerdict.of(answer, true);
        return outcome instanceof Outcome.NotSent && !isWait(answer)
            ? new Outcome.Rejected(Blame.TARGET, XmppVerdict.describe(answer))
            : outcome;
      }
    }
    return new Outcome.Rejected(
        Blame.TARGET, "others in " + room + " have our nickname; set nick to another");
  }

  private static boolean isWait(XmlElement answer) {
    XmlElement error = answer.child("error", XmlElement.CLIENT);
    return error != null && "wait".equals(error.get("type"));
  }

  /** It was not there, and now it is: our doing. */
  private static Outcome undo(XmppSession session, Jid room) throws IOException {
    session.ask(
        "set",
        room,
        XmlElement.of("query", OWNER)
            .add(XmlElement.of("x", "jabber:x:data").with("type", "cancel")));
    return new Outcome.Rejected(
        Blame.TARGET, "there was no room " + room + "; somebody has to make it first");
  }

  private static XmlElement presence(Jid at, @Nullable Instant since) {
    XmlElement history = XmlElement.of("history", MUC);
    return XmlElement.client("presence")
        .with("to", at)
        .add(
            XmlElement.of("x", MUC)
                .add(
                    since == null
                        ? history.with("maxstanzas", 0)
                        : history.with(
                            "since", since.truncatedTo(java.time.temporal.ChronoUnit.SECONDS))));
  }

  /** Takes note of who comes and goes, if it is us. */
  void presence(XmlElement presence, Jid from) {
    Room room = rooms.get(from.bare());
    if (room == null) {
      return;
    }
    Set<String> statuses = statuses(presence);
    switch (presence.get("type", "")) {
      case "error" -> room.answer.complete(presence);
      case "unavailable" -> {
        if (from.resource().equals(room.nick) && !statuses.contains("303")) {
          rooms.remove(from.bare(), room);
          if (statuses.stream().anyMatch(EXPELLED::contains)) {
            expelled.add(from.bare());
            troubles.put(from.bare(), "we were put out of it");
          }
        }
      }
      case "" -> {
        if (statuses.contains("110")) {
          room.nick = from.resource();
          room.answer.complete(presence);
        }
      }
      default -> {} // of no interest
    }
  }

  private static Set<String> statuses(XmlElement presence) {
    Set<String> codes = new HashSet<>();
    XmlElement user = presence.child("x", XmppRequest.ROOM_USER);
    if (user != null) {
      user.all("status", XmppRequest.ROOM_USER).forEach(one -> codes.add(one.get("code", "")));
    }
    return codes;
  }

  /** The room says that we are not in it. */
  void left(Jid room) {
    rooms.remove(room);
  }
}
