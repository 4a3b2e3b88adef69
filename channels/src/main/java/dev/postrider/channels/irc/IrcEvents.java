package dev.postrider.channels.irc;

import dev.postrider.channels.http.PlatformTime;
import dev.postrider.channels.http.Sha256;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.inbound.InboundMessage.ChatKind;
import dev.postrider.inbound.InboundMessage.Kind;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What others say, as events. For one connection and one thread. */
final class IrcEvents {
  private static final String ACTION = "\u0001ACTION ";

  /** Bold, italic and so on, and colours with their numbers. */
  private static final Pattern LOOKS =
      Pattern.compile(
          "\\x03(?:\\d{1,2}(?:,\\d{1,2})?)?|\\x04(?:[0-9A-Fa-f]{6})?|[\\x00-\\x09\\x0b-\\x1f]");

  private final IrcSession session;
  private final Instant began;
  private long count;

  /**
   * @param began when the connection began: names what has no name of its own
   */
  IrcEvents(IrcSession session, Instant began) {
    this.session = session;
    this.began = began;
  }

  /** What a line of another tells; null if it is from one program to another (CTCP). */
  @Nullable InboundMessage of(IrcMessage message) {
    count++;
    String said = message.last();
    boolean action = said.startsWith(ACTION);
    if (said.startsWith("\u0001") && !action) {
      return null;
    }
    String target = message.param(0).replaceFirst("^[~&@%+!]+(?=[#&])", "");
    boolean channel = session.facts().isChannel(target);
    String id = message.tag("msgid");
    String reply = message.tag("+draft/reply");
    String text = LOOKS.matcher(action ? said.substring(ACTION.length()) : said).replaceAll("");
    return new InboundMessage(
        id.isEmpty() ? derived(message) : id,
        // A program must not answer a notice: two of them would never end.
        message.is("NOTICE") ? Kind.OTHER : Kind.MESSAGE,
        channel ? target : message.nick(),
        channel ? ChatKind.GROUP : ChatKind.DM,
        new InboundMessage.Sender(session.fold(message.nick()), message.nick()),
        action ? "/me " + text : text,
        List.of(),
        id.isEmpty() ? null : id,
        reply.isEmpty() ? null : reply,
        null,
        time(message),
        raw(message));
  }

  /**
   * The same line told again, by a bouncer for example, has the same time. One without a time is
   * told once.
   */
  private String derived(IrcMessage message) {
    String time = message.tag("time");
    String when = time.isEmpty() ? began + " " + count : time;
    return "derived:"
        + Sha256.hex(String.join("\n", when, message.source(), message.param(0), message.last()));
  }

  private static @Nullable Instant time(IrcMessage message) {
    try {
      String time = message.tag("time");
      return time.isEmpty() ? null : PlatformTime.storable(Instant.parse(time));
    } catch (DateTimeException e) {
      return null;
    }
  }

  private static Map<String, ?> raw(IrcMessage message) {
    Map<String, Object> raw = new LinkedHashMap<>();
    raw.put("command", message.command());
    raw.put("source", message.source());
    raw.put("target", message.param(0));
    raw.put("text", message.last());
    raw.put("tags", new LinkedHashMap<>(message.tags()));
    return raw;
  }
}
