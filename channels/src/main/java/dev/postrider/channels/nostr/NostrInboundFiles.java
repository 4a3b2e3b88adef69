package dev.postrider.channels.nostr;

import dev.postrider.channel.InboundFiles;
import dev.postrider.channel.InboundFiles.Unavailable.Why;
import dev.postrider.channels.Settings;
import dev.postrider.channels.fetch.InboundFetch;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.Secrets;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.MediaSettings;
import dev.postrider.inbound.InboundMessage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.HexFormat;
import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Fetches files from where their sender has put them, encrypted, and decrypts them with the key in
 * the message (NIP-17, AES-GCM). Nothing is given before all of it is known to be unchanged, so it
 * is in memory as a whole, up to {@code media.maxSize}.
 */
record NostrInboundFiles(AccountConfig account, MediaSettings media) implements InboundFiles {
  private static final int TAG_BITS = 128;

  @Override
  public Opened open(InboundMessage message, int index) throws IOException {
    NostrEvent rumor = NostrEvent.read(Json.tree(message.raw()));
    if (rumor == null) {
      throw new Unavailable(Why.GONE, "the message does not say how its file is encrypted");
    }
    String algorithm = rumor.tag("encryption-algorithm");
    byte[] key = bytes(rumor.tag("decryption-key"));
    byte[] nonce = bytes(rumor.tag("decryption-nonce"));
    if (!"aes-gcm".equals(algorithm) || key == null || nonce == null || nonce.length == 0) {
      throw new Unavailable(Why.REFUSED, "the file is encrypted in a way that is not known");
    }
    InboundFetch fetch = new InboundFetch(Settings.of(account), Secrets.of(), media);
    try (Opened encrypted = fetch.openElsewhere(message.media().get(index).url())) {
      byte[] file = decrypted(encrypted.bytes().readAllBytes(), key, nonce);
      return new Opened(new ByteArrayInputStream(file), file.length);
    }
  }

  private static byte[] decrypted(byte[] file, byte[] key, byte[] nonce) throws Unavailable {
    try {
      Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
      cipher.init(
          Cipher.DECRYPT_MODE,
          new SecretKeySpec(key, "AES"),
          new GCMParameterSpec(TAG_BITS, nonce));
      return cipher.doFinal(file);
    } catch (GeneralSecurityException e) {
      throw new Unavailable(Why.REFUSED, "the file does not fit the key in the message");
    }
  }

  /** Hexadecimal digits, as most write it, or base64. */
  private static byte @Nullable [] bytes(@Nullable String text) {
    if (text == null) {
      return null;
    }
    try {
      return text.matches("([0-9a-fA-F]{2})+")
          ? HexFormat.of().parseHex(text)
          : Base64.getDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
