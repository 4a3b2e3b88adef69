package dev.postrider.channels.line;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.PartFile;
import dev.postrider.problem.InvalidInput;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What is asked of LINE for one part: up to five messages, to a chat, as a reply, or to many users.
 *
 * @param common what the body has besides
 * @param quotes whether one of the messages quotes another
 */
record LineRequest(
    List<Map<String, @Nullable Object>> messages,
    Map<String, @Nullable Object> common,
    boolean quotes) {
  static final int MOST = 5;

  /** Fields of channel data that go with every part. */
  static final Set<String> OPTIONS =
      Set.of("sender", "customAggregationUnits", "previewImageUrl", "trackingId", "duration");

  /** What channel data can say by itself, each a message under a key of the same name. */
  private static final List<String> OWN =
      List.of(
          "textV2", "sticker", "location", "imagemap", "template", "flex", "coupon", "messages");

  private static final String PREVIEW = "previewImageUrl";

  /** LINE wants to know how long a sound is, and only shows it. */
  private static final int USUAL_MILLIS = 60_000;

  /**
   * What a part says.
   *
   * @param preview what is shown of a video, unless the message has another
   * @param quoteToken of the message to quote; null if there is none
   * @throws InvalidInput if it is nothing, or more than fits
   */
  static LineRequest of(Dispatch dispatch, String preview, @Nullable String quoteToken) {
    Map<String, @Nullable Object> data = dispatch.channelData();
    List<Map<String, @Nullable Object>> messages = new ArrayList<>();
    for (Dispatch.Piece piece : dispatch.pieces()) {
      piece.cargo().forEach(file -> messages.add(file(file, data, preview)));
      if (piece.text() != null) {
        messages.add(fields("type", "text", "text", piece.text()));
      }
    }
    for (String kind : OWN) {
      own(kind, data.get(kind)).forEach(messages::add);
    }
    if (messages.isEmpty()) {
      throw new InvalidInput(
          "channelData", "says nothing that can be sent; give one of " + String.join(", ", OWN));
    }
    if (messages.size() > MOST) {
      throw new InvalidInput(
          "channelData",
          "does not fit: one request takes "
              + MOST
              + " messages, and with the text and files there are "
              + messages.size()
              + "; send it as a message of its own");
    }
    boolean quotes = dress(messages, data, quoteToken);
    Map<String, @Nullable Object> common = new LinkedHashMap<>();
    if (dispatch.silent()) {
      common.put("notificationDisabled", true);
    }
    if (data.get("customAggregationUnits") != null) {
      common.put("customAggregationUnits", data.get("customAggregationUnits"));
    }
    return new LineRequest(messages, common, quotes);
  }

  /** Adds what belongs to each message, to a text or to the last message. */
  private static boolean dress(
      List<Map<String, @Nullable Object>> messages,
      Map<String, @Nullable Object> data,
      @Nullable String quoteToken) {
    if (data.get("sender") != null) {
      messages.forEach(message -> message.putIfAbsent("sender", data.get("sender")));
    }
    if (data.get("emojis") != null) {
      messages.reversed().stream()
          .filter(it -> "text".equals(it.get("type")))
          .findFirst()
          .ifPresent(text -> text.putIfAbsent("emojis", data.get("emojis")));
    }
    if (data.get("quickReply") != null) {
      messages.getLast().putIfAbsent("quickReply", data.get("quickReply"));
    }
    Map<String, @Nullable Object> quoting =
        messages.stream()
            .filter(it -> "text".equals(it.get("type")) || "textV2".equals(it.get("type")))
            .findFirst()
            .orElse(null);
    if (quoteToken == null || quoting == null) {
      return false;
    }
    quoting.putIfAbsent("quoteToken", quoteToken);
    return true;
  }

  private static List<Map<String, @Nullable Object>> own(String kind, @Nullable Object value) {
    return switch (value) {
      case List<?> several when kind.equals("messages") ->
          several.stream().map(it -> with(it)).toList();
      case Map<?, ?> one -> {
        Map<String, @Nullable Object> message = with(one);
        message.put("type", kind);
        yield List.of(message);
      }
      case null, default -> List.of();
    };
  }

  private static Map<String, @Nullable Object> with(@Nullable Object object) {
    Map<String, @Nullable Object> all = new LinkedHashMap<>();
    if (object instanceof Map<?, ?> map) {
      map.forEach((name, value) -> all.put(String.valueOf(name), value));
    }
    return all;
  }

  private static Map<String, @Nullable Object> file(
      PartFile file, Map<String, @Nullable Object> data, String usualPreview) {
    String url = file.attachment().url();
    return switch (file.attachment().kind()) {
      case IMAGE ->
          fields(
              "type", "image", "originalContentUrl", url, PREVIEW, data.getOrDefault(PREVIEW, url));
      case VIDEO -> {
        Map<String, @Nullable Object> video =
            fields(
                "type",
                "video",
                "originalContentUrl",
                url,
                PREVIEW,
                data.getOrDefault(PREVIEW, usualPreview));
        if (data.get("trackingId") != null) {
          video.put("trackingId", data.get("trackingId"));
        }
        yield video;
      }
      case AUDIO, VOICE ->
          fields(
              "type",
              "audio",
              "originalContentUrl",
              url,
              "duration",
              data.getOrDefault("duration", USUAL_MILLIS));
      case DOCUMENT -> throw new InvalidInput("media", "is a document, which LINE does not take");
    };
  }

  private static Map<String, @Nullable Object> fields(@Nullable Object... pairs) {
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      fields.put(String.valueOf(pairs[i]), pairs[i + 1]);
    }
    return fields;
  }

  /** The body that sends it to a user, a group or a room. */
  Map<String, @Nullable Object> push(String chat) {
    return body("to", chat);
  }

  /** The body that sends the same to each of up to 500 users, or to none of them. */
  Map<String, @Nullable Object> multicast(List<String> users) {
    return body("to", users);
  }

  /** The body that answers an event with its token. */
  Map<String, @Nullable Object> reply(String token) {
    return body("replyToken", token);
  }

  /** Whether it may go out as a reply: those are not counted by units. */
  boolean canReply() {
    return !common.containsKey("customAggregationUnits");
  }

  private Map<String, @Nullable Object> body(String name, Object to) {
    Map<String, @Nullable Object> body = new LinkedHashMap<>();
    body.put(name, to);
    body.put("messages", messages);
    body.putAll(common);
    return body;
  }

  /** A part's key as the UUID that LINE wants for one, the same on every try. */
  static String retryKey(String key) {
    long high = Long.parseUnsignedLong(key, 0, 16, 16);
    long low = Long.parseUnsignedLong(key, 16, 32, 16);
    long version = (high & 0xffffffffffff0fffL) | 0x5000L;
    long variant = (low & 0x3fffffffffffffffL) | 0x8000000000000000L;
    return new UUID(version, variant).toString();
  }
}
