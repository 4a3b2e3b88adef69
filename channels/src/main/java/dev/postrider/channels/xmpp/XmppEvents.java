package dev.postrider.channels.xmpp;

import dev.postrider.channels.http.Sha256;
import dev.postrider.inbound.DeliveryReport;
import dev.postrider.inbound.DeliveryReport.State;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.inbound.InboundMessage.ChatKind;
import dev.postrider.inbound.InboundMessage.Kind;
import dev.postrider.inbound.InboundMessage.Sender;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What messages from the server mean, in words that all channels share. */
final class XmppEvents {
  static final String DELAY = "urn:xmpp:delay";
  private static final String REACTIONS = "urn:xmpp:reactions:0";
  private static final String FALLBACK = "urn:xmpp:fallback:0";

  private final Jid self;
  private final boolean numbered;
  private final InstantSource clock;

  /**
   * @param numbered whether our server gives messages ids, and takes away what others claim to be
   *     one (XEP-0359)
   */
  XmppEvents(Jid self, boolean numbered, InstantSource clock) {
    this.self = self;
    this.numbered = numbered;
    this.clock = clock;
  }

  /** The id that a message's sender gave it (XEP-0359), or null. */
  static @Nullable String origin(XmlElement message) {
    XmlElement origin = message.child("origin-id", XmppRequest.ORIGIN);
    return origin == null ? null : origin.get("id");
  }

  /** When it was sent, if it was not sent just now. */
  static @Nullable Instant delayed(@Nullable XmlElement delay) {
    try {
      return delay == null ? null : OffsetDateTime.parse(delay.get("stamp", "")).toInstant();
    } catch (DateTimeException _) {
      return null;
    }
  }

  /**
   * Reads a message; null if it is of nobody, or says nothing.
   *
   * @param archived the id that our server's archive knows it by, if it comes from there
   * @param nick ours, if it comes from a room that we are in
   * @param delay from outside the message, if that is how it came
   */
  @Nullable InboundMessage read(
      XmlElement message,
      @Nullable String archived,
      @Nullable String nick,
      @Nullable XmlElement delay) {
    Jid from = Jid.parse(message.get("from"));
    boolean group = message.get("type", "normal").equals("groupchat");
    if (from == null
        || from.local().isEmpty()
        || from.sameBare(self)
        || (group && (from.isBare() || from.resource().equals(nick)))
        || List.of("error", "headline").contains(message.get("type", "normal"))) {
      return null;
    }
    String body = message.textOf("body", XmlElement.CLIENT);
    XmlElement reactions = message.child("reactions", REACTIONS);
    XmlElement correction = message.child("replace", XmppRequest.CORRECTION);
    if (body == null && reactions == null) {
      return null;
    }
    Jid by = group ? from.bare() : self.bare();
    String number = archived != null ? archived : numbered || group ? stanzaId(message, by) : null;
    String own = origin(message) != null ? origin(message) : message.get("id");
    boolean occupant =
        !group && (nick != null || message.child("x", XmppRequest.ROOM_USER) != null);
    XmlElement reply = message.child("reply", XmppRequest.REPLY);
    List<InboundMessage.File> files = files(message);
    XmlElement inner = message.child("delay", DELAY);
    return new InboundMessage(
        platformId(message, from, by, number, own),
        reactions != null ? Kind.REACTION : correction != null ? Kind.EDIT : Kind.MESSAGE,
        (occupant ? from : from.bare()).toString(),
        group ? ChatKind.GROUP : ChatKind.DM,
        new Sender(
            (group || occupant ? from : from.bare()).toString(),
            group || occupant ? from.resource() : null),
        reactions != null ? emoji(reactions) : text(message, String.valueOf(body), files),
        files,
        reactions != null
            ? reactions.get("id")
            : correction != null ? correction.get("id") : group && number != null ? number : own,
        reply == null ? null : reply.get("id"),
        message.textOf("thread", XmlElement.CLIENT),
        delayed(inner == null ? delay : inner),
        Map.of("xml", message.xml()));
  }

  /** By the server's number, else by the sender's own; without either none is like another. */
  private String platformId(
      XmlElement message, Jid from, Jid by, @Nullable String number, @Nullable String own) {
    if (number != null) {
      return by + " " + number;
    }
    return own == null
        ? "hash " + Sha256.hex(clock.instant() + " " + message.xml())
        : "from " + Sha256.hex(from + " " + own);
  }

  /** What an archive calls it, if its owner says so. */
  private static @Nullable String stanzaId(XmlElement message, Jid by) {
    for (XmlElement id : message.all("stanza-id", XmppRequest.ORIGIN)) {
      if (by.equals(Jid.parse(id.get("by")))) {
        return id.get("id");
      }
    }
    return null;
  }

  private static String emoji(XmlElement reactions) {
    return reactions.all("reaction", REACTIONS).stream()
        .map(XmlElement::text)
        .collect(Collectors.joining(" "));
  }

  private static List<InboundMessage.File> files(XmlElement message) {
    return message.all("x", XmppRequest.OOB).stream()
        .map(x -> x.textOf("url", XmppRequest.OOB))
        .filter(url -> url != null && !url.isBlank())
        .map(url -> new InboundMessage.File("document", null, url, name(url), null, null))
        .toList();
  }

  private static @Nullable String name(String url) {
    String path = url.replaceFirst("[?#].*", "");
    String last = path.substring(path.lastIndexOf('/') + 1);
    return last.isEmpty() ? null : last;
  }

  /** Without what stands there only for those who cannot show files or replies. */
  private static @Nullable String text(
      XmlElement message, String body, List<InboundMessage.File> files) {
    if (files.stream().anyMatch(file -> body.strip().equals(file.url()))) {
      return null;
    }
    for (XmlElement fallback : message.all("fallback", FALLBACK)) {
      XmlElement range = fallback.child("body", FALLBACK);
      if (fallback.get("for", "").equals(XmppRequest.REPLY) && range != null) {
        return cut(body, range.get("start", "0"), range.get("end", "0"));
      }
    }
    return body;
  }

  /** The numbers count code points. */
  private static String cut(String body, String start, String end) {
    try {
      int from = body.offsetByCodePoints(0, Integer.parseInt(start));
      int to = body.offsetByCodePoints(0, Integer.parseInt(end));
      return from <= to ? body.substring(0, from) + body.substring(to) : body;
    } catch (NumberFormatException | IndexOutOfBoundsException _) {
      return body;
    }
  }

  /**
   * What a message says of one of ours (XEP-0184, XEP-0333); null if nothing.
   *
   * @param now if it does not say when
   */
  static @Nullable DeliveryReport report(XmlElement message, Instant now) {
    Instant stamp = delayed(message.child("delay", DELAY));
    for (XmlElement child : message) {
      String id = child.get("id");
      State state =
          switch (child.namespace() + " " + child.name()) {
            case XmppRequest.RECEIPTS + " received", XmppRequest.MARKERS + " received" ->
                State.DELIVERED;
            case XmppRequest.MARKERS + " displayed", XmppRequest.MARKERS + " acknowledged" ->
                State.READ;
            default -> null;
          };
      if (state != null && id != null && !id.isEmpty()) {
        return new DeliveryReport(id, state, stamp == null ? now : stamp, null);
      }
    }
    return null;
  }
}
