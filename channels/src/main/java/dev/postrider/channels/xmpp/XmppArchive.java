package dev.postrider.channels.xmpp;

import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Reads what a server, or a room, has kept of what was said (XEP-0313). Thread-safe. */
final class XmppArchive {
  static final String MAM = Rooms.ARCHIVE;
  static final String FORWARD = "urn:xmpp:forward:0";
  private static final String DATA = "jabber:x:data";
  private static final String PAGES = "http://jabber.org/protocol/rsm";
  private static final int PAGE = 100;

  private final AtomicLong last = new AtomicLong();
  private final Map<String, Reading> reading = new ConcurrentHashMap<>();

  /**
   * A page that is being read.
   *
   * @param owner whose archive; null for our own account's
   */
  private record Reading(@Nullable Jid owner, List<Kept> kept) {}

  /**
   * A message as it was kept.
   *
   * @param id the archive's own
   */
  record Kept(String id, XmlElement message, @Nullable XmlElement delay) {}

  /**
   * One page.
   *
   * @param whole whether nothing comes after it
   */
  record Page(List<Kept> messages, boolean whole, @Nullable String last) {}

  /** How a question is put to the session: by the thread that reads it, or another. */
  @FunctionalInterface
  interface Asking {
    @Nullable XmlElement ask(String type, @Nullable Jid to, XmlElement content) throws IOException;
  }

  /**
   * Reads a page.
   *
   * @param room whose archive; null for our own account's
   * @param with whom it was said to or by; null for all
   * @param after the last message of the page before; null for the first page
   * @return null if there is no answer that can be used
   */
  @Nullable Page read(
      Asking session, @Nullable Jid room, @Nullable Jid with, Instant since, @Nullable String after)
      throws IOException {
    String name = "a" + last.incrementAndGet();
    XmlElement form =
        XmlElement.of("x", DATA)
            .with("type", "submit")
            .add(
                field("FORM_TYPE", MAM).with("type", "hidden"),
                field("start", since.truncatedTo(ChronoUnit.SECONDS).toString()));
    XmlElement set = XmlElement.of("set", PAGES).add(XmlElement.of("max", PAGES).text("" + PAGE));
    XmlElement query =
        XmlElement.of("query", MAM)
            .with("queryid", name)
            .add(with == null ? form : form.add(field("with", with.toString())))
            .add(after == null ? set : set.add(XmlElement.of("after", PAGES).text(after)));
    List<Kept> kept = new ArrayList<>();
    reading.put(name, new Reading(room, kept));
    try {
      XmlElement answer = session.ask("set", room, query);
      XmlElement fin = answer == null ? null : answer.child("fin", MAM);
      if (fin == null) {
        return null;
      }
      boolean whole = List.of("true", "1").contains(fin.get("complete", "false"));
      XmlElement page = fin.child("set", PAGES);
      return new Page(List.copyOf(kept), whole, page == null ? null : page.textOf("last", PAGES));
    } finally {
      reading.remove(name);
    }
  }

  private static XmlElement field(String name, String value) {
    return XmlElement.of("field", DATA)
        .with("var", name)
        .add(XmlElement.of("value", DATA).text(value));
  }

  /**
   * Takes a message that brings one out of an archive. Called by the thread that reads, before the
   * answer to the question comes.
   *
   * @param own whether it comes from our own account
   * @return whether it is such a message
   */
  boolean took(XmlElement message, @Nullable Jid from, boolean own) {
    XmlElement result = message.child("result", MAM);
    if (result == null) {
      return false;
    }
    XmlElement forwarded = result.child("forwarded", FORWARD);
    XmlElement inner = forwarded == null ? null : forwarded.child("message", XmlElement.CLIENT);
    Reading page = reading.get(result.get("queryid", ""));
    if (page != null
        && forwarded != null
        && inner != null
        && (page.owner == null ? own : page.owner.equals(from))) { // others could make one up
      page.kept.add(
          new Kept(result.get("id", ""), inner, forwarded.child("delay", XmppEvents.DELAY)));
    }
    return true;
  }

  /** Whether an archive has a message of this id since then; null if it cannot tell. */
  @Nullable Boolean has(
      Asking session, @Nullable Jid room, @Nullable Jid with, Instant since, String id)
      throws IOException {
    String after = null;
    while (true) {
      Page page = read(session, room, with, since, after);
      if (page == null) {
        return null;
      }
      for (Kept kept : page.messages()) {
        if (id.equals(kept.message().get("id")) || id.equals(XmppEvents.origin(kept.message()))) {
          return true;
        }
      }
      if (page.whole()) {
        return false;
      }
      if (page.last() == null || page.last().equals(after)) {
        return null;
      }
      after = page.last();
    }
  }

  /** Whether our account keeps everything that is said with somebody. */
  static boolean keepsAll(Asking session, Jid with) throws IOException {
    XmlElement answer = session.ask("get", null, XmlElement.of("prefs", MAM));
    XmlElement prefs = answer == null ? null : answer.child("prefs", MAM);
    if (prefs == null || !prefs.get("default", "").equals("always")) {
      return false;
    }
    XmlElement never = prefs.child("never", MAM);
    return never == null
        || never.children().stream().noneMatch(one -> with.equals(Jid.parse(one.text())));
  }
}
