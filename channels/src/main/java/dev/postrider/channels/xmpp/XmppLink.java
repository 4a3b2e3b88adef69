package dev.postrider.channels.xmpp;

import dev.postrider.channel.AccountContext;
import dev.postrider.channel.Dispatch;
import dev.postrider.channel.InboundSink;
import dev.postrider.channel.Link;
import dev.postrider.channel.ListeningRefused;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.PartFile;
import dev.postrider.channel.Probe;
import dev.postrider.channel.Reconciliation;
import dev.postrider.channel.UploadResult;
import dev.postrider.channels.Settings;
import dev.postrider.channels.http.HttpSender;
import dev.postrider.channels.http.Secrets;
import dev.postrider.channels.xmpp.SentMessages.Fate;
import dev.postrider.channels.xmpp.SentMessages.Sent;
import dev.postrider.channels.xmpp.XmppAccount.Security;
import dev.postrider.channels.xmpp.XmppRequest.Kind;
import dev.postrider.message.Receipt;
import dev.postrider.time.Scheduler;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One account's connection, which carries sending and listening. A part counts as sent once the
 * server has acknowledged its stanza, in a room once the room has shown it. If the connection is
 * cut before, the next one tells: a session that goes on has counted exactly, and else the archive
 * is looked into.
 */
final class XmppLink implements Link {
  /** Errors of a stream that come again until a person has changed something. */
  private static final Set<String> LASTING = Set.of("conflict", "host-unknown", "host-gone");

  private final XmppAccount account;
  private final AccountContext context;
  private final Scheduler time;
  private final XmppLogin login;
  private final HttpSender http;
  private final XmppUpload uploads;
  private final SentMessages sent = new SentMessages();
  private final XmppArchive archive = new XmppArchive();
  private final Rooms rooms;
  private volatile CompletableFuture<Standing> standing = new CompletableFuture<>();
  private @Nullable XmlStream stream;
  private @Nullable Standing before;
  private boolean closed;

  /** A connection that stands. */
  private record Standing(XmppSession session, XmppConnection connection) {}

  XmppLink(AccountContext context) {
    this.context = context;
    Settings settings = Settings.of(context.config());
    account = XmppAccount.of(settings);
    time = context.scheduler();
    SecureRandom random = new SecureRandom();
    login =
        new XmppLogin(
            account,
            () -> {
              byte[] nonce = new byte[18];
              random.nextBytes(nonce);
              return HexFormat.of().formatHex(nonce);
            });
    http = HttpSender.of(settings, Secrets.of(account.password()));
    uploads = new XmppUpload(http, account.security() == Security.NONE);
    rooms = new Rooms(account, time);
    context.notReady("connecting to " + account.jid().domain());
  }

  // ---- the connection

  @Override
  public boolean listens() {
    return true;
  }

  @Override
  public void listen(InboundSink inlet) throws IOException {
    XmlStream connecting = begin();
    XmppSession session = null;
    XmppConnection connection = new XmppConnection(account, time, sent, rooms, archive, inlet);
    String cause = "the connection to " + account.jid().domain() + " was lost";
    try {
      XmlElement features = login.login(connecting);
      Standing last = before;
      XmppSession.Opened opened =
          XmppSession.open(
              connecting,
              features,
              account,
              last == null ? null : last.session.acks(),
              last == null ? null : last.session.self(),
              time,
              connection);
      session = opened.session();
      if (session.resumed() && last != null) {
        connection.goOn(session, last.connection);
        if (opened.before().lost().contains("")) {
          connection.appear(session); // it may have been that which was lost
        }
      } else {
        connection.setUp(session);
      }
      connecting.patient();
      Standing now = new Standing(session, connection);
      before = now;
      standing.complete(now);
      sent.settle(opened.before(), session.resumed());
      context.ready();
      inlet.connected();
      connection.watch(session);
      XmppSession open = session;
      time.start("xmpp", () -> connection.enterRooms(open));
      session.follow();
    } catch (XmppLogin.Refused e) {
      cause = String.valueOf(e.getMessage());
      throw new ListeningRefused(cause);
    } catch (XmlStream.StreamError e) {
      cause = String.valueOf(e.getMessage());
      if (LASTING.contains(e.condition())) {
        throw new ListeningRefused(
            e.condition().equals("conflict")
                ? cause
                    + "; another program is logged in as "
                    + account.jid()
                    + ": give one of them another resource, as in jid: bot@example.org/other"
                : cause);
      }
      throw e;
    } catch (IOException e) {
      cause = String.valueOf(e.getMessage());
      throw e;
    } finally {
      connection.over();
      if (standing.isDone()) {
        standing = new CompletableFuture<>();
      }
      context.notReady(cause);
      if (session != null) {
        session.end(cause);
      }
      connecting.close(cause);
    }
  }

  private synchronized XmlStream begin() throws IOException {
    if (closed) {
      throw new IOException("the account is closed");
    }
    XmlStream fresh = new XmlStream(account.jid().domain());
    stream = fresh;
    return fresh;
  }

  @Override
  public void close() {
    XmlStream open;
    synchronized (this) {
      closed = true;
      open = stream;
    }
    if (open != null) {
      open.close();
    }
    http.close();
  }

  private @Nullable XmppSession session() {
    CompletableFuture<Standing> now = standing;
    return now.isDone() ? now.join().session : null;
  }

  private Outcome notConnected() {
    return new Outcome.Unreachable("not connected to " + account.jid().domain());
  }

  @Override
  public @Nullable String server(String chat) {
    Jid to = Jid.parse(chat);
    return to == null || to.domain().equals(account.jid().domain()) ? null : to.domain();
  }

  // ---- sending

  @Override
  public Outcome send(Dispatch part) throws IOException {
    XmppSession session = session();
    Jid to = Jid.parse(part.to());
    if (session == null) {
      return notConnected();
    }
    if (to == null) {
      return new Outcome.Rejected(Blame.TARGET, "to is not an address such as ann@example.org");
    }
    Kind kind;
    try {
      switch (rooms.place(session, to)) {
        case Rooms.Place.Not(Outcome outcome) -> {
          return outcome;
        }
        case Rooms.Place.Known(Kind known) -> kind = known;
      }
    } catch (IOException e) { // nothing of the part was sent
      return new Outcome.NotSent(String.valueOf(e.getMessage()));
    }
    return send(session, part, to, kind);
  }

  private Outcome send(XmppSession session, Dispatch part, Jid to, Kind kind) {
    String key = part.key();
    Sent message = sent.begin(key, to, kind);
    try {
      session.say(XmppRequest.of(part, to, kind), key);
    } catch (XmlStream.NotWritten _) {
      sent.end(key, message);
      return notConnected();
    } catch (IOException e) {
      return new Outcome.Unknown("the connection broke while it was written: " + e.getMessage());
    }
    time.awaitFor(CompletableFuture.anyOf(message.fate(), session.ended()), account.timeout());
    if (!message.fate().isDone()) {
      return new Outcome.Unknown(
          session.ended().isDone()
              ? "the connection was lost before it was acknowledged"
              : "not acknowledged within " + account.timeout().toSeconds() + " s");
    }
    sent.end(key, message);
    return switch (message.fate().join()) {
      case Fate.Arrived _ -> new Outcome.Delivered(receipt(key, kind));
      case Fate.Refused(Outcome outcome) -> outcome;
      case Fate.Absent _ -> new Outcome.NotSent("it did not reach the server");
      case Fate.Forgotten _ -> new Outcome.Unknown("the connection was replaced by another");
    };
  }

  /** A room has shown it; of a person one may still hear that it did not arrive. */
  private static Receipt receipt(String key, Kind kind) {
    return new Receipt(key, kind != Kind.ROOM);
  }

  @Override
  public UploadResult upload(PartFile file) throws IOException {
    XmppSession session = session();
    return session == null
        ? new UploadResult.Failed(notConnected())
        : uploads.upload(session, file);
  }

  // ---- looking

  @Override
  public Reconciliation reconcile(Dispatch part) throws IOException {
    String key = part.key();
    Sent message = sent.find(key);
    boolean settled = message == null;
    if (message != null && time.awaitFor(message.fate(), account.timeout())) {
      sent.end(key, message);
      switch (message.fate().join()) {
        case Fate.Arrived _ -> {
          return new Reconciliation.Found(receipt(key, message.kind()));
        }
        case Fate.Absent _, Fate.Refused _ -> {
          return new Reconciliation.Absent();
        }
        case Fate.Forgotten _ -> settled = true;
      }
    }
    CompletableFuture<Standing> next = standing;
    Jid to = Jid.parse(part.to());
    if (to == null || !time.awaitFor(next, account.timeout())) {
      return new Reconciliation.Inconclusive();
    }
    return look(next.join(), part, to, settled);
  }

  /**
   * Looks into the archive. That something is not in there proves something only if the connection
   * it was written on is replaced by another, so that nothing of it can still be on its way.
   */
  private Reconciliation look(Standing now, Dispatch part, Jid to, boolean settled)
      throws IOException {
    XmppSession session = now.session;
    if (!(rooms.place(session, to) instanceof Rooms.Place.Known(Kind kind))) {
      return new Reconciliation.Inconclusive();
    }
    boolean room = kind == Kind.ROOM;
    if (room ? !rooms.archives(to) : !now.connection.archives()) {
      return new Reconciliation.Inconclusive();
    }
    Instant since = part.mayBeThereSince().minus(XmppConnection.SKEW);
    Boolean found =
        archive.has(session::ask, room ? to : null, room ? null : to, since, part.key());
    if (Boolean.TRUE.equals(found)) {
      return new Reconciliation.Found(receipt(part.key(), kind));
    }
    boolean replaced = settled && session.self().equals(account.jid());
    boolean certain =
        room
            ? to.domain().endsWith("." + account.jid().domain())
            : XmppArchive.keepsAll(session::ask, to);
    return Boolean.FALSE.equals(found) && replaced && certain
        ? new Reconciliation.Absent()
        : new Reconciliation.Inconclusive();
  }

  // ---- health

  @Override
  public Probe probe() {
    XmppSession session = session();
    try {
      if (session != null) {
        return session.ask("get", null, XmlElement.of("ping", XmppSession.PING)) == null
            ? new Probe.Unreachable("the server does not answer")
            : new Probe.Healthy(session.self() + troubles());
      }
      try (XmlStream alone = new XmlStream(account.jid().domain())) {
        login.login(alone);
        return new Probe.Healthy(account.jid().bare().toString());
      }
    } catch (XmppLogin.Refused e) {
      return new Probe.Broken(String.valueOf(e.getMessage()));
    } catch (IOException e) {
      return new Probe.Unreachable(String.valueOf(e.getMessage()));
    }
  }

  private String troubles() {
    List<Jid> wanted = account.rooms();
    return rooms.troubles().entrySet().stream()
        .filter(trouble -> wanted.contains(trouble.getKey()))
        .map(trouble -> "; not in " + trouble.getKey() + ": " + trouble.getValue())
        .collect(Collectors.joining());
  }
}
