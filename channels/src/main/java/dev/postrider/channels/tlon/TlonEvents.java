package dev.postrider.channels.tlon;

import static dev.postrider.channels.http.Json.text;

import dev.postrider.channels.http.Json;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.inbound.InboundMessage.ChatKind;
import dev.postrider.inbound.InboundMessage.Kind;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Says what a ship tells, live and afterwards. Releases differ in what they call what was said
 * ({@code essay}, {@code memo}, {@code reply-essay}); all are read.
 *
 * @param ship whose messages are our own
 */
record TlonEvents(String ship) {

  /** What an event of the apps chat or channels means; empty if nobody needs to know. */
  List<InboundMessage> live(JsonNode event) {
    InboundMessage read = event.has("nest") ? post(event) : message(event);
    return read == null ? List.of() : List.of(read);
  }

  private @Nullable InboundMessage message(JsonNode event) {
    String chat = text(event, "whom");
    String id = text(event, "id");
    JsonNode what = event.path("response");
    if (chat == null || id == null) {
      return null;
    }
    if (what.has("add")) {
      return said(chat, id, null, what.path("add"), what.path("add").path("time"));
    }
    JsonNode reply = what.path("reply");
    String replyId = text(reply, "id");
    JsonNode added = reply.path("delta").path("add");
    return replyId == null || added.isMissingNode()
        ? reaction(chat, id, what.path("add-react"))
        : said(chat, replyId, id, added, added.path("time"));
  }

  private @Nullable InboundMessage post(JsonNode event) {
    String chat = text(event, "nest");
    JsonNode post = event.path("response").path("post");
    String id = plain(text(post, "id"));
    JsonNode what = post.path("r-post");
    if (chat == null || id == null) {
      return null;
    }
    if (what.has("set")) {
      return said(chat, id, null, what.path("set"), post.path("id"));
    }
    JsonNode reply = what.path("reply");
    String replyId = plain(text(reply, "id"));
    return replyId == null
        ? null
        : said(chat, replyId, id, reply.path("r-reply").path("set"), reply.path("id"));
  }

  /**
   * What was said in a chat since then, from what changed in it.
   *
   * @param changed by time: messages, or posts
   */
  List<InboundMessage> since(String chat, JsonNode changed, Instant since) {
    List<InboundMessage> all = new ArrayList<>();
    for (JsonNode one : changed.values()) {
      JsonNode seal = one.path("seal");
      String id = id(chat, text(seal, "id"));
      add(all, id == null ? null : said(chat, id, null, one, time(seal)), since);
      for (JsonNode reply : seal.path("replies").values()) {
        String replyId = id(chat, text(reply.path("seal"), "id"));
        add(
            all,
            replyId == null || id == null
                ? null
                : said(chat, replyId, id, reply, time(reply.path("seal"))),
            since);
      }
    }
    all.sort(
        Comparator.comparing(
            (InboundMessage it) -> it.sentAt() == null ? Instant.MIN : it.sentAt()));
    return all;
  }

  private static void add(
      List<InboundMessage> all, @Nullable InboundMessage message, Instant since) {
    Instant at = message == null ? null : message.sentAt();
    if (message != null && at != null && !at.isBefore(since)) {
      all.add(message);
    }
  }

  private static JsonNode time(JsonNode seal) {
    return seal.has("time") ? seal.path("time") : seal.path("id");
  }

  private static @Nullable String id(String chat, @Nullable String id) {
    return TlonRequest.isChannel(chat) ? plain(id) : id;
  }

  /** The host's names of posts come with dots and without. */
  private static @Nullable String plain(@Nullable String id) {
    BigInteger number = UrbitTime.parse(id);
    return number == null ? null : number.toString();
  }

  private @Nullable InboundMessage said(
      String chat, String id, @Nullable String thread, JsonNode holder, JsonNode time) {
    JsonNode memo = memo(holder);
    String author = author(memo);
    if (author == null || author.equals(ship)) {
      return null;
    }
    Instant at = UrbitTime.instant(UrbitTime.parse(time.asString("")));
    Long sent = Json.count(memo.path("sent"));
    JsonNode story = memo.path("content");
    return new InboundMessage(
        id,
        Kind.MESSAGE,
        chat,
        chat.startsWith("~") ? ChatKind.DM : ChatKind.GROUP,
        new InboundMessage.Sender(author, text(memo.path("author"), "nickname")),
        Story.text(story),
        Story.files(story),
        id,
        null, // Tlon answers in threads, not to messages
        thread,
        at != null || sent == null
            ? at
            : UrbitTime.instant(UrbitTime.of(Instant.ofEpochMilli(sent))),
        Json.map(memo));
  }

  static JsonNode memo(JsonNode holder) {
    for (String name : List.of("essay", "memo", "reply-essay")) {
      if (holder.path(name).isObject()) {
        return holder.path(name);
      }
    }
    return holder;
  }

  static @Nullable String author(JsonNode memo) {
    JsonNode author = memo.path("author");
    return author.isObject() ? text(author, "ship") : text(memo, "author");
  }

  private @Nullable InboundMessage reaction(String chat, String id, JsonNode react) {
    String author = author(react);
    String emoji = text(react, "react");
    return author == null || emoji == null || author.equals(ship)
        ? null
        : new InboundMessage(
            String.join(":", id, author, emoji),
            Kind.REACTION,
            chat,
            chat.startsWith("~") ? ChatKind.DM : ChatKind.GROUP,
            new InboundMessage.Sender(author, null),
            emoji,
            List.of(),
            id,
            null,
            null,
            null,
            Map.of("react", emoji, "author", author));
  }
}
