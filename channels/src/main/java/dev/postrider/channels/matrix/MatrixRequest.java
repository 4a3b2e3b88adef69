package dev.postrider.channels.matrix;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.PartFile;
import dev.postrider.media.MediaTypes;
import dev.postrider.message.Attachment;
import dev.postrider.message.MediaKind;
import dev.postrider.problem.InvalidInput;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The content of the event that one part becomes. */
final class MatrixRequest {
  /** What holds for all of a message. */
  static final Set<String> OPTIONS = Set.of("msgtype");

  private static final Set<String> TEXTS = Set.of("m.text", "m.notice", "m.emote");

  private static final String HTML = "org.matrix.custom.html";

  /** How clients tell speech from music; not yet in the specification, but in use. */
  private static final String VOICE = "org.matrix.msc3245.voice";

  private MatrixRequest() {}

  /**
   * The content of an {@code m.room.message}.
   *
   * @throws InvalidInput if channel data alone does not make one
   */
  static Map<String, @Nullable Object> of(Dispatch dispatch) {
    // What the message itself says goes on top: channel data never changes what is said.
    Map<String, @Nullable Object> content = new LinkedHashMap<>(dispatch.channelData());
    if (!dispatch.isLast() && !TEXTS.contains(String.valueOf(content.get("msgtype")))) {
      content.remove("msgtype"); // of the content, which goes with the last part
    }
    content.putIfAbsent("m.mentions", Map.of()); // or clients would search the text for names
    if (!dispatch.cargo().isEmpty()) {
      file(dispatch, content);
    } else if (dispatch.text() != null) {
      content.putIfAbsent("msgtype", dispatch.silent() ? "m.notice" : "m.text");
      write(dispatch, content);
    } else {
      requireText(content, "msgtype");
      requireText(content, "body");
    }
    relate(dispatch, content);
    return content;
  }

  private static void requireText(Map<String, @Nullable Object> content, String field) {
    if (!(content.get(field) instanceof String)) {
      throw new InvalidInput(
          "channelData." + field, "is missing; an event without text needs one of its own");
    }
  }

  private static void write(Dispatch dispatch, Map<String, @Nullable Object> content) {
    if (dispatch.isMarkup()) {
      content.put("body", dispatch.part().plain());
      content.put("format", HTML);
      content.put("formatted_body", dispatch.text());
    } else {
      content.put("body", dispatch.text());
    }
  }

  private static void file(Dispatch dispatch, Map<String, @Nullable Object> content) {
    PartFile cargo = dispatch.cargo().getFirst();
    Attachment file = cargo.attachment();
    String name = filename(file);
    content.put("msgtype", type(file.kind()));
    UploadedFile uploaded =
        UploadedFile.of(Objects.requireNonNull(cargo.handle(), "uploaded before"));
    content.put("url", uploaded.uri());
    content.put("filename", name);
    content.put("body", name);
    content.put("info", info(file, uploaded.size()));
    if (file.kind() == MediaKind.VOICE) {
      content.put(VOICE, Map.of());
    }
    if (dispatch.text() != null) {
      write(dispatch, content); // a body that is not the file's name is its caption
    }
  }

  private static Map<String, Object> info(Attachment file, @Nullable ImageSize picture) {
    Map<String, Object> info = new LinkedHashMap<>();
    if (file.type() != null) {
      info.put("mimetype", file.type());
    }
    info.put("size", file.size());
    if (picture != null) {
      info.put("w", picture.width());
      info.put("h", picture.height());
    }
    return info;
  }

  private static String type(MediaKind kind) {
    return switch (kind) {
      case IMAGE -> "m.image";
      case VIDEO -> "m.video";
      case AUDIO, VOICE -> "m.audio";
      case DOCUMENT -> "m.file";
    };
  }

  static String filename(Attachment file) {
    return file.filename() == null ? MediaTypes.name(file.kind(), file.type()) : file.filename();
  }

  private static void relate(Dispatch dispatch, Map<String, @Nullable Object> content) {
    String reply = dispatch.replyToId();
    String thread = dispatch.threadId();
    Map<String, Object> relation = new LinkedHashMap<>();
    if (thread != null) {
      relation.put("rel_type", "m.thread");
      relation.put("event_id", thread);
      relation.put("is_falling_back", reply == null); // clients without threads show a reply
    }
    if (thread != null || reply != null) {
      relation.put("m.in_reply_to", Map.of("event_id", reply == null ? thread : reply));
      content.put("m.relates_to", relation);
    }
  }
}
