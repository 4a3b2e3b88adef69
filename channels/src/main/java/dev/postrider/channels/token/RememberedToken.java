package dev.postrider.channels.token;

import dev.postrider.channel.Memory;
import dev.postrider.channel.Remembered;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.token.TokenSource.Token;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Keeps an account's token in its memory, over restarts and for whichever node works it next: for
 * platforms where the secret that renews it may be used once.
 *
 * @param key what it is called there
 */
public record RememberedToken(Memory memory, String key) implements TokenSource.Store {

  @Override
  public @Nullable Token load() {
    JsonNode node = memory.read(null, key).map(Json::readObject).orElse(null);
    if (node == null) {
      return null;
    }
    try {
      return new Token(
          node.path("value").asString(""),
          Instant.parse(node.path("expiresAt").asString("")),
          Json.text(node, "refresh"));
    } catch (DateTimeException e) {
      return null;
    }
  }

  @Override
  public void save(Token token) {
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put("value", token.value());
    fields.put("expiresAt", token.expiresAt().toString());
    if (token.refresh() != null) {
      fields.put("refresh", token.refresh());
    }
    memory.write(Remembered.of(null, key, Json.write(fields)));
  }
}
