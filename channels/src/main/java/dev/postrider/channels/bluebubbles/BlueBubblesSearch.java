package dev.postrider.channels.bluebubbles;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Memory;
import dev.postrider.channel.Reconciliation;
import dev.postrider.channels.bluebubbles.BlueBubblesApi.Answer;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.imessage.ChatGuid;
import dev.postrider.message.Attachment;
import dev.postrider.message.Receipt;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Looks for a part among the messages that the Mac has: one of ours in that chat, with that text or
 * that file, after the last one that we know of. Asks for the messages of all chats: a Mac has a
 * chat only once somebody has written in it.
 */
final class BlueBubblesSearch {
  /** The number of the last message of ours in a chat. */
  static final String LAST_ROW = "last-row";

  /** The server gives no more at a time. */
  private static final int PAGE = 1000;

  private static final int MOST_PAGES = 10;

  /** How far the Mac's clock and ours may be apart. */
  private static final Duration SKEW = Duration.ofMinutes(5);

  private final BlueBubblesApi api;
  private final Memory memory;

  BlueBubblesSearch(BlueBubblesApi api, Memory memory) {
    this.api = api;
    this.memory = memory;
  }

  Reconciliation find(Dispatch dispatch) {
    long known = memory.read(dispatch.to(), LAST_ROW).map(Long::parseLong).orElse(0L);
    Map<String, Object> query = new LinkedHashMap<>();
    query.put("with", List.of("chat", "attachment"));
    query.put("after", dispatch.mayBeThereSince().minus(SKEW).toEpochMilli());
    query.put("sort", "ASC");
    query.put("limit", PAGE);
    for (int page = 0; page < MOST_PAGES; page++) {
      query.put("offset", page * PAGE);
      if (!(api.list("/message/query", query) instanceof Answer.Done done)
          || !done.data().isArray()) {
        return new Reconciliation.Inconclusive();
      }
      JsonNode found = in(done.data(), dispatch, known);
      if (found != null) {
        return new Reconciliation.Found(new Receipt(found.path("guid").asString(""), true));
      }
      if (done.data().size() < PAGE) {
        return new Reconciliation.Absent();
      }
    }
    return new Reconciliation.Inconclusive();
  }

  private static @Nullable JsonNode in(JsonNode messages, Dispatch dispatch, long known) {
    ChatGuid chat = ChatGuid.of(dispatch.to());
    for (JsonNode message : messages) {
      Long row = Json.count(message.path("originalROWID"));
      if (message.path("isFromMe").asBoolean(false)
          && message.path("error").asLong(0) == 0
          && Json.text(message, "associatedMessageGuid") == null
          && (row == null || row > known)
          && message.path("chats").valueStream().anyMatch(each -> isChat(chat, each))
          && isSame(message, dispatch)) {
        return message;
      }
    }
    return null;
  }

  private static boolean isChat(ChatGuid chat, JsonNode each) {
    return chat.isIn(each.path("guid").asString(""));
  }

  /** A file is known by its name, a text by its words. */
  private static boolean isSame(JsonNode message, Dispatch dispatch) {
    List<Attachment> files = dispatch.part().media();
    if (!files.isEmpty()) {
      String name = stem(BlueBubblesRequest.filename(files.getFirst()));
      return message
          .path("attachments")
          .valueStream()
          .anyMatch(file -> stem(file.path("transferName").asString("")).equals(name));
    }
    String text = dispatch.text();
    return text != null && words(text).equals(words(message.path("text").asString("")));
  }

  /** Messages gives what it converts another ending. */
  private static String stem(String name) {
    int dot = name.lastIndexOf('.');
    return dot > 0 ? name.substring(0, dot) : name;
  }

  /** Without what Messages changes about spaces, and the sign that stands for a file. */
  private static String words(String text) {
    return text.replace("\ufffc", "").replaceAll("\\s+", " ").strip();
  }
}
