package dev.postrider.jdbc.inbound;

import dev.postrider.inbound.InboundMessage;
import dev.postrider.jdbc.message.MessageCodec;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Writes inbound messages as small JSON, after the manner of {@link MessageCodec}, and reads them
 * back.
 */
public final class InboundCodec {
  private InboundCodec() {}

  /** Half a character, such as a cut emoji leaves, becomes a question mark: it stops nothing. */
  public static byte[] arrival(InboundMessage arrival) {
    StringWriter out = new StringWriter(1_024);
    try (JsonGenerator json = MessageCodec.JSON.createGenerator(out)) {
      json.writeStartObject();
      MessageCodec.write(json, "platformId", arrival.platformId());
      if (arrival.kind() != InboundMessage.Kind.MESSAGE) {
        MessageCodec.write(json, "kind", arrival.kind().name());
      }
      MessageCodec.write(json, "chat", arrival.chat());
      if (arrival.chatKind() != InboundMessage.ChatKind.DM) {
        MessageCodec.write(json, "chatKind", arrival.chatKind().name());
      }
      MessageCodec.write(json, "sender", arrival.sender().id());
      MessageCodec.write(json, "senderName", arrival.sender().name());
      MessageCodec.write(json, "text", arrival.text());
      if (!arrival.media().isEmpty()) {
        json.writeName("media");
        json.writeStartArray();
        arrival.media().forEach(file -> write(json, file));
        json.writeEndArray();
      }
      MessageCodec.write(json, "message", arrival.messageId());
      MessageCodec.write(json, "replyTo", arrival.replyToId());
      MessageCodec.write(json, "thread", arrival.threadId());
      if (arrival.sentAt() != null) {
        MessageCodec.write(json, "sentAt", arrival.sentAt().toString());
      }
      MessageCodec.map(json, "raw", arrival.raw());
      json.writeEndObject();
    }
    return out.toString().getBytes(StandardCharsets.UTF_8);
  }

  private static void write(JsonGenerator json, InboundMessage.File file) {
    json.writeStartObject();
    MessageCodec.write(json, "kind", file.kind());
    MessageCodec.write(json, "id", file.id());
    MessageCodec.write(json, "url", file.url());
    MessageCodec.write(json, "filename", file.filename());
    MessageCodec.write(json, "type", file.type());
    if (file.size() != null) {
      json.writeNumberProperty("size", file.size());
    }
    json.writeEndObject();
  }

  public static InboundMessage arrival(byte[] stored) {
    String platformId = "";
    InboundMessage.Kind kind = InboundMessage.Kind.MESSAGE;
    String chat = "";
    InboundMessage.ChatKind chatKind = InboundMessage.ChatKind.DM;
    String sender = "";
    String senderName = null;
    String text = null;
    List<InboundMessage.File> media = List.of();
    String message = null;
    String replyTo = null;
    String thread = null;
    Instant sentAt = null;
    Map<String, @Nullable Object> raw = Map.of();
    try (JsonParser json = MessageCodec.JSON.createParser(stored)) {
      json.nextToken();
      while (json.nextToken() == JsonToken.PROPERTY_NAME) {
        String name = json.currentName();
        json.nextToken();
        switch (name) {
          case "platformId" -> platformId = json.getString();
          case "kind" -> kind = InboundMessage.Kind.valueOf(json.getString());
          case "chat" -> chat = json.getString();
          case "chatKind" -> chatKind = InboundMessage.ChatKind.valueOf(json.getString());
          case "sender" -> sender = json.getString();
          case "senderName" -> senderName = json.getString();
          case "text" -> text = json.getString();
          case "media" -> media = MessageCodec.readList(json, InboundCodec::readFile);
          case "message" -> message = json.getString();
          case "replyTo" -> replyTo = json.getString();
          case "thread" -> thread = json.getString();
          case "sentAt" -> sentAt = Instant.parse(json.getString());
          case "raw" -> raw = MessageCodec.readMap(json);
          default -> json.skipChildren(); // written by a later version
        }
      }
    }
    return new InboundMessage(
        platformId,
        kind,
        chat,
        chatKind,
        new InboundMessage.Sender(sender, senderName),
        text,
        media,
        message,
        replyTo,
        thread,
        sentAt,
        raw);
  }

  private static InboundMessage.File readFile(JsonParser json) {
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
    return new InboundMessage.File(kind, id, url, filename, type, size);
  }
}
