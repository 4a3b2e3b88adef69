package dev.postrider.channels.xmpp;

import dev.postrider.channel.InboundSink;
import dev.postrider.channel.Outcome;
import dev.postrider.inbound.DeliveryReport;
import dev.postrider.inbound.DeliveryReport.State;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.time.Scheduler;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What happens on one connection from the moment a resource is bound: the session is set up, what
 * comes is handed in, and only then counted as handled, so that the server keeps what was not
 * stored.
 */
final class XmppConnection implements XmppSession.Listener {
  private static final Logger log = LoggerFactory.getLogger(XmppConnection.class);
  private static final String CARBONS = "urn:xmpp:carbons:2";
  private static final String ROSTER = "jabber:iq:roster";

  /** How far the clocks may be apart; what is read twice is recognised. */
  static final Duration SKEW = Duration.ofMinutes(5);

  private static final Duration NOTE_EVERY = Duration.ofMinutes(10);

  private final XmppAccount account;
  private final Scheduler time;
  private final SentMessages sent;
  private final Rooms rooms;
  private final XmppArchive archive;
  private final InboundSink inlet;
  private @Nullable XmppSession session;
  private volatile XmppEvents events;
  private volatile Set<String> features = Set.of();
  private volatile Instant notedAt = Instant.EPOCH;
  private volatile boolean over;

  XmppConnection(
      XmppAccount account,
      Scheduler time,
      SentMessages sent,
      Rooms rooms,
      XmppArchive archive,
      InboundSink inlet) {
    this.account = account;
    this.time = time;
    this.sent = sent;
    this.rooms = rooms;
    this.archive = archive;
    this.inlet = inlet;
    events = new XmppEvents(account.jid(), false, time);
  }

  /** Whether our account has an archive. */
  boolean archives() {
    return features.contains(XmppArchive.MAM);
  }

  /** Whether a session that goes on with another was already set up on that. */
  void goOn(XmppSession begun, XmppConnection former) {
    session = begun;
    features = former.features;
    events = former.events;
  }

  /** Makes a new session ready to hear. Called by the thread that reads. */
  void setUp(XmppSession begun) throws IOException {
    session = begun;
    rooms.clear();
    XmlElement info = begun.askWhileReading("get", null, XmlElement.of("query", Rooms.DISCO));
    XmlElement query = info == null ? null : info.child("query", Rooms.DISCO);
    Set<String> offered = new HashSet<>();
    if (query != null) {
      query.all("feature", Rooms.DISCO).forEach(one -> offered.add(one.get("var", "")));
    }
    features = offered;
    events = new XmppEvents(begun.self(), offered.contains(XmppRequest.ORIGIN), time);
    begun.askWhileReading("set", null, XmlElement.of("enable", CARBONS));
    Instant readTo = archives() ? readTo() : null;
    if (readTo == null) {
      note(time.instant()); // nothing was read before, or can be read again
      appear(begun);
      return;
    }
    String last = catchUp(begun, readTo.minus(SKEW), null);
    appear(begun);
    // What came just before is in the archive only: whoever asks for that gets no offline messages.
    catchUp(begun, readTo.minus(SKEW), last);
  }

  /** From now on messages come to us. */
  void appear(XmppSession begun) throws IOException {
    begun.say(XmlElement.client("presence"), "");
  }

  /**
   * Reads what was said while nobody listened.
   *
   * @param last the archive's id of the last message that was read, if one was
   * @return the same, for the next time
   */
  private @Nullable String catchUp(XmppSession begun, Instant since, @Nullable String last)
      throws IOException {
    String after = last;
    while (true) {
      XmppArchive.Page page = archive.read(begun::askWhileReading, null, null, since, after);
      if (page == null) {
        log.warn("{}: the archive cannot be read", account.jid().bare());
        return after;
      }
      for (XmppArchive.Kept kept : page.messages()) {
        hear(kept.message(), kept);
      }
      String read = page.last();
      if (read == null || read.equals(after)) {
        return after;
      }
      after = read;
      if (page.whole()) {
        return after;
      }
    }
  }

  @Nullable Instant readTo() {
    try {
      String cursor = inlet.cursor();
      return cursor == null ? null : Instant.parse(cursor);
    } catch (DateTimeParseException _) {
      return null;
    }
  }

  private void note(Instant at) {
    notedAt = at;
    inlet.take(List.of(), List.of(), at.toString());
  }

  // ---- now and then

  /** Looks after the connection, as long as it stands. */
  void watch(XmppSession standing) {
    time.after(
        account.idle(),
        () -> {
          if (!over) {
            standing.look();
            time.start("xmpp", () -> tidy(standing));
            watch(standing);
          }
        });
  }

  void over() {
    over = true;
  }

  private void tidy(XmppSession standing) {
    Instant now = time.instant();
    if (notedAt.plus(NOTE_EVERY).isBefore(now)) {
      note(now.minus(account.idle().multipliedBy(2))); // until then it was certainly heard
    }
    enterRooms(standing);
  }

  /** Enters the rooms that we are always in. Blocks. */
  void enterRooms(XmppSession standing) {
    Instant readTo = readTo();
    for (Jid room : account.rooms()) {
      if (rooms.nick(room) == null && !rooms.isExpelled(room) && !over) {
        try {
          Outcome refusal =
              rooms.enter(standing, room, readTo == null ? null : readTo.minus(SKEW)).refusal();
          if (refusal != null) {
            log.warn("{}: not in {}: {}", account.jid().bare(), room, refusal);
          }
        } catch (IOException e) {
          log.debug("{}: not in {}", account.jid().bare(), room, e);
        }
      }
    }
  }

  // ---- what comes

  @Override
  public void acknowledged(List<String> ids) {
    sent.acknowledged(ids);
  }

  @Override
  public void message(XmlElement message) throws IOException {
    Jid from = Jid.parse(message.get("from"));
    boolean own = from == null || from.sameBare(account.jid());
    if (archive.took(message, from, own)) {
      return;
    }
    XmlElement carbon = message.child("received", CARBONS);
    if (carbon != null || message.child("sent", CARBONS) != null) {
      XmlElement forwarded = carbon == null ? null : carbon.child("forwarded", XmppArchive.FORWARD);
      XmlElement inner = forwarded == null ? null : forwarded.child("message", XmlElement.CLIENT);
      if (own && inner != null) { // anybody else could make one up
        hear(inner, null);
      }
      return;
    }
    if (message.get("type", "").equals("error")) {
      refused(message, from);
      return;
    }
    hear(message, null);
  }

  private void refused(XmlElement message, @Nullable Jid from) {
    String id = message.get("id", "");
    if (!sent.isFrom(id, from, account.jid())) {
      return;
    }
    Jid room = from != null && rooms.nick(from.bare()) != null ? from.bare() : null;
    Outcome outcome = XmppVerdict.of(message, room != null);
    if (room != null && XmppVerdict.condition(message).equals("not-acceptable")) {
      rooms.left(room);
    }
    if (!sent.refused(id, outcome)) { // long since taken for accepted
      inlet.take(
          List.of(),
          List.of(
              new DeliveryReport(
                  id,
                  State.FAILED,
                  time.instant(),
                  XmppVerdict.describe(message),
                  outcome instanceof Outcome.Rejected)),
          null);
    }
  }

  private void hear(XmlElement message, XmppArchive.@Nullable Kept kept) {
    Jid from = Jid.parse(message.get("from"));
    String nick = from == null ? null : rooms.nick(from.bare());
    if (from != null
        && message.get("type", "").equals("groupchat")
        && from.resource().equals(nick)) {
      sent.shown(message.get("id"), from.bare());
      sent.shown(XmppEvents.origin(message), from.bare());
      return;
    }
    boolean own = from != null && from.sameBare(account.jid());
    DeliveryReport report = own ? null : XmppEvents.report(message, time.instant());
    InboundMessage heard =
        events.read(
            message, kept == null ? null : kept.id(), nick, kept == null ? null : kept.delay());
    if (report != null || heard != null) {
      Instant sentAt = heard == null ? null : heard.sentAt();
      Instant readTo = kept == null ? time.instant() : sentAt;
      notedAt = readTo == null ? notedAt : readTo;
      inlet.take(
          heard == null ? List.of() : List.of(heard),
          report == null ? List.of() : List.of(report),
          readTo == null ? null : readTo.toString());
    }
  }

  @Override
  public void presence(XmlElement presence) throws IOException {
    Jid from = Jid.parse(presence.get("from"));
    XmppSession standing = session;
    if (from == null || standing == null) {
      return;
    }
    if (presence.get("type", "").equals("subscribe")) {
      String answer = account.acceptContacts() ? "subscribed" : "unsubscribed";
      standing.say(XmlElement.client("presence").with("to", from.bare()).with("type", answer), "");
    } else {
      rooms.presence(presence, from);
    }
  }

  @Override
  public @Nullable List<XmlElement> query(XmlElement iq) {
    Jid from = Jid.parse(iq.get("from"));
    boolean own = from == null || from.sameBare(account.jid());
    if (iq.get("type", "").equals("set")) {
      return own && iq.child("query", ROSTER) != null ? List.of() : null;
    }
    if (iq.child("ping", XmppSession.PING) != null) {
      return List.of();
    }
    return iq.child("query", Rooms.DISCO) == null
        ? null
        : List.of(
            XmlElement.of("query", Rooms.DISCO)
                .add(
                    XmlElement.of("identity", Rooms.DISCO)
                        .with("category", "client")
                        .with("type", "bot")
                        .with("name", "Postrider"))
                .add(feature(Rooms.DISCO), feature(XmppSession.PING))
                .add(feature(XmppRequest.CORRECTION), feature(XmppRequest.REPLY)));
  }

  private static XmlElement feature(String name) {
    return XmlElement.of("feature", Rooms.DISCO).with("var", name);
  }
}
