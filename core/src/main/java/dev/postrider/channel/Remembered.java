package dev.postrider.channel;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Something that a channel wants to know again when it sends: where a chat is served, a token to
 * answer with, when a person last wrote. Stored durably, encrypted where contents are; never shown.
 *
 * @param chat the chat it is about; null: the account as a whole
 * @param key what it is called, by the channel
 * @param value any text, at most {@link #MAX_BYTES}; null: to be forgotten
 * @param expiresAt when it is of no use any more; null: never
 */
public record Remembered(
    @Nullable String chat, String key, @Nullable String value, @Nullable Instant expiresAt) {
  /** As UTF-8. */
  public static final int MAX_BYTES = 64 * 1024;

  private static final int MAX_KEY = 100;

  public Remembered {
    if (key.isBlank() || key.length() > MAX_KEY || key.chars().anyMatch(Character::isISOControl)) {
      throw new IllegalArgumentException(
          "a key of the memory has 1 to " + MAX_KEY + " characters, none of them a control");
    }
    if (chat != null && chat.isEmpty()) {
      throw new IllegalArgumentException(
          "'" + key + "' is about a chat without a name; null stands for the account");
    }
    int bytes = value == null ? 0 : value.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > MAX_BYTES) {
      throw new IllegalArgumentException(
          "'%s' has %d bytes; a value of the memory has at most %d"
              .formatted(key, bytes, MAX_BYTES));
    }
  }

  /** Until something else takes its place. */
  public static Remembered of(@Nullable String chat, String key, String value) {
    return new Remembered(chat, key, value, null);
  }

  public static Remembered until(
      Instant expiresAt, @Nullable String chat, String key, String value) {
    return new Remembered(chat, key, value, expiresAt);
  }

  /** It is to be forgotten. */
  public static Remembered forget(@Nullable String chat, String key) {
    return new Remembered(chat, key, null, null);
  }

  /** Values can be secrets. */
  @Override
  public String toString() {
    return "Remembered[" + key + "]";
  }
}
