package dev.postrider.jdbc.reminder;

import dev.postrider.jdbc.encryption.ContentCipher;
import dev.postrider.jdbc.encryption.ContentCipher.Column;
import dev.postrider.jdbc.message.MessageCodec;
import dev.postrider.message.MessageId;
import dev.postrider.store.reminder.ReminderTarget;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/**
 * Writes what belongs to a target, after the manner of {@link MessageCodec}: what it is called and
 * its variables as small JSON, the messages it has got as their ids, one after the other.
 */
public final class TargetCodec {
  private static final int ID_BYTES = 16;

  private TargetCodec() {}

  // ---- who it is

  /**
   * Everything of a target but its account and chat; null if there is nothing. Half a character
   * becomes a question mark.
   *
   * @param storedChat the chat as it will be read again
   */
  public static byte @Nullable [] content(
      ReminderTarget target, String storedChat, ContentCipher cipher) {
    byte[] content = content(target);
    return content == null
        ? null
        : cipher.seal(Column.TARGET, row(target.account(), storedChat), content);
  }

  /**
   * What a target's content is bound to: whom it is about. A run copies its reminder's targets, so
   * it cannot be bound to one row.
   */
  public static byte[] row(String account, String chat) {
    return (account + '\0' + chat).getBytes(StandardCharsets.UTF_8);
  }

  private static byte @Nullable [] content(ReminderTarget target) {
    if (target.name() == null && target.variables().isEmpty()) {
      return null;
    }
    StringWriter out = new StringWriter(64);
    try (JsonGenerator json = MessageCodec.JSON.createGenerator(out)) {
      json.writeStartObject();
      MessageCodec.write(json, "name", target.name());
      MessageCodec.map(json, "variables", target.variables());
      json.writeEndObject();
    }
    return out.toString().getBytes(StandardCharsets.UTF_8);
  }

  public static ReminderTarget target(String account, String chat, byte @Nullable [] content) {
    String called = null;
    Map<String, String> variables = Map.of();
    if (content != null) {
      try (JsonParser json = MessageCodec.JSON.createParser(content)) {
        json.nextToken();
        while (json.nextToken() == JsonToken.PROPERTY_NAME) {
          String name = json.currentName();
          json.nextToken();
          switch (name) {
            case "name" -> called = json.getString();
            case "variables" -> variables = variables(json);
            default -> json.skipChildren(); // written by a later version
          }
        }
      }
    }
    return new ReminderTarget(account, chat, called, variables);
  }

  private static Map<String, String> variables(JsonParser json) {
    Map<String, String> variables = new HashMap<>();
    while (json.nextToken() == JsonToken.PROPERTY_NAME) {
      String name = json.currentName();
      json.nextToken();
      variables.put(name, json.getString());
    }
    return variables;
  }

  // ---- what it has got

  /** Null if it has got nothing. */
  public static byte @Nullable [] messages(List<MessageId> messages) {
    if (messages.isEmpty()) {
      return null;
    }
    ByteBuffer bytes = ByteBuffer.allocate(ID_BYTES * messages.size());
    for (MessageId message : messages) {
      bytes.putLong(message.value().getMostSignificantBits());
      bytes.putLong(message.value().getLeastSignificantBits());
    }
    return bytes.array();
  }

  public static List<MessageId> messages(byte @Nullable [] stored) {
    if (stored == null) {
      return List.of();
    }
    ByteBuffer bytes = ByteBuffer.wrap(stored);
    List<MessageId> messages = new ArrayList<>(stored.length / ID_BYTES);
    while (bytes.hasRemaining()) {
      messages.add(new MessageId(new UUID(bytes.getLong(), bytes.getLong())));
    }
    return messages;
  }
}
