package dev.postrider.channels.imessage;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Memory;
import dev.postrider.channel.Reconciliation;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.process.JsonRpc.Answer;
import dev.postrider.message.Receipt;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Looks for a part in the history of its chat: one of ours with that text or that file, after the
 * last one that we know of. Chats come with the newest first: what is not among those in which
 * something has happened since is not there at all.
 */
final class IMessageSearch {
  /** The number of the last message of ours in a chat. */
  static final String LAST_ROW = "last-row";

  private static final int CHATS = 200;
  private static final int MESSAGES = 500;

  /** Messages may be written with the time at which the phone had them. */
  private static final Duration SKEW = Duration.ofMinutes(5);

  private final Memory memory;
  private final Duration patience;

  IMessageSearch(Memory memory, Duration patience) {
    this.memory = memory;
    this.patience = patience;
  }

  Reconciliation find(Imsg imsg, Dispatch dispatch) {
    IMessageAddress to = IMessageAddress.of(dispatch.to());
    Instant since = dispatch.mayBeThereSince().minus(SKEW);
    long known = memory.read(dispatch.to(), LAST_ROW).map(Long::parseLong).orElse(0L);
    List<JsonNode> chats = list(imsg, "chats.list", Map.of("limit", CHATS), "chats");
    if (chats == null || !reachesBack(chats, since)) {
      return new Reconciliation.Inconclusive();
    }
    for (JsonNode chat : chats) {
      if (!to.is(chat)) {
        continue;
      }
      List<JsonNode> messages =
          list(
              imsg,
              "messages.history",
              Map.of(
                  "chat_id",
                  chat.path("id").asLong(),
                  "start",
                  since.toString(),
                  "limit",
                  MESSAGES,
                  "attachments",
                  true),
              "messages");
      if (messages == null || messages.size() >= MESSAGES) {
        return new Reconciliation.Inconclusive();
      }
      for (JsonNode message : messages) {
        if (message.path("id").asLong(0) > known && isSame(message, dispatch)) {
          return new Reconciliation.Found(new Receipt(message.path("guid").asString(""), true));
        }
      }
    }
    return new Reconciliation.Absent();
  }

  /** Whether the list has all chats in which something has happened since then. */
  private static boolean reachesBack(List<JsonNode> chats, Instant since) {
    if (chats.size() < CHATS) {
      return true;
    }
    Instant oldest = time(chats.getLast().path("last_message_at").asString(""));
    return oldest != null && oldest.isBefore(since);
  }

  static @Nullable Instant time(String written) {
    try {
      return OffsetDateTime.parse(written).toInstant();
    } catch (DateTimeException e) {
      return null;
    }
  }

  private @Nullable List<JsonNode> list(
      Imsg imsg, String method, Map<String, ?> params, String field) {
    return imsg.call(method, params, patience) instanceof Answer.Result(JsonNode result)
            && result.path(field).isArray()
        ? result.path(field).valueStream().toList()
        : null;
  }

  /** A file is known by its name, a text by its words. */
  private static boolean isSame(JsonNode message, Dispatch dispatch) {
    if (!message.path("is_from_me").asBoolean(false) || Json.text(message, "guid") == null) {
      return false;
    }
    if (!dispatch.part().media().isEmpty()) {
      String name = IMessageRequest.filename(dispatch.part().media().getFirst());
      return message
          .path("attachments")
          .valueStream()
          .anyMatch(file -> stem(file.path("transfer_name").asString("")).equals(stem(name)));
    }
    String text = dispatch.text();
    return text != null && words(text).equals(words(message.path("text").asString("")));
  }

  private static String stem(String name) {
    int dot = name.lastIndexOf('.');
    return dot > 0 ? name.substring(0, dot) : name;
  }

  private static String words(String text) {
    return text.replace("\ufffc", "").replaceAll("\\s+", " ").strip();
  }
}
