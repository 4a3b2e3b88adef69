package dev.postrider.jdbc.message;

import dev.postrider.message.Attachment;
import dev.postrider.message.DispatchKind;
import dev.postrider.message.Fix;
import dev.postrider.message.Format;
import dev.postrider.message.Message;
import dev.postrider.message.MessageId;
import dev.postrider.message.OnUnknown;
import dev.postrider.message.Ordering;
import dev.postrider.message.Part;
import dev.postrider.message.PartState;
import dev.postrider.message.Plan;
import dev.postrider.message.Priority;
import dev.postrider.message.Progress;
import dev.postrider.message.Receipt;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamWriteConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes contents, plans and progress as small JSON and reads them back. Defaults are left out, so
 * that a plain message is little more than its text; names are kept short but readable, since
 * people look into these files. Thread-safe.
 */
public final class MessageCodec {
  /** Deeper than anything that a parser with the usual limit of 500 has let in. */
  private static final int DEEPEST = 1_000;

  /** Reads whatever it wrote: a message that was stored must never become unreadable. */
  public static final JsonMapper JSON =
      JsonMapper.builder(
              JsonFactory.builder()
                  .streamWriteConstraints(
                      StreamWriteConstraints.builder().maxNestingDepth(DEEPEST).build())
                  .streamReadConstraints(
                      StreamReadConstraints.builder()
                          .maxNestingDepth(DEEPEST)
                          .maxNameLength(Integer.MAX_VALUE)
                          .maxStringLength(Integer.MAX_VALUE)
                          .maxNumberLength(Integer.MAX_VALUE)
                          .build())
                  .build())
          .build();

  private MessageCodec() {}

  // ---- message

  /** Everything of a message but its account and chat, which have columns of their own. */
  public static byte[] content(Message message) {
    ByteArrayOutputStream out = new ByteArrayOutputStream(256);
    try (JsonGenerator json = JSON.createGenerator(out)) {
      json.writeStartObject();
      write(json, "text", message.text());
      if (message.format() != Format.MARKDOWN) {
        write(json, "format", message.format().name());
      }
      if (!message.media().isEmpty()) {
        json.writeName("media");
        json.writeStartArray();
        message.media().forEach(item -> MediaCodec.write(json, item));
        json.writeEndArray();
      }
      write(json, "thread", message.threadId());
      write(json, "replyTo", message.replyToId());
      flag(json, "silent", message.silent());
      map(json, "channelData", message.channelData());
      write(json, "key", message.idempotencyKey());
      if (message.ordering() != Ordering.FIFO) {
        write(json, "ordering", message.ordering().name());
      }
      if (message.priority() != Priority.LIVE) {
        write(json, "priority", message.priority().name());
      }
      if (message.sendAt() != null) {
        write(json, "sendAt", message.sendAt().toString());
      }
      if (message.expiresIn() != null) {
        write(json, "expiresIn", message.expiresIn().toString());
      }
      if (message.maxAttempts() != null) {
        json.writeNumberProperty("maxAttempts", message.maxAttempts());
      }
      flag(json, "bestEffort", message.bestEffort());
      if (message.onUnknown() != null) {
        write(json, "onUnknown", message.onUnknown().name());
      }
      write(json, "session", message.sessionId());
      write(json, "turn", message.turnId());
      if (message.dispatchKind() != null) {
        write(json, "dispatch", message.dispatchKind().name());
      }
      map(json, "metadata", message.metadata());
      if (message.traceparent() != null) {
        write(json, "traceparent", message.traceparent().toString());
      }
      json.writeEndObject();
    }
    return out.toByteArray();
  }

  public static Message message(String account, String chat, byte[] content) {
    Message.Builder message = Message.to(account, chat);
    try (JsonParser json = JSON.createParser(content)) {
      json.nextToken();
      while (json.nextToken() == JsonToken.PROPERTY_NAME) {
        String name = json.currentName();
        json.nextToken();
        switch (name) {
          case "text" -> message.text(json.getString());
          case "format" -> message.format(Format.valueOf(json.getString()));
          case "media" -> message.media(readList(json, MediaCodec::readMedia));
          case "thread" -> message.threadId(json.getString());
          case "replyTo" -> message.replyToId(json.getString());
          case "silent" -> message.silent(true);
          case "channelData" -> message.channelData(readMap(json));
          case "key" -> message.idempotencyKey(json.getString());
          case "ordering" -> message.ordering(Ordering.valueOf(json.getString()));
          case "priority" -> message.priority(Priority.valueOf(json.getString()));
          case "sendAt" -> message.sendAt(Instant.parse(json.getString()));
          case "expiresIn" -> message.expiresIn(Duration.parse(json.getString()));
          case "maxAttempts" -> message.maxAttempts(json.getIntValue());
          case "bestEffort" -> message.bestEffort(true);
          case "onUnknown" -> message.onUnknown(OnUnknown.valueOf(json.getString()));
          case "session" -> message.sessionId(json.getString());
          case "turn" -> message.turnId(json.getString());
          case "dispatch" -> message.dispatchKind(DispatchKind.valueOf(json.getString()));
          case "metadata" -> message.metadata(readMap(json));
          case "traceparent" -> message.traceparent(json.getString());
          default -> json.skipChildren(); // written by a later version
        }
      }
    }
    return message.build();
  }

  // ---- plan

  /** Null for the usual plan: the message's own id, and its text as one plain part. */
  public static byte @Nullable [] plan(MessageId id, Message message, Plan plan) {
    Part first = plan.parts().getFirst();
    boolean usual =
        plan.origin().equals(id)
            && plan.parts().size() == 1
            && first.media().isEmpty()
            && !first.isMarkup()
            && first.styles().isEmpty()
            && message.text() != null
            && message.text().equals(first.text());
    if (usual) {
      return null;
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream(256);
    try (JsonGenerator json = JSON.createGenerator(out)) {
      json.writeStartObject();
      if (!plan.origin().equals(id)) {
        write(json, "origin", plan.origin().toString());
      }
      json.writeName("parts");
      writeParts(json, plan.parts());
      json.writeEndObject();
    }
    return out.toByteArray();
  }

  private static void writeParts(JsonGenerator json, List<Part> parts) {
    json.writeStartArray();
    for (Part part : parts) {
      json.writeStartObject();
      write(json, "text", part.text());
      write(json, "plain", part.plain());
      if (!part.styles().isEmpty()) {
        json.writePOJOProperty("styles", part.styles());
      }
      if (!part.pieces().isEmpty()) { // which have the media of the bundle
        json.writeName("pieces");
        writeParts(json, part.pieces());
      } else if (!part.media().isEmpty()) {
        json.writeName("media");
        json.writeStartArray();
        part.media().forEach(item -> MediaCodec.write(json, item));
        json.writeEndArray();
      }
      json.writeEndObject();
    }
    json.writeEndArray();
  }

  public static Plan plan(MessageId id, Message message, byte @Nullable [] stored) {
    if (stored == null) {
      return new Plan(id, List.of(new Part(message.text(), null, List.of(), List.of())));
    }
    MessageId origin = id;
    List<Part> parts = List.of();
    try (JsonParser json = JSON.createParser(stored)) {
      json.nextToken();
      while (json.nextToken() == JsonToken.PROPERTY_NAME) {
        String name = json.currentName();
        json.nextToken();
        switch (name) {
          case "origin" -> origin = MessageId.parse(json.getString());
          case "parts" -> parts = readList(json, MessageCodec::readPart);
          default -> json.skipChildren();
        }
      }
    }
    return new Plan(origin, parts);
  }

  private static Part readPart(JsonParser json) {
    String text = null;
    String plain = null;
    List<String> styles = List.of();
    List<Attachment> media = List.of();
    List<Part> pieces = List.of();
    while (json.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = json.currentName();
      json.nextToken();
      switch (name) {
        case "pieces" -> pieces = readList(json, MessageCodec::readPart);
        case "text" -> text = json.getString();
        case "plain" -> plain = json.getString();
        case "styles" -> styles = readTexts(json);
        case "media" -> media = MediaCodec.readAttachments(json);
        default -> json.skipChildren();
      }
    }
    return pieces.isEmpty() ? new Part(text, plain, styles, media) : Part.bundle(pieces);
  }

  // ---- progress

  /** Null while no part has got anywhere. */
  public static byte @Nullable [] progress(Progress progress) {
    if (progress.isFresh()) {
      return null;
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream(64);
    try (JsonGenerator json = JSON.createGenerator(out)) {
      json.writeStartArray();
      for (PartState part : progress.parts()) {
        json.writeStartObject();
        if (part.receipt() != null) {
          write(json, part.receipt().accepted() ? "accepted" : "delivered", part.receipt().id());
        }
        flag(json, "failed", part.state() == PartState.State.FAILED);
        if (!part.fixes().isEmpty()) {
          json.writeName("fixes");
          json.writeStartObject();
          part.fixes().forEach(fix -> fix(json, fix));
          json.writeEndObject();
        }
        if (part.inDoubtSince() != null) {
          write(json, "inDoubtSince", part.inDoubtSince().toString());
        }
        json.writeEndObject();
      }
      json.writeEndArray();
    }
    return out.toByteArray();
  }

  public static Progress progress(int parts, byte @Nullable [] stored) {
    if (stored == null) {
      return Progress.none(parts);
    }
    try (JsonParser json = JSON.createParser(stored)) {
      json.nextToken();
      return new Progress(readList(json, MessageCodec::readPartState));
    }
  }

  private static PartState readPartState(JsonParser json) {
    PartState.State state = PartState.State.PENDING;
    Receipt receipt = null;
    List<Fix> fixes = new ArrayList<>(0);
    Instant inDoubtSince = null;
    while (json.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = json.currentName();
      json.nextToken();
      switch (name) {
        case "delivered", "accepted" -> {
          state = PartState.State.DELIVERED;
          receipt = new Receipt(json.getString(), name.equals("accepted"));
        }
        case "failed" -> state = PartState.State.FAILED;
        case "fixes" -> {
          while (json.nextToken() == JsonToken.PROPERTY_NAME) {
            String fix = json.currentName();
            json.nextToken();
            fixes.add(readFix(fix, json.getString()));
          }
        }
        case "inDoubtSince" -> inDoubtSince = Instant.parse(json.getString());
        default -> json.skipChildren();
      }
    }
    return new PartState(state, receipt, fixes, inDoubtSince);
  }

  private static void fix(JsonGenerator json, Fix fix) {
    switch (fix) {
      case Fix.PlainText _ -> json.writeStringProperty("plainText", "");
      case Fix.DropReply _ -> json.writeStringProperty("dropReply", "");
      case Fix.NewChat chat -> json.writeStringProperty("newChat", chat.to());
      case Fix.UploadInstead _ -> json.writeStringProperty("uploadInstead", "");
      case Fix.AsDocument _ -> json.writeStringProperty("asDocument", "");
      case Fix.Alone _ -> json.writeStringProperty("alone", "");
      case Fix.LinkInstead _ -> json.writeStringProperty("linkInstead", "");
    }
  }

  private static Fix readFix(String name, String value) {
    return switch (name) {
      case "plainText" -> new Fix.PlainText();
      case "dropReply" -> new Fix.DropReply();
      case "newChat" -> new Fix.NewChat(value);
      case "uploadInstead" -> new Fix.UploadInstead();
      case "asDocument" -> new Fix.AsDocument();
      case "alone" -> new Fix.Alone();
      case "linkInstead" -> new Fix.LinkInstead();
      default -> throw new IllegalStateException("unknown fix '" + name + "'");
    };
  }

  // ---- pieces

  public static List<String> readTexts(JsonParser json) {
    List<String> all = new ArrayList<>();
    while (json.nextToken() == JsonToken.VALUE_STRING) {
      all.add(json.getString());
    }
    return all;
  }

  @FunctionalInterface
  public interface Item<T> {
    T read(JsonParser json);
  }

  public static <T> List<T> readList(JsonParser json, Item<T> item) {
    List<T> all = new ArrayList<>();
    while (json.nextToken() == JsonToken.START_OBJECT) {
      all.add(item.read(json));
    }
    return all;
  }

  @SuppressWarnings("unchecked")
  public // a JSON object has string keys
  static Map<String, @Nullable Object> readMap(JsonParser json) {
    return (Map<String, @Nullable Object>) json.readValueAs(Map.class);
  }

  public static void write(JsonGenerator json, String name, @Nullable String value) {
    if (value != null) {
      json.writeStringProperty(name, value);
    }
  }

  static void flag(JsonGenerator json, String name, boolean value) {
    if (value) {
      json.writeBooleanProperty(name, true);
    }
  }

  public static void map(JsonGenerator json, String name, Map<String, ?> value) {
    if (!value.isEmpty()) {
      json.writePOJOProperty(name, value);
    }
  }
}
