package dev.postrider.channels.whatsapp;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.PartFile;
import dev.postrider.media.MediaTypes;
import dev.postrider.message.Attachment;
import dev.postrider.message.MediaKind;
import dev.postrider.problem.InvalidInput;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What is asked of WhatsApp for one part. */
final class WhatsAppRequest {
  /** What channel data can say by itself, each under a key of the same name. */
  private static final List<String> OWN =
      List.of(
          "template",
          "interactive",
          "contacts",
          "location",
          "reaction",
          "sticker",
          "image",
          "video",
          "audio",
          "document",
          "text");

  private static final Pattern PHONE = Pattern.compile("\\+?[\\d\\h().-]*");

  private WhatsAppRequest() {}

  static boolean isPhone(String to) {
    return PHONE.matcher(to).matches();
  }

  /**
   * The body of the request.
   *
   * @throws InvalidInput if the message and its channel data do not go together
   */
  static Map<String, @Nullable Object> of(Dispatch dispatch) {
    // What the message itself says goes on top: channel data never changes whom or what.
    Map<String, @Nullable Object> body = new LinkedHashMap<>(dispatch.channelData());
    write(dispatch, body);
    body.put("messaging_product", "whatsapp");
    body.put("recipient_type", isPhone(dispatch.to()) ? "individual" : "group");
    body.put("to", dispatch.to());
    body.put("biz_opaque_callback_data", dispatch.key());
    if (dispatch.replyToId() != null) {
      body.put("context", Map.of("message_id", dispatch.replyToId()));
    }
    return body;
  }

  private static void write(Dispatch dispatch, Map<String, @Nullable Object> body) {
    String own = own(body);
    String text = dispatch.text();
    if (!dispatch.cargo().isEmpty()) {
      PartFile cargo = dispatch.cargo().getFirst();
      String kind = kind(cargo.attachment());
      requireRoom(own, kind);
      body.put("type", kind);
      body.put(kind, with(body.get(kind), file(cargo, text)));
    } else if ("interactive".equals(own) && text != null && !hasBody(body)) {
      body.put("type", own);
      body.put(own, with(body.get(own), Map.of("body", Map.of("text", text))));
    } else if (text != null) {
      requireRoom(own, "text");
      body.put("type", "text");
      body.put(
          "text",
          with(
              with(Map.of("preview_url", previews(dispatch)), body.get("text")),
              Map.of("body", text)));
    } else if (own != null) {
      if (!OWN.contains(own)) {
        throw new InvalidInput("channelData.type", "is not a kind of message WhatsApp knows");
      }
      body.put("type", own);
    } else {
      throw new InvalidInput(
          "channelData", "says nothing that can be sent; give one of " + String.join(", ", OWN));
    }
  }

  /** What channel data says by itself; null if it only adds to the message. */
  private static @Nullable String own(Map<String, @Nullable Object> data) {
    return data.get("type") instanceof String type
        ? type
        : OWN.stream().filter(data::containsKey).findFirst().orElse(null);
  }

  /** Whether links are shown, in each part. */
  private static Object previews(Dispatch dispatch) {
    return dispatch.message().channelData().get("text") instanceof Map<?, ?> text
            && text.get("preview_url") instanceof Object wanted
        ? wanted
        : false;
  }

  private static boolean hasBody(Map<String, @Nullable Object> data) {
    return data.get("interactive") instanceof Map<?, ?> interactive
        && interactive.containsKey("body");
  }

  private static void requireRoom(@Nullable String own, String type) {
    if (own != null && !own.equals(type)) {
      throw new InvalidInput(
          "channelData." + own, "is a message of its own; send it without text and media");
    }
  }

  /** WhatsApp's word for a kind of file. */
  private static String kind(Attachment file) {
    return switch (file.kind()) {
      case IMAGE -> "image";
      case VIDEO -> "video";
      case AUDIO, VOICE -> "audio";
      case DOCUMENT -> "document";
    };
  }

  private static Map<String, @Nullable Object> file(PartFile cargo, @Nullable String caption) {
    Attachment file = cargo.attachment();
    Map<String, @Nullable Object> fields = new LinkedHashMap<>();
    if (cargo.handle() == null) {
      fields.put("link", file.url());
    } else {
      fields.put("id", cargo.handle().value());
    }
    if (file.kind() == MediaKind.VOICE) {
      fields.put("voice", true);
    }
    if (file.kind() == MediaKind.DOCUMENT && (file.filename() != null || file.type() != null)) {
      fields.put("filename", filename(file));
    }
    if (caption != null) {
      fields.put("caption", caption);
    }
    return fields;
  }

  static String filename(Attachment file) {
    return file.filename() == null ? MediaTypes.name(file.kind(), file.type()) : file.filename();
  }

  /** The fields of an object, if it is one, with others on top. */
  private static Map<Object, @Nullable Object> with(
      @Nullable Object object, @Nullable Object others) {
    Map<Object, @Nullable Object> all = new LinkedHashMap<>();
    if (object instanceof Map<?, ?> map) {
      all.putAll(map);
    }
    if (others instanceof Map<?, ?> map) {
      all.putAll(map);
    }
    return all;
  }
}
