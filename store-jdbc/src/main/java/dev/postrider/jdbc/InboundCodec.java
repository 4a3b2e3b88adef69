package dev.postrider.jdbc;

import dev.postrider.inbound.Arrival;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** Writes events as small JSON, after the manner of {@link Codec}, and reads them back. */
public final class InboundCodec {
  private InboundCodec() {}

  /** Half a character, such as a cut emoji leaves, becomes a question mark: it stops nothing. */
  public static byte[] arrival(Arrival arrival) {
    StringWriter out = new StringWriter(1_024);
    try (JsonGenerator json = Codec.JSON.createGenerator(out)) {
      json.writeStartObject();
      Codec.write(json, "platformId", arrival.platformId());
      if (arrival.kind() != Arrival.Kind.MESSAGE) {
        Codec.write(json, "kind", arrival.kind().name());
      }
      Codec.write(json, "chat", arrival.chat());
      if (arrival.chatKind() != Arrival.ChatKind.DM) {
        Codec.write(json, "chatKind", arrival.chatKind().name());
      }
      Codec.write(json, "sender", arrival.sender().id());
      Codec.write(json, "senderName", arrival.sender().name());
      Codec.write(json, "text", arrival.text());
      if (!arrival.media().isEmpty()) {
        json.writeName("media");
        json.writeStartArray();
        arrival.media().forEach(file -> write(json, file));
        json.writeEndArray();
      }
      Codec.write(json, "message", arrival.messageId());
      Codec.write(json, "replyTo", arrival.replyToId());
      Codec.write(json, "thread", arrival.threadId());
      if (arrival.sentAt() != null) {
        Codec.write(json, "sentAt", arrival.sentAt().toString());
      }
      Codec.map(json, "raw", arrival.raw());
      json.writeEndObject();
    }
    return out.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static void write(JsonGenerator json, Arrival.File file) {
    json.writeStartObject();
    Codec.write(json, "kind", file.kind());
    Codec.write(json, "id", file.id());
    Codec.write(json, "url", file.url());
    Codec.write(json, "filename", file.filename());
    Codec.write(json, "type", file.type());
    if (file.size() != null) {
      json.writeNumberProperty("size", file.size());
    }
    json.writeEndObject();
  }

  public static Arrival arrival(byte[] stored) {
    String platformId = "";
    Arrival.Kind kind = Arrival.Kind.MESSAGE;
    String chat = "";
    Arrival.ChatKind chatKind = Arrival.ChatKind.DM;
    String sender = "";
    String senderName = null;
    String text = null;
    List<Arrival.File> media = List.of();
    String message = null;
    String replyTo = null;
    String thread = null;
    Instant sentAt = null;
    Map<String, @Nullable Object> raw = Map.of();
    try (JsonParser json = Codec.JSON.createParser(stored)) {
      json.nextToken();
      while (json.nextToken() == JsonToken.PROPERTY_NAME) {
        String name = json.currentName();
        json.nextToken();
        switch (name) {
          case "platformId" -> platformId = json.getString();
          case "kind" -> kind = Arrival.Kind.valueOf(json.getString());
          case "chat" -> chat = json.getString();
          case "chatKind" -> chatKind = Arrival.ChatKind.valueOf(json.getString());
          case "sender" -> sender = json.getString();
          case "senderName" -> senderName = json.getString();
          case "text" -> text = json.getString();
          case "media" -> media = Codec.readList(json, InboundCodec::readFile);
          case "message" -> message = json.getString();
          case "replyTo" -> replyTo = json.getString();
          case "thread" -> thread = json.getString();
          case "sentAt" -> sentAt = Instant.parse(json.getString());
          case "raw" -> raw = Codec.readMap(json);
          default -> json.skipChildren(); // written by a later version
        }
      }
    }
    return new Arrival(
        platformId,
        kind,
        chat,
        chatKind,
        new Arrival.Sender(sender, senderName),
        text,
        media,
        message,
        replyTo,
        thread,
        sentAt,
        raw);
  }

  private static Arrival.File readFile(JsonParser json) {
    String kind = "";
    String id = null;
    String url = null;
    String filename = null;
    String type = null;
    Long size = null;
    while (json.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = json.currentName();
      json.nextToken();
      switch (name) {
        case "kind" -> kind = json.getString();
        case "id" -> id = json.getString();
        case "url" -> url = json.getString();
        case "filename" -> filename = json.getString();
        case "type" -> type = json.getString();
        case "size" -> size = json.getLongValue();
        default -> json.skipChildren();
      }
    }
    return new Arrival.File(kind, id, url, filename, type, size);
  }
}
