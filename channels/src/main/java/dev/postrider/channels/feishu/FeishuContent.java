package dev.postrider.channels.feishu;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.PartFile;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.VendorSchema;
import dev.postrider.message.Format;
import dev.postrider.message.Message;
import dev.postrider.problem.InvalidInput;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a message says: a kind of content, in Feishu's words, and the content itself.
 *
 * @param type {@code msg_type}
 */
record FeishuContent(String type, Map<String, ?> body) {
  /** How to send, in every part. */
  static final Set<String> OPTIONS = Set.of("reply_in_thread");

  private static final Set<String> KNOWN = Set.of("card", "msg_type", "content", "reply_in_thread");

  /** What each kind of content must have; one of them. */
  private static final Map<String, Set<String>> NEEDED =
      Map.ofEntries(
          Map.entry("text", Set.of("text")),
          Map.entry("post", Set.of()),
          Map.entry("image", Set.of("image_key")),
          Map.entry("file", Set.of("file_key")),
          Map.entry("audio", Set.of("file_key")),
          Map.entry("media", Set.of("file_key")),
          Map.entry("sticker", Set.of("file_key")),
          Map.entry("interactive", Set.of("elements", "i18n_elements", "body", "data")),
          Map.entry("share_chat", Set.of("chat_id", "share_chat_id")),
          Map.entry("share_user", Set.of("user_id")),
          Map.entry("system", Set.of("type")));

  private static final int LONGEST_TEXT = 150 << 10;
  private static final int LONGEST = 30 << 10;
  private static final int SUMMARY = 100;

  /** What Feishu does not show as it stands in a text: mentions, styles, links. */
  private static final Pattern ACTS = Pattern.compile("<|\\[[^\\]]*]\\(");

  /**
   * What a part says.
   *
   * @param cards whether markdown goes as a card; if not, as a post
   * @throws InvalidInput if the message and its channel data do not go together
   */
  static FeishuContent of(Dispatch dispatch, boolean cards) {
    FeishuContent own = own(dispatch.channelData());
    String text = dispatch.text();
    if (own != null && (text != null || !dispatch.cargo().isEmpty())) {
      throw new InvalidInput(
          dispatch.channelData().containsKey("card") ? "channelData.card" : "channelData.msg_type",
          "is a message of its own; send it without text and media");
    }
    if (!dispatch.cargo().isEmpty()) {
      return file(dispatch.cargo().getFirst());
    }
    if (text != null) {
      return isPlain(dispatch) ? plain(text) : cards ? card(text, dispatch) : markdownPost(text);
    }
    if (own == null) {
      throw new InvalidInput(
          "channelData", "says nothing that can be sent; give card, or msg_type and content");
    }
    return own;
  }

  /** Whether there is no markup in it, and nothing that had to be kept from acting as such. */
  private static boolean isPlain(Dispatch dispatch) {
    return !dispatch.isMarkup()
        || (dispatch.message().format() != Format.NATIVE
            && Objects.equals(dispatch.text(), dispatch.part().plain()));
  }

  private static FeishuContent plain(String text) {
    return ACTS.matcher(text).find()
        ? post(Map.of("tag", "text", "text", text))
        : new FeishuContent("text", Map.of("text", text));
  }

  private static FeishuContent markdownPost(String text) {
    return post(Map.of("tag", "md", "text", text));
  }

  private static FeishuContent post(Map<String, String> node) {
    return new FeishuContent("post", Map.of("zh_cn", Map.of("content", List.of(List.of(node)))));
  }

  /** With its beginning for notices and the list of chats, which show no cards. */
  private static FeishuContent card(String text, Dispatch dispatch) {
    String plain = String.valueOf(dispatch.part().plain()).strip();
    int end =
        plain.offsetByCodePoints(0, Math.min(SUMMARY, plain.codePointCount(0, plain.length())));
    Map<String, Object> card = new LinkedHashMap<>();
    card.put("schema", "2.0");
    card.put("config", Map.of("summary", Map.of("content", plain.substring(0, end))));
    card.put("body", Map.of("elements", List.of(Map.of("tag", "markdown", "content", text))));
    return new FeishuContent("interactive", card);
  }

  private static FeishuContent file(PartFile cargo) {
    String key = Objects.requireNonNull(cargo.handle(), "files are uploaded first").value();
    return switch (cargo.attachment().kind()) {
      case IMAGE -> new FeishuContent("image", Map.of("image_key", key));
      case VIDEO -> new FeishuContent("media", Map.of("file_key", key));
      case AUDIO, VOICE -> new FeishuContent("audio", Map.of("file_key", key));
      case DOCUMENT -> new FeishuContent("file", Map.of("file_key", key));
    };
  }

  /** Refuses what nobody would read. */
  static void checkChannelData(Message message) {
    message
        .channelData()
        .forEach(
            (key, value) -> {
              if (!KNOWN.contains(key)) {
                throw new InvalidInput(
                    "channelData." + key,
                    "is not known; known are card, or msg_type with content, and reply_in_thread");
              }
              if (key.equals("reply_in_thread") && !(value instanceof Boolean)) {
                throw new InvalidInput("channelData." + key, "is neither true nor false");
              }
            });
  }

  /** What channel data says by itself; null if it says nothing. */
  private static @Nullable FeishuContent own(Map<String, @Nullable Object> data) {
    Object card = data.get("card");
    Object type = data.get("msg_type");
    Object content = data.get("content");
    if (card == null && type == null && content == null) {
      return null;
    }
    if (card != null) {
      if (type != null || content != null) {
        throw new InvalidInput("channelData.card", "goes alone, without msg_type and content");
      }
      return checked("interactive", card, "channelData.card");
    }
    if (!(type instanceof String kind) || !NEEDED.containsKey(kind)) {
      throw new InvalidInput(
          "channelData.msg_type",
          "must be one of " + String.join(", ", NEEDED.keySet().stream().sorted().toList()));
    }
    return checked(kind, content, "channelData.content");
  }

  private static FeishuContent checked(String type, @Nullable Object content, String field) {
    Map<String, @Nullable Object> body = object(content, field);
    if (type.equals("post") && body.get("post") instanceof Map<?, ?> inner) {
      body = object(inner, field); // as webhooks want it
    }
    Set<String> needed = NEEDED.get(type);
    if (needed != null && !needed.isEmpty() && needed.stream().noneMatch(body::containsKey)) {
      throw new InvalidInput(
          field, "has no " + String.join(" or ", needed.stream().sorted().toList()));
    }
    if (type.equals("post") && !isPost(body)) {
      throw new InvalidInput(
          field, "is no post, such as {\"en_us\": {\"content\": [[{\"tag\": \"text\", …}]]}}");
    }
    String name = field.replaceFirst(".*\\.", "");
    if (type.equals("post") || type.equals("interactive")) {
      Contract.SCHEMA.check(name.equals("card") ? name : type, Map.of(name, body));
    }
    int most = type.equals("text") ? LONGEST_TEXT : LONGEST;
    if (Json.write(body).getBytes(UTF_8).length > most) {
      throw new InvalidInput(field, "is longer than the " + (most >> 10) + " KB that Feishu takes");
    }
    return new FeishuContent(type, body);
  }

  /** Read when the first card or post of a sender's own comes. */
  private static final class Contract {
    static final VendorSchema SCHEMA = new VendorSchema(Contract.class, "channel-data.schema.json");
  }

  private static boolean isPost(Map<String, @Nullable Object> body) {
    return !body.isEmpty()
        && body.values().stream()
            .allMatch(
                one ->
                    one instanceof Map<?, ?> post
                        && post.get("content") instanceof List<?> lines
                        && lines.stream().allMatch(List.class::isInstance));
  }

  /** An object, or the text of one, as Feishu itself writes it. */
  @SuppressWarnings("unchecked") // a JSON object has string keys
  private static Map<String, @Nullable Object> object(@Nullable Object content, String field) {
    if (content instanceof Map<?, ?> map) {
      return (Map<String, @Nullable Object>) map;
    }
    var read = content instanceof String text ? Json.readObject(text) : null;
    if (read == null) {
      throw new InvalidInput(field, "must be an object");
    }
    return Json.map(read);
  }
}
