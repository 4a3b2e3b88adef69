package dev.postrider.channels.msteams;

import dev.postrider.channel.Memory;
import dev.postrider.channel.Remembered;
import dev.postrider.channels.http.Json;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What must be known of a conversation to write to it. Every activity that comes in tells it anew:
 * the address of the service can change.
 *
 * @param serviceUrl where the conversation is served; only ever what a token of Microsoft's named
 * @param bot what the bot is called there
 * @param removedAt when the bot was removed from it; null while it is in it
 */
record ConversationReference(
    @Nullable String serviceUrl,
    @Nullable String tenant,
    @Nullable String bot,
    @Nullable String removedAt) {
  static final ConversationReference UNKNOWN = new ConversationReference(null, null, null, null);

  private static final String KEY = "reference";

  static ConversationReference read(Memory memory, String chat) {
    JsonNode kept = memory.read(chat, KEY).map(Json::readObject).orElse(null);
    return kept == null
        ? UNKNOWN
        : new ConversationReference(
            Json.text(kept, "serviceUrl"),
            Json.text(kept, "tenant"),
            Json.text(kept, "bot"),
            Json.text(kept, "removedAt"));
  }

  Remembered of(String chat) {
    Map<String, String> fields = new LinkedHashMap<>();
    put(fields, "serviceUrl", serviceUrl);
    put(fields, "tenant", tenant);
    put(fields, "bot", bot);
    put(fields, "removedAt", removedAt);
    return Remembered.of(chat, KEY, Json.write(fields));
  }

  private static void put(Map<String, String> fields, String name, @Nullable String value) {
    if (value != null) {
      fields.put(name, value);
    }
  }
}
