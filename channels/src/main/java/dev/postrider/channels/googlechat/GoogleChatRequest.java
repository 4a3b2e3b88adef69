package dev.postrider.channels.googlechat;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.PartFile;
import dev.postrider.channels.http.Json;
import dev.postrider.media.MediaTypes;
import dev.postrider.message.Attachment;
import dev.postrider.message.Fix;
import dev.postrider.message.MediaKind;
import java.net.URLEncoder;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What is asked of Google Chat for one part: the fields of a message, and beside them, in the
 * address, how it is posted.
 */
final class GoogleChatRequest {
  /** The whole message, as Google counts: UTF-8. */
  static final int LARGEST = 32_000;

  static final Set<String> OPTIONS = Set.of("messageReplyOption", "privateMessageViewer");

  private static final String REPLY_OPTION = "messageReplyOption";
  private static final String OR_NEW = "REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD";
  private static final String OR_FAIL = "REPLY_MESSAGE_OR_FAIL";
  private static final String SPACES = "spaces/";
  private static final String MESSAGE_NAME = "spaces/[\\w-]+/messages/[\\w.-]+";

  /**
   * A message that is replied to.
   *
   * @param updatedAt when it was last changed, in Google's words
   * @param thread null if nobody has said
   */
  record Replied(String name, @Nullable String updatedAt, @Nullable String thread) {
    static Replied of(JsonNode message) {
      String updated = Json.text(message, "lastUpdateTime");
      return new Replied(
          message.path("name").asString(""),
          updated == null ? Json.text(message, "createTime") : updated,
          Json.text(message.path("thread"), "name"));
    }

    /**
     * What can be told from the name alone: the thread's name is its first half, as far as anybody
     * has seen.
     */
    static Replied named(String name) {
      String[] pieces = name.split("/messages/", 2);
      int dot = pieces[1].indexOf('.');
      String thread = dot < 0 ? null : pieces[0] + "/threads/" + pieces[1].substring(0, dot);
      return new Replied(name, null, thread);
    }
  }

  private final Dispatch part;
  private final @Nullable Replied replied;
  private final Map<String, String> thread;

  /**
   * @param replied the message it replies to, if it can be read
   */
  GoogleChatRequest(Dispatch part, @Nullable Replied replied) {
    this.part = part;
    this.replied = replied;
    this.thread = thread(part.threadId(), replied);
  }

  private static Map<String, String> thread(@Nullable String id, @Nullable Replied replied) {
    if (id != null) {
      return Map.of(id.startsWith(SPACES) ? "name" : "threadKey", id);
    }
    return replied == null || replied.thread == null ? Map.of() : Map.of("name", replied.thread);
  }

  /** The name of the message that this part replies to; null if it replies to none. */
  static @Nullable String repliesTo(Dispatch part) {
    String id = part.message().replyToId();
    if (id == null || (part.index() > 0 && part.threadId() != null)) {
      return null; // only the first part quotes; the others only need the thread
    }
    String name = id.startsWith(SPACES) ? id : part.to() + "/messages/" + id;
    return name.matches(MESSAGE_NAME) && name.startsWith(part.to() + "/") ? name : null;
  }

  /** The name that a part's message gets from us. */
  static String messageId(Dispatch part) {
    return "client-" + part.key();
  }

  /** The key in the form of a UUID, as Google recommends. */
  private static String requestId(Dispatch part) {
    return part.key().replaceFirst("(.{8})(.{4})(.{4})(.{4})(.{12})", "$1-$2-$3-$4-$5");
  }

  /** How an app posts it. */
  String query() {
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put("requestId", requestId(part));
    fields.put("messageId", messageId(part));
    if (!thread.isEmpty()) {
      fields.put(REPLY_OPTION, orFails() ? OR_FAIL : OR_NEW);
    } else if (part.silent()) { // in a thread, Google refuses it
      fields.put("createMessageNotificationOptions.notificationType", "NOTIFICATION_TYPE_SILENT");
    }
    return written(fields);
  }

  /** How a webhook posts it: whether those have names of ours is not documented. */
  String webhookQuery() {
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put("requestId", requestId(part));
    if (!thread.isEmpty()) {
      fields.put(REPLY_OPTION, orFails() ? OR_FAIL : OR_NEW);
    }
    return written(fields);
  }

  private static String written(Map<String, String> fields) {
    return fields.entrySet().stream()
        .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), UTF_8))
        .collect(Collectors.joining("&"));
  }

  /** Whether a thread that is gone is an error, as the sender wanted; once. */
  boolean orFails() {
    return !thread.isEmpty()
        && OR_FAIL.equals(part.message().channelData().get(REPLY_OPTION))
        && !part.state().has(Fix.DropReply.class);
  }

  /** Whether it shows the message it replies to. */
  boolean quotes() {
    return replied != null && replied.updatedAt != null && part.replyToId() != null;
  }

  boolean showsImages() {
    return files().anyMatch(GoogleChatRequest::isShown);
  }

  Map<String, @Nullable Object> body() {
    Map<String, @Nullable Object> body = new LinkedHashMap<>(part.channelData());
    body.remove(REPLY_OPTION);
    String text = text();
    if (!text.isEmpty()) {
      body.put("text", text);
      body.put("markupSyntax", "MARKUP_SYNTAX_CHAT");
    }
    List<Object> cards = cards();
    if (!cards.isEmpty()) {
      body.put("cardsV2", cards);
    }
    if (!thread.isEmpty()) {
      body.put("thread", thread);
    }
    if (replied != null && quotes()) {
      body.put(
          "quotedMessageMetadata",
          Map.of("name", replied.name, "lastUpdateTime", String.valueOf(replied.updatedAt)));
    }
    return body;
  }

  /** What counts towards {@link #LARGEST}. */
  int size() {
    Map<String, @Nullable Object> body = body();
    body.remove("text");
    return text().getBytes(UTF_8).length + Json.write(body).getBytes(UTF_8).length;
  }

  private Stream<Attachment> files() {
    return part.state().has(Fix.LinkInstead.class)
        ? Stream.empty()
        : part.cargo().stream().map(PartFile::attachment);
  }

  /** Google fetches what a card shows, and only over TLS. */
  private static boolean isShown(Attachment file) {
    return file.kind() == MediaKind.IMAGE && file.url().startsWith("https://");
  }

  /** The text with links to the files that a card cannot show. */
  private String text() {
    Stream<String> links = files().filter(file -> !isShown(file)).map(GoogleChatRequest::link);
    return Stream.concat(Stream.ofNullable(part.text()), links).collect(Collectors.joining("\n"));
  }

  private static String link(Attachment file) {
    String address = file.url().replace("|", "%7C").replace("<", "%3C").replace(">", "%3E");
    return "<" + address + "|" + name(file).replaceAll("[<>|\\p{Cntrl}]", " ") + ">";
  }

  private static String name(Attachment file) {
    return file.filename() == null ? MediaTypes.name(file.kind(), file.type()) : file.filename();
  }

  /** The images in a card, before the cards of the sender. */
  private List<Object> cards() {
    List<Map<String, ?>> images =
        files()
            .filter(GoogleChatRequest::isShown)
            .<Map<String, ?>>map(
                file -> Map.of("image", Map.of("imageUrl", file.url(), "altText", name(file))))
            .toList();
    List<Object> cards = new ArrayList<>();
    if (!images.isEmpty()) {
      cards.add(
          Map.of(
              "cardId", "images", "card", Map.of("sections", List.of(Map.of("widgets", images)))));
    }
    if (part.channelData().get("cardsV2") instanceof List<?> own) {
      cards.addAll(own);
    }
    return cards;
  }
}
