package dev.postrider.channels.msteams;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.PartFile;
import dev.postrider.media.MediaTypes;
import dev.postrider.message.Attachment;
import dev.postrider.message.Fix;
import dev.postrider.message.MediaKind;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What is asked of Teams for one part. */
final class TeamsRequest {
  /** How a message is sent; each part takes of the entities those that are in its text. */
  static final Set<String> OPTIONS =
      Set.of("textFormat", "importance", "locale", "channelData", "entities");

  static final String ADAPTIVE_CARD = "application/vnd.microsoft.card.adaptive";

  private static final String ATTACHMENTS = "attachments";

  private TeamsRequest() {}

  /** The thread that a part goes to; in channels an answer is one. */
  static @Nullable String thread(Dispatch dispatch, TeamsAddress to) {
    if (dispatch.threadId() != null) {
      return dispatch.threadId();
    }
    // With all of its parts: the others would stand beside the thread.
    return to.isChannel() && !dispatch.state().has(Fix.DropReply.class)
        ? dispatch.message().replyToId()
        : null;
  }

  /** The message that a part answers, where there are no threads. */
  static @Nullable String answered(Dispatch dispatch, TeamsAddress to) {
    String name = to.isChannel() ? null : dispatch.replyToId();
    return name == null ? null : TeamsAddress.number(to.chat(), name);
  }

  /** The activity for the Bot Connector. */
  static Map<String, @Nullable Object> activity(Dispatch dispatch, TeamsAddress to, String bot)
      throws IOException {
    Map<String, @Nullable Object> own = dispatch.channelData();
    Map<String, @Nullable Object> body = new LinkedHashMap<>(own);
    body.put("type", "message");
    body.put("from", Map.of("id", bot));
    body.put(
        "conversation", Map.of("id", TeamsAddress.conversation(to.chat(), thread(dispatch, to))));
    boolean markup = dispatch.isMarkup() || dispatch.text() == null;
    String text = text(dispatch, markup);
    Mentions mentions = Mentions.in(own.get("entities"));
    if (text != null) {
      body.put("text", mentions.written(text));
      body.putIfAbsent("textFormat", markup ? "markdown" : "plain");
    }
    put(body, "entities", mentions.of(text, dispatch.isLast()));
    List<Object> attachments = images(dispatch);
    attachments.addAll(list(own.get(ATTACHMENTS)));
    put(body, ATTACHMENTS, attachments);
    String answered = answered(dispatch, to);
    if (answered != null) {
      body.put("replyToId", answered);
    }
    if (!dispatch.silent()) {
      body.put("channelData", alerting(own.get("channelData")));
    }
    return body;
  }

  /** What a Workflows webhook takes: cards alone, of which the text is one. */
  static Map<String, @Nullable Object> cards(Dispatch dispatch) throws IOException {
    List<Object> elements = new ArrayList<>();
    String text = text(dispatch, true);
    if (text != null) {
      elements.add(Map.of("type", "TextBlock", "text", text, "wrap", true));
    }
    for (PartFile file : dispatch.cargo()) {
      if (isImage(file)) {
        elements.add(
            Map.of("type", "Image", "url", address(file), "altText", name(file.attachment())));
      }
    }
    List<Object> attachments = new ArrayList<>();
    if (!elements.isEmpty()) {
      Map<String, Object> card = new LinkedHashMap<>();
      card.put("$schema", "http://adaptivecards.io/schemas/adaptive-card.json");
      card.put("type", "AdaptiveCard");
      card.put("version", "1.4");
      card.put("msteams", Map.of("width", "Full"));
      card.put("body", elements);
      attachments.add(Map.of("contentType", ADAPTIVE_CARD, "content", card));
    }
    attachments.addAll(list(dispatch.channelData().get(ATTACHMENTS)));
    Map<String, @Nullable Object> body = new LinkedHashMap<>();
    body.put("type", "message");
    body.put(ATTACHMENTS, attachments);
    return body;
  }

  /** The text, with links to what Teams does not take as a file of a bot's. */
  private static @Nullable String text(Dispatch dispatch, boolean markup) {
    StringBuilder text = new StringBuilder(Objects.requireNonNullElse(dispatch.text(), ""));
    for (PartFile file : dispatch.cargo()) {
      if (!isImage(file)) {
        text.append(text.isEmpty() ? "" : "\n\n").append(link(file.attachment(), markup));
      }
    }
    return text.isEmpty() ? null : text.toString();
  }

  private static String link(Attachment file, boolean markup) {
    if (!markup) {
      return name(file) + ": " + file.url();
    }
    String name = name(file).replaceAll("\\s+", " ").replaceAll("([\\\\\\[\\]*_`~<>])", "\\\\$1");
    return "[" + name + "](" + file.url().replace("(", "%28").replace(")", "%29") + ")";
  }

  private static String name(Attachment file) {
    return file.filename() == null ? MediaTypes.name(file.kind(), file.type()) : file.filename();
  }

  private static boolean isImage(PartFile file) {
    return file.attachment().kind() == MediaKind.IMAGE;
  }

  private static List<Object> images(Dispatch dispatch) throws IOException {
    List<Object> images = new ArrayList<>();
    for (PartFile file : dispatch.cargo()) {
      if (isImage(file)) {
        images.add(
            Map.of(
                "contentType",
                type(file.attachment()),
                "contentUrl",
                address(file),
                "name",
                name(file.attachment())));
      }
    }
    return images;
  }

  private static String type(Attachment image) {
    String known = image.type() == null ? MediaTypes.byName(image.url()) : image.type();
    return known == null ? "image/*" : known;
  }

  /** Where Teams finds a picture, or all of it. */
  private static String address(PartFile file) throws IOException {
    PartFile.Bytes bytes = file.bytes();
    if (bytes == null) {
      return file.attachment().url();
    }
    try (InputStream in = bytes.open()) {
      return "data:"
          + type(file.attachment())
          + ";base64,"
          + Base64.getEncoder().encodeToString(in.readAllBytes());
    }
  }

  /** Shows the message in the activity feed, too, unless its sender says otherwise. */
  private static Map<Object, @Nullable Object> alerting(@Nullable Object own) {
    Map<Object, @Nullable Object> all = new LinkedHashMap<>();
    all.put("notification", Map.of("alert", true));
    if (own instanceof Map<?, ?> fields) {
      all.putAll(fields);
    }
    return all;
  }

  private static void put(Map<String, @Nullable Object> body, String key, List<?> values) {
    if (values.isEmpty()) {
      body.remove(key);
    } else {
      body.put(key, values);
    }
  }

  static List<?> list(@Nullable Object value) {
    return value instanceof List<?> many ? many : List.of();
  }
}
