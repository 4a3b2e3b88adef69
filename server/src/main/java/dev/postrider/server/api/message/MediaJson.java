package dev.postrider.server.api.message;

import dev.postrider.channel.Capabilities;
import dev.postrider.channel.TextLimit;
import dev.postrider.media.MediaTypes;
import dev.postrider.message.Attachment;
import dev.postrider.message.Media;
import dev.postrider.message.MediaKind;
import dev.postrider.message.Part;
import dev.postrider.server.api.FieldReader;
import dev.postrider.server.api.Json;
import dev.postrider.store.media.Blob;
import dev.postrider.view.Preview;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonToken;

/** Files as JSON: as a sender gives them, as they are kept, and as they are planned. */
public final class MediaJson {
  private static final List<String> FIELDS =
      List.of("url", "id", "kind", "filename", "loop", "asDocument");

  private MediaJson() {}

  /** The list of a message's files. */
  static List<Media> read(FieldReader reader) {
    List<Media> all = new ArrayList<>();
    if (reader.parser.currentToken() != JsonToken.START_ARRAY) {
      reader.wrong("media", "must be a list, such as [{\"url\": \"https://…\"}]");
      return all;
    }
    while (reader.parser.nextToken() != JsonToken.END_ARRAY) {
      String at = "media[" + all.size() + "]";
      if (reader.parser.currentToken() == JsonToken.START_OBJECT) {
        all.add(readOne(reader, at));
      } else {
        reader.wrong(at, "must be an object with a url");
      }
    }
    return all;
  }

  private static Media readOne(FieldReader reader, String at) {
    String url = "";
    @Nullable MediaKind kind = null;
    @Nullable String filename = null;
    boolean loop = false;
    boolean asDocument = false;
    for (String name = reader.parser.nextName(); name != null; name = reader.parser.nextName()) {
      if (reader.parser.nextToken() == JsonToken.VALUE_NULL) {
        continue;
      }
      String field = at + "." + name;
      switch (name) {
        case "url" -> url = reader.text(field);
        case "id" -> url = Media.held(reader.text(field)).url();
        case "kind" -> kind = reader.word(field, MediaKind.class, MediaKind.DOCUMENT);
        case "filename" -> filename = reader.text(field);
        case "loop" -> loop = reader.flag(field);
        case "asDocument" -> asDocument = reader.flag(field);
        default -> reader.unknown(field, name, FIELDS);
      }
    }
    if (url.isBlank()) {
      reader.wrong(at + ".url", "is missing; give the address of the file, or the id of an upload");
    }
    if (url.toLowerCase(Locale.ROOT).startsWith("file:")) {
      reader.wrong(
          at + ".url", "would be a file of the server; upload yours to /v1/media and give its id");
    }
    return new Media(url, kind, filename, loop, asDocument);
  }

  public static void write(JsonGenerator json, Media media) {
    json.writeStartObject();
    json.writeStringProperty("url", media.url());
    Json.word(json, "kind", media.kind());
    Json.text(json, "filename", media.filename());
    json.writeBooleanProperty("loop", media.loop());
    json.writeBooleanProperty("asDocument", media.asDocument());
    json.writeEndObject();
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

  static void write(JsonGenerator json, List<Attachment> files) {
    json.writeStartArray();
    for (Attachment file : files) {
      json.writeStartObject();
      json.writeStringProperty("url", file.url());
      Json.word(json, "kind", file.kind());
      Json.text(json, "filename", file.filename());
      Json.text(json, "type", file.type());
      if (file.size() < 0) {
        json.writeNullProperty("size");
      } else {
        json.writeNumberProperty("size", file.size());
      }
      json.writeBooleanProperty("loop", file.loop());
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  /** The parts a message would become, as they would be sent. */
  static void write(JsonGenerator json, Preview preview) {
    json.writeName("parts");
    json.writeStartArray();
    int index = 0;
    for (Part part : preview.plan().parts()) {
      json.writeStartObject();
      json.writeNumberProperty("index", index++);
      Json.text(json, "text", part.text());
      Json.text(json, "plain", part.plain());
      json.writeBooleanProperty("markup", part.isMarkup());
      json.writeName("styles");
      Json.value(json, part.styles());
      size(json, part, preview.channel());
      json.writeName("media");
      write(json, part.media());
      json.writeEndObject();
    }
    json.writeEndArray();
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
