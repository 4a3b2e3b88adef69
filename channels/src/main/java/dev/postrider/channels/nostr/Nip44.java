package dev.postrider.channels.nostr;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postrider.channels.http.Hmac;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Cipher;
import javax.crypto.spec.ChaCha20ParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Encryption between two keys, NIP-44 version 2: padded, so that its length tells little; ChaCha20;
 * and a MAC without which nothing is decrypted.
 */
final class Nip44 {
  private static final byte[] SALT = "nip44-v2".getBytes(UTF_8);
  private static final byte VERSION = 2;
  private static final int NONCE = 32;
  private static final int MAC = 32;
  private static final int SHORT_LIMIT = 0x10000;

  /** Texts of chats are far shorter; whoever sends more wants our memory. */
  private static final int LONGEST_PAYLOAD = 4 << 20;

  private Nip44() {}

  /** What was to be decrypted is not ours, is broken or is forged. */
  static final class Unreadable extends Exception {
    private static final long serialVersionUID = 1L;

    Unreadable(String why) {
      super(why);
    }
  }

  /** The key that two people have in common; the same from both sides. */
  static byte[] conversationKey(NostrKey mine, String theirPublicKey) {
    return Hkdf.extract(SALT, mine.sharedWith(theirPublicKey));
  }

  /** The three keys of one message. */
  record MessageKeys(byte[] cipherKey, byte[] cipherNonce, byte[] macKey) {
    static MessageKeys of(byte[] conversationKey, byte[] nonce) {
      byte[] all = Hkdf.expand(conversationKey, nonce, 76);
      return new MessageKeys(
          Arrays.copyOfRange(all, 0, 32),
          Arrays.copyOfRange(all, 32, 44),
          Arrays.copyOfRange(all, 44, 76));
    }

    byte[] chaCha20(byte[] data) {
      try {
        Cipher cipher = Cipher.getInstance("ChaCha20");
        cipher.init(
            Cipher.ENCRYPT_MODE, // a stream cipher: both ways are the same
            new SecretKeySpec(cipherKey, "ChaCha20"),
            new ChaCha20ParameterSpec(cipherNonce, 0));
        return cipher.doFinal(data);
      } catch (GeneralSecurityException e) {
        throw new IllegalStateException("every Java platform has ChaCha20", e);
      }
    }

    byte[] mac(byte[] nonce, byte[] data) {
      return Hmac.sha256(macKey, nonce, data);
    }
  }

  /**
   * @param nonce 32 bytes, never the same for two texts
   */
  static String encrypt(String text, byte[] conversationKey, byte[] nonce) {
    MessageKeys keys = MessageKeys.of(conversationKey, nonce);
    byte[] hidden = keys.chaCha20(padded(text.getBytes(UTF_8)));
    ByteBuffer payload = ByteBuffer.allocate(1 + NONCE + hidden.length + MAC);
    payload.put(VERSION).put(nonce).put(hidden).put(keys.mac(nonce, hidden));
    return Base64.getEncoder().encodeToString(payload.array());
  }

  static String decrypt(String payload, byte[] conversationKey) throws Unreadable {
    if (payload.startsWith("#")) {
      throw new Unreadable("it is encrypted in a way of a later version");
    }
    if (payload.length() < 132 || payload.length() > LONGEST_PAYLOAD) {
      throw new Unreadable("it cannot be so long");
    }
    byte[] data;
    try {
      data = Base64.getDecoder().decode(payload);
    } catch (IllegalArgumentException e) {
      throw new Unreadable("it is not base64");
    }
    if (data.length < 99) {
      throw new Unreadable("it cannot be so short");
    }
    if (data[0] != VERSION) {
      throw new Unreadable("it is encrypted in another way, version " + data[0]);
    }
    byte[] nonce = Arrays.copyOfRange(data, 1, 1 + NONCE);
    byte[] hidden = Arrays.copyOfRange(data, 1 + NONCE, data.length - MAC);
    byte[] mac = Arrays.copyOfRange(data, data.length - MAC, data.length);
    MessageKeys keys = MessageKeys.of(conversationKey, nonce);
    if (!MessageDigest.isEqual(keys.mac(nonce, hidden), mac)) {
      throw new Unreadable("its MAC is wrong");
    }
    return unpadded(keys.chaCha20(hidden));
  }

  private static byte[] padded(byte[] text) {
    if (text.length == 0) {
      throw new IllegalArgumentException("there is nothing to encrypt");
    }
    int prefix = text.length < SHORT_LIMIT ? 2 : 6;
    ByteBuffer padded = ByteBuffer.allocate(prefix + Math.toIntExact(paddedLength(text.length)));
    if (prefix == 2) {
      padded.putShort((short) text.length);
    } else {
      padded.putShort((short) 0).putInt(text.length);
    }
    return padded.put(text).array();
  }

  private static String unpadded(byte[] padded) throws Unreadable {
    ByteBuffer buffer = ByteBuffer.wrap(padded);
    long length = buffer.getShort() & 0xffff;
    if (length == 0) {
      length = padded.length < 6 ? 0 : buffer.getInt() & 0xffffffffL;
      if (length < SHORT_LIMIT) {
        throw new Unreadable("its padding is wrong");
      }
    }
    if (padded.length != buffer.position() + paddedLength(length)) {
      throw new Unreadable("its padding is wrong");
    }
    buffer.limit(buffer.position() + (int) length);
    try {
      return UTF_8.newDecoder().decode(buffer).toString();
    } catch (CharacterCodingException e) {
      throw new Unreadable("it is no text");
    }
  }

  /** Up to the next step: 32 bytes, later an eighth of the next power of two. */
  static long paddedLength(long length) {
    if (length <= 32) {
      return 32;
    }
    long nextPower = Long.highestOneBit(length - 1) << 1;
    long step = nextPower <= 256 ? 32 : nextPower / 8;
    return step * ((length - 1) / step + 1);
  }
}
