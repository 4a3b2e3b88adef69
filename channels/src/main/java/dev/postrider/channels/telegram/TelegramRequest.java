package dev.postrider.channels.telegram;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.PartFile;
import dev.postrider.media.MediaTypes;
import dev.postrider.message.Attachment;
import dev.postrider.message.Fix;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What is asked of Telegram for one part. */
sealed interface TelegramRequest {
  Pattern NUMBER = Pattern.compile("-?\\d{1,18}");

  /** Options that mean something for a text only. */
  Set<String> OF_TEXTS = Set.of("link_preview_options");

  /** Options that mean something for pictures and videos only. */
  Set<String> OF_PICTURES = Set.of("has_spoiler", "show_caption_above_media");

  /** What holds for all of a message. */
  Set<String> OPTIONS =
      Set.of(
          "business_connection_id",
          "direct_messages_topic_id",
          "protect_content",
          "allow_paid_broadcast",
          "disable_notification",
          "parse_mode",
          "link_preview_options",
          "has_spoiler",
          "show_caption_above_media");

  /**
   * A request.
   *
   * @param files bytes to bring along, by the name that {@code fields} call them
   */
  record Call(String method, Map<String, @Nullable Object> fields, Map<String, File> files)
      implements TelegramRequest {

    /** The names of its fields, and of those of the files of an album. */
    Set<String> names() {
      Set<String> names = new HashSet<>(fields.keySet());
      if (fields.get("media") instanceof List<?> items) {
        for (Object item : items) {
          ((Map<?, ?>) item).keySet().forEach(name -> names.add(String.valueOf(name)));
        }
      }
      return names;
    }
  }

  /** A file to bring along. */
  record File(String filename, @Nullable String type, PartFile.Bytes bytes) {}

  /** Telegram could only refuse this, so it is not asked. */
  record Impossible(Outcome outcome) implements TelegramRequest {}

  static TelegramRequest of(Dispatch dispatch) {
    String text = dispatch.text();
    boolean chosen = ChosenMethod.isFor(dispatch);
    if (!chosen && dispatch.cargo().isEmpty() && (text == null || text.isBlank())) {
      return rejected("Telegram needs a text; this part has none");
    }
    String thread = dispatch.threadId();
    if (thread != null && !NUMBER.matcher(thread).matches()) {
      return rejected("threadId is not the number of a Telegram topic");
    }
    String reply = dispatch.replyToId();
    if (reply != null && !NUMBER.matcher(reply).matches()) {
      return new Impossible(
          new Outcome.Repairable(
              new Fix.DropReply(), "replyToId is not the number of a Telegram message"));
    }

    // What the message itself says goes on top: channel data never changes whom or what.
    Map<String, @Nullable Object> fields = extras(dispatch);
    fields.put("chat_id", numberOrName(dispatch.to()));
    if (thread != null) {
      fields.put("message_thread_id", Long.valueOf(thread));
    }
    if (reply != null) {
      fields.put(
          "reply_parameters",
          Map.of("message_id", Long.valueOf(reply), "allow_sending_without_reply", true));
    }
    if (dispatch.silent()) {
      fields.put("disable_notification", true);
    }
    if (chosen) {
      return ChosenMethod.of(dispatch, fields);
    }
    return switch (dispatch.cargo().size()) {
      case 0 -> text(dispatch, fields);
      case 1 -> file(dispatch, fields);
      default -> album(dispatch, fields);
    };
  }

  private static Call text(Dispatch dispatch, Map<String, @Nullable Object> fields) {
    fields.keySet().removeAll(OF_PICTURES);
    write(dispatch, "text", fields);
    return new Call("sendMessage", fields, Map.of());
  }

  private static Call file(Dispatch dispatch, Map<String, @Nullable Object> fields) {
    PartFile cargo = dispatch.cargo().getFirst();
    String kind = kind(cargo.attachment());
    Map<String, File> files = new LinkedHashMap<>();
    fields.keySet().removeAll(OF_TEXTS);
    if (!isPicture(kind)) {
      fields.keySet().removeAll(OF_PICTURES);
    }
    fields.put(kind, reference(cargo, files));
    write(dispatch, "caption", fields);
    String method = "send" + Character.toUpperCase(kind.charAt(0)) + kind.substring(1);
    return new Call(method, fields, files);
  }

  private static Call album(Dispatch dispatch, Map<String, @Nullable Object> fields) {
    Map<String, File> files = new LinkedHashMap<>();
    List<Map<String, @Nullable Object>> media = new ArrayList<>();
    // An album's files have these, and the album has not.
    Map<String, @Nullable Object> looks = new LinkedHashMap<>(fields);
    looks.keySet().retainAll(OF_PICTURES);
    Object parseMode = fields.remove("parse_mode");
    fields.keySet().removeAll(OF_PICTURES);
    fields.keySet().removeAll(OF_TEXTS);
    for (PartFile cargo : dispatch.cargo()) {
      String kind = kind(cargo.attachment());
      Map<String, @Nullable Object> item = new LinkedHashMap<>(isPicture(kind) ? looks : Map.of());
      item.put("type", kind);
      item.put("media", reference(cargo, files));
      if (media.isEmpty() && dispatch.text() != null) {
        if (parseMode != null) {
          item.put("parse_mode", parseMode);
        }
        write(dispatch, "caption", item);
      }
      media.add(item);
    }
    fields.put("media", media);
    return new Call("sendMediaGroup", fields, files);
  }

  /** Telegram's word for a kind of file, in methods, fields and answers alike. */
  static String kind(Attachment file) {
    return switch (file.kind()) {
      case IMAGE -> "photo";
      case VIDEO -> file.loop() ? "animation" : "video";
      case AUDIO -> "audio";
      case VOICE -> "voice";
      case DOCUMENT -> "document";
    };
  }

  private static boolean isPicture(String kind) {
    return Set.of("photo", "video", "animation").contains(kind);
  }

  private static String reference(PartFile cargo, Map<String, File> files) {
    if (cargo.handle() != null) {
      return cargo.handle().value();
    }
    Attachment file = cargo.attachment();
    if (cargo.bytes() == null) {
      return file.url();
    }
    String name = "file" + files.size();
    String filename =
        file.filename() == null ? MediaTypes.name(file.kind(), file.type()) : file.filename();
    files.put(name, new File(filename, file.type(), cargo.bytes()));
    return "attach://" + name;
  }

  static void write(Dispatch dispatch, String field, Map<String, @Nullable Object> into) {
    String text = dispatch.text();
    if (text != null) {
      into.put(field, text);
    }
    if (text != null && dispatch.isMarkup()) {
      into.put("parse_mode", "HTML");
    }
  }

  static TelegramRequest rejected(String cause) {
    return new Impossible(new Outcome.Rejected(Blame.MESSAGE, cause));
  }

  private static Object numberOrName(String chat) {
    return NUMBER.matcher(chat).matches() ? Long.valueOf(chat) : chat;
  }

  /** The part's channel data, less what a fix has taken out. */
  private static Map<String, @Nullable Object> extras(Dispatch dispatch) {
    Map<String, @Nullable Object> extras = new LinkedHashMap<>(dispatch.channelData());
    if (dispatch.state().has(Fix.PlainText.class)) {
      extras.remove("parse_mode");
      extras.remove("entities");
      extras.remove("caption_entities");
    }
    if (dispatch.state().has(Fix.DropReply.class)) {
      extras.remove("reply_parameters");
    }
    return extras;
  }
}
