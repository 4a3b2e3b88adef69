package dev.postrider.channels.xmpp;

import dev.postrider.channels.socket.PendingAnswers;
import dev.postrider.channels.socket.PendingAnswers.End;
import dev.postrider.time.Scheduler;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One connection on which we are bound to a resource, until it ends. One thread reads ({@link
 * #follow}); everything else may be called by any other.
 */
final class XmppSession {
  static final String SM = "urn:xmpp:sm:3";
  static final String PING = "urn:xmpp:ping";
  private static final String BIND = "urn:ietf:params:xml:ns:xmpp-bind";
  private static final String FENCE = "after-";

  /** Whoever is told what comes. Called by the thread that reads. */
  interface Listener {
    void message(XmlElement message) throws IOException;

    void presence(XmlElement presence) throws IOException;

    /** Asked by somebody; gives the answer's content, or null if we know none. */
    @Nullable List<XmlElement> query(XmlElement iq);

    /** The server has these messages. */
    void acknowledged(List<String> ids);
  }

  private final XmlStream stream;
  private final Scheduler time;
  private final Duration timeout;
  private final Listener listener;
  private final Jid self;
  private final @Nullable StreamAcks acks;
  private final boolean resumed;
  private final ReentrantLock order = new ReentrantLock();
  private final PendingAnswers<XmlElement> answers;
  private final Map<String, Jid> asked = new ConcurrentHashMap<>();
  private final CompletableFuture<String> ended = new CompletableFuture<>();
  private volatile boolean heard = true;
  private boolean questioned;

  private XmppSession(
      XmlStream stream,
      Scheduler time,
      Duration timeout,
      Listener listener,
      Jid self,
      @Nullable StreamAcks acks,
      boolean resumed) {
    this.stream = stream;
    this.time = time;
    this.timeout = timeout;
    this.listener = listener;
    this.self = self;
    this.acks = acks;
    this.resumed = resumed;
    answers = new PendingAnswers<>(time);
  }

  /**
   * What became of the stanzas of the connection before.
   *
   * @param known whether the server could tell
   * @param had those that it has
   * @param lost those that never reached it
   */
  record Before(boolean known, List<String> had, List<String> lost) {
    static final Before UNKNOWN = new Before(false, List.of(), List.of());
  }

  /** A session, and what the server said of the one before. */
  record Opened(XmppSession session, Before before) {}

  /**
   * Goes on with a session that was cut off, or begins one.
   *
   * @param features what the server offers after the login
   * @param previous of the session before; null if there was none that could be resumed
   */
  static Opened open(
      XmlStream stream,
      XmlElement features,
      XmppAccount account,
      @Nullable StreamAcks previous,
      @Nullable Jid boundBefore,
      Scheduler time,
      Listener listener)
      throws IOException {
    boolean counts = features.child("sm", SM) != null;
    Duration timeout = account.timeout();
    Before before = Before.UNKNOWN;
    if (counts && previous != null && previous.id() != null && boundBefore != null) {
      stream.write(
          XmlElement.of("resume", SM)
              .with("previd", previous.id())
              .with("h", previous.handled())
              .xml());
      XmlElement answer = stream.next();
      String count = answer.get("h");
      if (count != null) {
        before = new Before(true, previous.upTo(number(count)), previous.withdrawRest());
      }
      if (answer.is("resumed", SM)) {
        return new Opened(
            new XmppSession(stream, time, timeout, listener, boundBefore, previous, true), before);
      }
    }
    Jid self = bind(stream, account.jid());
    StreamAcks acks = counts ? enable(stream) : null;
    return new Opened(new XmppSession(stream, time, timeout, listener, self, acks, false), before);
  }

  private static Jid bind(XmlStream stream, Jid wanted) throws IOException {
    stream.write(
        XmlElement.client("iq")
            .with("type", "set")
            .with("id", "bind")
            .add(
                XmlElement.of("bind", BIND)
                    .add(XmlElement.of("resource", BIND).text(wanted.resource())))
            .xml());
    XmlElement answer = stream.next();
    XmlElement bound = answer.child("bind", BIND);
    Jid self = bound == null ? null : Jid.parse(bound.textOf("jid", BIND));
    if (!"bind".equals(answer.get("id")) || self == null || self.isBare()) {
      throw new IOException("the server binds no resource: " + XmppVerdict.describe(answer));
    }
    return self;
  }

  private static @Nullable StreamAcks enable(XmlStream stream) throws IOException {
    stream.write(XmlElement.of("enable", SM).with("resume", "true").xml());
    XmlElement answer = stream.next();
    if (!answer.is("enabled", SM)) {
      return null;
    }
    boolean resumable = List.of("true", "1").contains(answer.get("resume", "false"));
    return new StreamAcks(resumable ? answer.get("id") : null);
  }

  Jid self() {
    return self;
  }

  boolean resumed() {
    return resumed;
  }

  @Nullable StreamAcks acks() {
    return acks;
  }

  /** Done with the cause once the connection has ended. */
  CompletableFuture<String> ended() {
    return ended;
  }

  // ---- reading

  /** Hands on what comes, until the connection ends. */
  void follow() throws IOException {
    while (true) {
      take(stream.next());
    }
  }

  private void take(XmlElement element) throws IOException {
    heard = true;
    if (element.namespace().equals(SM)) {
      if (element.name().equals("r")) {
        tellHandled();
      } else if (element.name().equals("a") && acks != null) {
        listener.acknowledged(acks.upTo(number(element.get("h", ""))));
      }
      return;
    }
    switch (element.name()) {
      case "message" -> listener.message(element);
      case "presence" -> listener.presence(element);
      case "iq" -> query(element);
      default -> {} // not for us
    }
    if (acks != null) {
      acks.handledOne(); // now that it is stored
    }
  }

  private void tellHandled() throws IOException {
    if (acks != null) {
      stream.write(XmlElement.of("a", SM).with("h", acks.handled()).xml());
    }
  }

  private static long number(String text) throws IOException {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new IOException("the server counts with something that is no number", e);
    }
  }

  private void query(XmlElement iq) throws IOException {
    String id = iq.get("id", "");
    switch (iq.get("type", "")) {
      case "result", "error" -> {
        Jid of = asked.get(id);
        if (of != null && isFrom(of, iq.get("from"))) {
          asked.remove(id);
          if (id.startsWith(FENCE)) {
            listener.acknowledged(List.of(id.substring(FENCE.length())));
          } else {
            answers.answered(id, iq);
          }
        }
      }
      default -> {
        List<XmlElement> content = listener.query(iq);
        XmlElement answer = XmlElement.client("iq").with("id", id).with("to", iq.get("from"));
        say(
            content == null
                ? answer
                    .with("type", "error")
                    .add(
                        XmlElement.client("error")
                            .with("type", "cancel")
                            .add(XmlElement.of("service-unavailable", XmppVerdict.STANZAS)))
                : answer.with("type", "result").add(content.toArray(XmlElement[]::new)),
            "");
      }
    }
  }

  /** Our own server may answer without a name, or in ours. */
  private boolean isFrom(Jid asked, @Nullable String from) {
    Jid answering = from == null ? self.bare() : Jid.parse(from);
    boolean own = asked.equals(self.bare()) || asked.toString().equals(self.domain());
    return asked.equals(answering)
        || (own
            && answering != null
            && (answering.sameBare(self) || answering.toString().equals(self.domain())));
  }

  // ---- writing

  /**
   * Writes a stanza. If it has an id, the server is asked to acknowledge it.
   *
   * @throws XmlStream.NotWritten if not a byte went out
   */
  void say(XmlElement stanza, String id) throws IOException {
    try {
      order.lockInterruptibly();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new XmlStream.NotWritten("others are still writing");
    }
    try {
      String cause = ended.getNow(null);
      if (cause != null) {
        throw new XmlStream.NotWritten(cause);
      }
      String xml = stanza.xml();
      if (acks != null) {
        acks.sent(id);
        stream.write(id.isEmpty() ? xml : xml + XmlElement.of("r", SM).xml());
      } else {
        stream.write(id.isEmpty() ? xml : xml + fence(id).xml());
      }
    } finally {
      order.unlock();
    }
  }

  /** A server that does not count handles stanzas in order: what it answers comes after. */
  private XmlElement fence(String id) {
    asked.put(FENCE + id, self.bare());
    return ping(FENCE + id);
  }

  private static XmlElement ping(String id) {
    return XmlElement.client("iq")
        .with("type", "get")
        .with("id", id)
        .add(XmlElement.of("ping", PING));
  }

  /**
   * Asks somebody, and gives the answer or the error; null if there was none.
   *
   * @param to null for our own account
   */
  @Nullable XmlElement ask(String type, @Nullable Jid to, XmlElement content) throws IOException {
    return answer(time.await(question(type, to, content)));
  }

  /** The same for the thread that reads. */
  @Nullable XmlElement askWhileReading(String type, @Nullable Jid to, XmlElement content)
      throws IOException {
    CompletableFuture<End<XmlElement>> end = question(type, to, content);
    while (!end.isDone()) {
      take(stream.next());
    }
    return answer(end.join());
  }

  private static @Nullable XmlElement answer(End<XmlElement> end) {
    return end instanceof End.Answered<XmlElement>(XmlElement answer) ? answer : null;
  }

  private CompletableFuture<End<XmlElement>> question(
      String type, @Nullable Jid to, XmlElement content) throws IOException {
    PendingAnswers.Question<XmlElement> question = answers.ask(timeout);
    String id = question.id();
    asked.put(id, to == null ? self.bare() : to);
    CompletableFuture<End<XmlElement>> end = question.end();
    end.whenComplete((_, _) -> asked.remove(id));
    XmlElement iq =
        XmlElement.client("iq").with("type", type).with("id", id).with("to", to).add(content);
    say(iq, "");
    return end;
  }

  // ---- signs of life

  /**
   * Looks whether anything has come since the last look; asks for a sign of life if not, and ends
   * the connection if there was none then either. Does not block.
   */
  void look() {
    if (heard) {
      heard = false;
      questioned = false;
    } else if (questioned) {
      stream.close("the server has fallen silent");
    } else {
      questioned = true;
      time.start("ping", this::askForLife);
    }
  }

  private void askForLife() {
    if (order.isLocked() || stream.isBusy()) {
      return; // somebody cannot write: that is a question, too
    }
    try {
      if (acks != null) {
        stream.write(XmlElement.of("r", SM).xml());
      } else {
        String id = "alive";
        asked.put(id, self.bare());
        stream.write(ping(id).xml());
      }
    } catch (IOException _) {
      // Whoever reads hears of it.
    }
  }

  /** The connection is gone: nobody will answer. */
  void end(String cause) {
    ended.complete(cause);
    stream.close(cause);
    answers.lost(cause);
  }
}
