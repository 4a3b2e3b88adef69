package dev.postrider.jdbc.message;

import dev.postrider.channel.Remembered;
import dev.postrider.jdbc.encryption.ContentCipher;
import dev.postrider.jdbc.encryption.ContentCipher.Column;
import dev.postrider.jdbc.session.Values;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Something remembered, as it is stored.
 *
 * @param chat empty for what belongs to the account as a whole
 * @param value encrypted where there is a key; null: to be forgotten
 */
public record MemoryRow(
    String chat, String key, byte @Nullable [] value, @Nullable Long expiresAt) {

  public static List<MemoryRow> of(String account, List<Remembered> all, ContentCipher cipher) {
    return all.stream().map(one -> of(account, one, cipher)).toList();
  }

  public static MemoryRow of(String account, Remembered one, ContentCipher cipher) {
    String value = one.value();
    return new MemoryRow(
        chat(one.chat()),
        one.key(),
        value == null ? null : seal(cipher, account, one.key(), value),
        Values.nullableMicros(one.expiresAt()));
  }

  public static String chat(@Nullable String chat) {
    return chat == null ? "" : chat;
  }

  /** What a value is bound to: not its chat, which may get another name. */
  public static byte[] row(String account, String key) {
    return (account + '\0' + key).getBytes(StandardCharsets.UTF_8);
  }

  /** As JSON: no text begins as what is encrypted does. */
  public static byte[] seal(ContentCipher cipher, String account, String key, String value) {
    return cipher.seal(
        Column.MEMORY, row(account, key), MessageCodec.JSON.writeValueAsBytes(value));
  }

  public static String open(ContentCipher cipher, String account, String key, byte[] stored) {
    return MessageCodec.JSON.readValue(
        cipher.open(Column.MEMORY, row(account, key), stored), String.class);
  }
}
