package dev.postrider.server.api.message;

import dev.postrider.channel.Capabilities;
import dev.postrider.channel.TextLimit;
import dev.postrider.media.MediaTypes;
import dev.postrider.message.Attachment;
import dev.postrider.message.Media;
import dev.postrider.message.Part;
import dev.postrider.server.api.Json;
import dev.postrider.store.media.Blob;
import dev.postrider.view.Preview;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** Files as JSON: as they are kept, and as they are planned. */
public final class MediaJson {
  private MediaJson() {}

  public static void write(JsonGenerator json, Media media) {
    json.writeStringProperty("url", media.url());
    Json.word(json, "kind", media.kind());
    Json.text(json, "filename", media.filename());
    json.writeBooleanProperty("loop", media.loop());
    json.writeBooleanProperty("asDocument", media.asDocument());
  }

  /** A file in custody. */
  static void write(JsonGenerator json, Blob blob, @Nullable String filename) {
    json.writeStringProperty("id", blob.hash());
    json.writeStringProperty("url", Media.held(blob.hash()).url());
    Json.text(json, "filename", filename);
    json.writeStringProperty("type", blob.type());
    Json.word(json, "kind", MediaTypes.kind(blob.type()));
    json.writeNumberProperty("size", blob.size());
  }

  /** The files of a part, under the name {@code media}. */
  static void write(JsonGenerator json, List<Attachment> files) {
    Json.objects(
        json,
        "media",
        files,
        file -> {
          json.writeStringProperty("url", file.url());
          Json.word(json, "kind", file.kind());
          Json.text(json, "filename", file.filename());
          Json.text(json, "type", file.type());
          Json.value(json, "size", file.size() < 0 ? null : file.size());
          json.writeBooleanProperty("loop", file.loop());
        });
  }

  /** The parts a message would become, as they would be sent. */
  static void write(JsonGenerator json, Preview preview) {
    json.writeArrayPropertyStart("parts");
    int index = 0;
    for (Part part : preview.plan().parts()) {
      List<Part> pieces = part.pieces().isEmpty() ? List.of(part) : part.pieces();
      for (Part piece : pieces) {
        write(json, index, piece, preview.channel());
      }
      index++;
    }
    json.writeEndArray();
  }

  /** What the platform is given in a part; with files, the text is their caption. */
  static void writeContent(JsonGenerator json, Part part) {
    Json.text(json, "content", part.text());
    Json.text(json, "plain", part.plain());
    Json.value(json, "styles", part.styles());
    write(json, part.media());
  }

  private static void write(JsonGenerator json, int index, Part part, Capabilities channel) {
    json.writeStartObject();
    json.writeNumberProperty("index", index);
    Json.text(json, "text", part.text());
    Json.text(json, "plain", part.plain());
    json.writeBooleanProperty("markup", part.isMarkup());
    Json.value(json, "styles", part.styles());
    size(json, part, channel);
    write(json, part.media());
    json.writeEndObject();
  }

  /** How much of the channel's limit the part takes, counted as the platform counts. */
  private static void size(JsonGenerator json, Part part, Capabilities channel) {
    @Nullable TextLimit limit = part.media().isEmpty() ? channel.text() : channel.media().caption();
    @Nullable String counted =
        limit != null && limit.visible() && part.plain() != null ? part.plain() : part.text();
    if (limit == null || counted == null) {
      return;
    }
    json.writeNumberProperty("size", limit.unit().size(counted));
    json.writeNumberProperty("limit", limit.size());
    json.writeStringProperty(
        "unit", limit.unit().name().toLowerCase(Locale.ROOT).replace('_', '-'));
  }
}
