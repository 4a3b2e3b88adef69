package dev.postrider.channels.whatsappweb;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.PartFile;
import dev.postrider.media.MediaTypes;
import dev.postrider.message.Attachment;
import dev.postrider.message.MediaKind;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What WAHA is asked to send. */
final class WahaRequest {
  /** Fields of channel data that WAHA takes with a text. */
  static final Set<String> OPTIONS = Set.of("mentions", "linkPreview", "linkPreviewHighQuality");

  private static final int ID_DIGITS = 18;

  private WahaRequest() {}

  /** The part's key as WhatsApp's clients write ids: the same on every try. */
  static String id(Dispatch part) {
    return "3EB0" + part.key().substring(0, ID_DIGITS).toUpperCase(Locale.ROOT);
  }

  static Map<String, @Nullable Object> text(Dispatch part, String session) {
    Map<String, @Nullable Object> body = common(part, session);
    body.put("text", part.text() == null ? "" : part.text());
    body.put("id", id(part));
    OPTIONS.forEach(
        name -> {
          if (part.channelData().get(name) != null) {
            body.put(name, part.channelData().get(name));
          }
        });
    return body;
  }

  /** All but the file itself. */
  static Map<String, @Nullable Object> file(Dispatch part, String session, PartFile file) {
    Map<String, @Nullable Object> body = common(part, session);
    MediaKind kind = file.attachment().kind();
    if (part.text() != null) {
      body.put("caption", part.text());
    }
    if (kind == MediaKind.VIDEO || kind == MediaKind.VOICE) {
      body.put("convert", true); // WhatsApp shows one kind of video and of voice only
    }
    if (part.channelData().get("mentions") != null) {
      body.put("mentions", part.channelData().get("mentions"));
    }
    return body;
  }

  private static Map<String, @Nullable Object> common(Dispatch part, String session) {
    Map<String, @Nullable Object> body = new LinkedHashMap<>();
    body.put("session", session);
    body.put("chatId", part.to());
    String reply = part.replyToId();
    if (reply != null) {
      // What others wrote is known by its whole id, what we wrote by the bare one.
      body.put("reply_to", reply.contains("_") ? reply : "true_" + part.to() + "_" + reply);
    }
    return body;
  }

  /** Type and name of a file. */
  static Map<String, @Nullable Object> about(PartFile file) {
    Attachment attachment = file.attachment();
    Map<String, @Nullable Object> about = new LinkedHashMap<>();
    about.put("mimetype", attachment.type() == null ? MediaTypes.UNKNOWN : attachment.type());
    about.put("filename", filename(attachment));
    return about;
  }

  static String filename(Attachment file) {
    return file.filename() == null ? MediaTypes.name(file.kind(), file.type()) : file.filename();
  }

  /** The call that takes a file of this kind. */
  static String way(PartFile file) {
    return switch (file.attachment().kind()) {
      case IMAGE -> "sendImage";
      case VIDEO -> "sendVideo";
      case VOICE -> "sendVoice";
      case AUDIO, DOCUMENT -> "sendFile";
    };
  }
}
