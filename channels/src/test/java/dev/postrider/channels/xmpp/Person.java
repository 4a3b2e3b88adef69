package dev.postrider.channels.xmpp;

import dev.postrider.channels.Settings;
import dev.postrider.config.AccountConfig;
import dev.postrider.time.Scheduler;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Somebody with a client that shows everything and does what the test says. */
final class Person implements AutoCloseable, XmppSession.Listener {
  final BlockingQueue<XmlElement> messages = new LinkedBlockingQueue<>();
  final BlockingQueue<XmlElement> presences = new LinkedBlockingQueue<>();
  private final XmlStream stream = new XmlStream("localhost");
  final XmppSession session;

  Person(AccountConfig config, Scheduler time) throws IOException {
    XmppAccount account = XmppAccount.of(Settings.of(config));
    XmlElement features = new XmppLogin(account, () -> "n0nce").login(stream);
    session = XmppSession.open(stream, features, account, null, null, time, this).session();
    stream.patient();
    Thread.startVirtualThread(
        () -> {
          try {
            session.follow();
          } catch (IOException e) {
            session.end(String.valueOf(e.getMessage()));
          }
        });
    session.ask("get", null, XmlElement.of("query", "jabber:iq:roster")); // to be told of changes
    say(XmlElement.client("presence"));
  }

  void say(XmlElement stanza) throws IOException {
    session.say(stanza, "");
  }

  void write(String to, String body, XmlElement... more) throws IOException {
    say(
        XmlElement.client("message")
            .with("to", to)
            .with("type", to.startsWith("team") ? "groupchat" : "chat")
            .with("id", "from-person-" + body.hashCode())
            .add(XmlElement.client("body").text(body))
            .add(more));
  }

  /** Makes a room, or enters it, and gives what the room says to that. */
  void enter(String room, String nick) throws Exception {
    say(
        XmlElement.client("presence")
            .with("to", room + "/" + nick)
            .add(XmlElement.of("x", "http://jabber.org/protocol/muc")));
    XmlElement presence = presences.poll(2, TimeUnit.MINUTES);
    while (presence == null || !presence.xml().contains("'110'")) {
      presence = presences.poll(2, TimeUnit.MINUTES);
    }
    session.ask(
        "set",
        Jid.parse(room),
        XmlElement.of("query", "http://jabber.org/protocol/muc#owner")
            .add(XmlElement.of("x", "jabber:x:data").with("type", "submit")));
  }

  /** The next message that has a text, and was not kept for a person of an earlier test. */
  XmlElement next() throws InterruptedException {
    while (true) {
      XmlElement message = messages.poll(2, TimeUnit.MINUTES);
      if (message == null) {
        throw new AssertionError("nothing came");
      }
      if (message.child("body", XmlElement.CLIENT) != null
          && message.child("delay", XmppEvents.DELAY) == null) {
        return message;
      }
    }
  }

  @Override
  public void message(XmlElement message) {
    messages.add(message);
  }

  @Override
  public void presence(XmlElement presence) {
    presences.add(presence);
  }

  @Override
  public @Nullable List<XmlElement> query(XmlElement iq) {
    return null;
  }

  @Override
  public void acknowledged(List<String> ids) {}

  @Override
  public void close() {
    stream.close();
  }
}
