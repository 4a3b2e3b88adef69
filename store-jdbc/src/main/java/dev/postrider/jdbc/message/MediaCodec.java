package dev.postrider.jdbc.message;

import dev.postrider.message.Attachment;
import dev.postrider.message.Media;
import dev.postrider.message.MediaKind;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** Files in the stored form, as given and as planned. */
final class MediaCodec {
  private MediaCodec() {}

  static void write(JsonGenerator json, Media media) {
    json.writeStartObject();
    MessageCodec.write(json, "url", media.url());
    MessageCodec.write(json, "kind", media.kind() == null ? null : media.kind().label());
    MessageCodec.write(json, "filename", media.filename());
    MessageCodec.flag(json, "loop", media.loop());
    MessageCodec.flag(json, "asDocument", media.asDocument());
    json.writeEndObject();
  }

  static void write(JsonGenerator json, Attachment file) {
    json.writeStartObject();
    MessageCodec.write(json, "url", file.url());
    MessageCodec.write(json, "kind", file.kind().label());
    MessageCodec.write(json, "filename", file.filename());
    MessageCodec.write(json, "type", file.type());
    if (file.size() >= 0) {
      json.writeNumberProperty("size", file.size());
    }
    MessageCodec.flag(json, "loop", file.loop());
    MessageCodec.flag(json, "asDocument", file.asDocument());
    json.writeEndObject();
  }

  static Media readMedia(JsonParser json) {
    Fields fields = readFields(json);
    return new Media(fields.url, fields.kind, fields.filename, fields.loop, fields.asDocument);
  }

  private static Attachment readAttachment(JsonParser json) {
    Fields fields = readFields(json);
    MediaKind kind = fields.kind == null ? MediaKind.DOCUMENT : fields.kind;
    return new Attachment(
        fields.url,
        kind,
        fields.filename,
        fields.type,
        fields.size,
        fields.loop,
        fields.asDocument);
  }

  /** Several, or the one that versions before albums wrote. */
  static List<Attachment> readAttachments(JsonParser json) {
    return json.currentToken() == JsonToken.START_OBJECT
        ? List.of(readAttachment(json))
        : MessageCodec.readList(json, MediaCodec::readAttachment);
  }

  /** What media and attachments have between them. */
  private static final class Fields {
    String url = "";
    @Nullable MediaKind kind;
    @Nullable String filename;
    @Nullable String type;
    long size = -1;
    boolean loop;
    boolean asDocument;
  }

  private static Fields readFields(JsonParser json) {
    Fields fields = new Fields();
    while (json.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = json.currentName();
      json.nextToken();
      switch (name) {
        case "url" -> fields.url = json.getString();
        case "kind" -> fields.kind = readKind(json.getString());
        case "filename" -> fields.filename = json.getString();
        case "type" -> fields.type = json.getString();
        case "size" -> fields.size = json.getLongValue();
        case "loop" -> fields.loop = true;
        case "asDocument" -> fields.asDocument = true;
        default -> json.skipChildren();
      }
    }
    return fields;
  }

  /** Null for a word that is no kind: earlier versions took any. */
  private static @Nullable MediaKind readKind(String label) {
    return Arrays.stream(MediaKind.values())
        .filter(kind -> kind.label().equals(label))
        .findFirst()
        .orElse(null);
  }
}
