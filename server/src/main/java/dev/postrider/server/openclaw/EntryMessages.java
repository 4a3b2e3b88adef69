package dev.postrider.server.openclaw;

import dev.postrider.message.Format;
import dev.postrider.message.Media;
import dev.postrider.message.MediaKind;
import dev.postrider.message.Message;
import dev.postrider.problem.InvalidInput;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Makes an entry's messages, one of each payload. What Postrider has no field for stays with the
 * message, in its metadata.
 */
record EntryMessages(QueueEntry entry, AccountMap.Target target) {
  private static final Set<String> ENTRY_FIELDS =
      Set.of(
          "id",
          "enqueuedAt",
          "payloads",
          "threadId",
          "replyToId",
          "bestEffort",
          "gifPlayback",
          "silent",
          "forceDocument",
          "retryCount",
          "lastAttemptAt",
          "lastError");

  private static final Set<String> PAYLOAD_FIELDS =
      Set.of("text", "mediaUrl", "mediaUrls", "replyToId", "audioAsVoice");

  private static final String CHANNEL_DATA = "channelData";

  /**
   * @throws Unusable if there is nothing to send, or it can be no message at all
   */
  List<Message> all() throws Unusable {
    List<ObjectNode> payloads = entry.payloads();
    List<Message> messages = new ArrayList<>();
    for (int i = 0; i < payloads.size(); i++) {
      ObjectNode payload = payloads.get(i);
      if (saysSomething(payload)) {
        messages.add(message(payload, i, payloads.size()));
      } else if (!payload.isEmpty()
          && !payload.properties().stream().allMatch(EntryMessages::isEmpty)) {
        throw new Unusable("there is nothing in payload %d that can be sent".formatted(i + 1));
      }
    }
    if (messages.isEmpty()) {
      throw new Unusable("there is nothing to send in it");
    }
    return messages;
  }

  private static boolean isEmpty(Map.Entry<String, JsonNode> field) {
    JsonNode value = field.getValue();
    return value.isNull()
        || value.isBoolean()
        || value.isContainer() && value.isEmpty()
        || value.isString() && value.asString().isBlank();
  }

  private static boolean saysSomething(ObjectNode payload) {
    return QueueEntry.text(payload, "text") != null
        || !addresses(payload).isEmpty()
        || payload.path(CHANNEL_DATA).isObject() && !payload.path(CHANNEL_DATA).isEmpty();
  }

  private Message message(ObjectNode payload, int index, int of) throws Unusable {
    String there = entry.required("channel");
    ChatSpelling.Chat chat =
        new ChatSpelling(target.channel(), target.account()).of(there, entry.required("to"));
    String thread = QueueEntry.text(entry.fields(), "threadId");
    try {
      return Message.to(target.account().id(), chat.to())
          .text(QueueEntry.text(payload, "text"))
          .format(format())
          .media(media(payload))
          .threadId(thread == null ? chat.topic() : thread)
          .replyToId(replyTo(payload, index))
          .silent(entry.flag("silent"))
          .bestEffort(entry.flag("bestEffort"))
          .channelData(channelData(payload, there))
          .metadata(metadata(payload, there, index, of))
          .build();
    } catch (InvalidInput e) {
      throw new Unusable(e.first().toString());
    }
  }

  /** Text is Markdown, unless it is said to be Telegram's own. */
  private Format format() {
    boolean html = entry.fields().path("formatting").path("parseMode").asString("").equals("HTML");
    return html && target.channel().name().equals("telegram") ? Format.NATIVE : Format.MARKDOWN;
  }

  private @Nullable String replyTo(ObjectNode payload, int index) {
    String own = QueueEntry.text(payload, "replyToId");
    boolean replies =
        switch (entry.fields().path("replyToMode").asString("")) {
          case "off" -> false;
          case "first" -> index == 0;
          default -> true;
        };
    return own != null || !replies ? own : QueueEntry.text(entry.fields(), "replyToId");
  }

  // ---- files

  private static Set<String> addresses(ObjectNode payload) {
    Set<String> addresses = new LinkedHashSet<>();
    for (JsonNode address : payload.path("mediaUrls")) {
      if (address.isString() && !address.asString().isBlank()) {
        addresses.add(address.asString());
      }
    }
    String only = QueueEntry.text(payload, "mediaUrl");
    if (only != null) {
      addresses.add(only);
    }
    return addresses;
  }

  private List<Media> media(ObjectNode payload) {
    boolean voice = payload.path("audioAsVoice").asBoolean(false);
    List<Media> media = new ArrayList<>();
    for (String address : addresses(payload)) {
      Media file = file(address).ofKind(voice ? MediaKind.VOICE : null);
      Media looped = entry.flag("gifPlayback") ? file.looping() : file;
      media.add(entry.flag("forceDocument") ? looped.sentAsDocument() : looped);
    }
    return media;
  }

  private static Media file(String address) {
    try {
      return address.startsWith("/") ? Media.file(Path.of(address)) : Media.at(address);
    } catch (InvalidPathException e) {
      return Media.at(address); // planning says what is wrong with it
    }
  }

  // ---- what only the platform understands

  private static Map<String, @Nullable Object> map(JsonNode node) {
    return JsonMapper.shared().convertValue(node, new TypeReference<>() {});
  }

  /** A payload's data stands below the name of the channel that it is for. */
  private static Map<String, @Nullable Object> channelData(ObjectNode payload, String there) {
    return payload.path(CHANNEL_DATA).path(there) instanceof ObjectNode own ? map(own) : Map.of();
  }

  private Map<String, @Nullable Object> metadata(
      ObjectNode payload, String there, int index, int of) {
    ObjectNode rest = entry.fields().deepCopy();
    rest.remove(ENTRY_FIELDS);
    ObjectNode restOfPayload = payload.deepCopy();
    restOfPayload.remove(PAYLOAD_FIELDS);
    if (restOfPayload.path(CHANNEL_DATA) instanceof ObjectNode data) {
      data.remove(there);
      if (data.isEmpty()) {
        restOfPayload.remove(CHANNEL_DATA);
      }
    }
    if (!restOfPayload.isEmpty()) {
      rest.set("payload", restOfPayload);
    }
    Map<String, @Nullable Object> metadata = new LinkedHashMap<>();
    metadata.put("importedFrom", "openclaw");
    metadata.put("openclawId", entry.id());
    if (of > 1) {
      metadata.put("openclawPayload", index + 1);
    }
    metadata.put("openclaw", map(rest));
    return metadata;
  }
}
