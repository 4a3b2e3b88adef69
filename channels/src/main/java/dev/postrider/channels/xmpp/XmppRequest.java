package dev.postrider.channels.xmpp;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.PartFile;
import dev.postrider.message.Message;
import dev.postrider.problem.InvalidInput;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The stanza of a part. Its id is the part's key: the same on every try. */
final class XmppRequest {
  static final String OOB = "jabber:x:oob";
  static final String ORIGIN = "urn:xmpp:sid:0";
  static final String RECEIPTS = "urn:xmpp:receipts";
  static final String MARKERS = "urn:xmpp:chat-markers:0";
  static final String CORRECTION = "urn:xmpp:message-correct:0";
  static final String REPLY = "urn:xmpp:reply:0";
  static final String STYLING = "urn:xmpp:styling:0";
  static final String ROOM_USER = "http://jabber.org/protocol/muc#user";

  private static final Set<String> KNOWN = Set.of("subject", "replace");

  private XmppRequest() {}

  /** What a part is sent to. */
  enum Kind {
    PERSON,
    ROOM,
    /** Somebody in a room, who alone sees it. */
    OCCUPANT
  }

  static XmlElement of(Dispatch part, Jid to, Kind kind) {
    String key = part.key();
    PartFile file = part.cargo().isEmpty() ? null : part.cargo().getFirst();
    String address = file == null ? null : address(file);
    XmlElement message =
        XmlElement.client("message")
            .with("to", to)
            .with("type", kind == Kind.ROOM ? "groupchat" : "chat")
            .with("id", key)
            .add(XmlElement.client("body").text(body(part, address)))
            .add(XmlElement.of("origin-id", ORIGIN).with("id", key));
    if (address != null) {
      message = message.add(XmlElement.of("x", OOB).add(XmlElement.of("url", OOB).text(address)));
    } else if (!part.isMarkup()) {
      message = message.add(XmlElement.of("unstyled", STYLING));
    }
    if (part.threadId() instanceof String thread) {
      message = message.add(XmlElement.client("thread").text(thread));
    }
    if (part.replyToId() instanceof String answered) {
      XmlElement reply = XmlElement.of("reply", REPLY).with("id", answered);
      message = message.add(kind == Kind.ROOM ? reply : reply.with("to", to));
    }
    Map<String, @Nullable Object> data = part.channelData();
    if (data.get("subject") instanceof String subject) {
      message = message.add(XmlElement.client("subject").text(subject));
    }
    if (data.get("replace") instanceof String replaced) {
      message = message.add(XmlElement.of("replace", CORRECTION).with("id", replaced));
    }
    return switch (kind) {
      case ROOM -> message;
      case OCCUPANT -> message.add(XmlElement.of("x", ROOM_USER));
      case PERSON ->
          message.add(XmlElement.of("request", RECEIPTS), XmlElement.of("markable", MARKERS));
    };
  }

  /** Clients show a file whose address is all of the text. */
  private static String body(Dispatch part, @Nullable String address) {
    String text = part.text();
    return address == null ? String.valueOf(text == null ? "" : text) : address;
  }

  private static @Nullable String address(PartFile file) {
    return file.handle() == null ? file.attachment().url() : file.handle().value();
  }

  /** Refuses fields that mean nothing here. */
  static void check(Message message) {
    message
        .channelData()
        .forEach(
            (field, value) -> {
              if (!KNOWN.contains(field)) {
                throw new InvalidInput(
                    "channelData." + field, "is not known; XMPP has subject and replace");
              }
              if (!(value instanceof String text) || text.isBlank() || text.length() > 1000) {
                throw new InvalidInput(
                    "channelData." + field, "must be a text of up to 1000 characters");
              }
            });
  }
}
