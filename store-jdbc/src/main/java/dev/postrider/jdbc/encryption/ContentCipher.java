package dev.postrider.jdbc.encryption;

import com.google.crypto.tink.Aead;
import com.google.crypto.tink.InsecureSecretKeyAccess;
import com.google.crypto.tink.StreamingAead;
import com.google.crypto.tink.aead.XAesGcmKey;
import com.google.crypto.tink.aead.XAesGcmParameters;
import com.google.crypto.tink.aead.subtle.XAesGcmAead;
import com.google.crypto.tink.subtle.AesGcmHkdfStreaming;
import com.google.crypto.tink.subtle.Hkdf;
import com.google.crypto.tink.util.SecretBytes;
import dev.postrider.config.EncryptionKeys;
import dev.postrider.store.message.Unreadable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Encrypts contents before they are stored and decrypts them again: XAES-256-GCM, by Tink. What is
 * encrypted begins with a byte 1 and the id of its key, and JSON never does, so that rows from
 * before the first key stay readable. Each content is bound to its column and row: in the place of
 * another it does not decrypt. Thread-safe.
 */
public final class ContentCipher {
  /** Stores contents as they are. */
  public static final ContentCipher OFF = new ContentCipher(null, Map.of());

  /** What a content belongs to. The names are part of what is stored: never change them. */
  public enum Column {
    MESSAGE("message.content"),
    PLAN("message.plan"),
    CONTENT_HASH("message.content_hash"),
    EVENT("inbound.content"),
    REMINDER("reminder.document"),
    TARGET("target.content"),
    MEMORY("memory.value"),
    FILE("file"),
    PIECE("blob_piece.bytes"),
    PROOF("encryption_key.proof");

    private final byte[] label;

    Column(String label) {
      this.label = label.getBytes(StandardCharsets.UTF_8);
    }
  }

  /** A content cannot be read. */
  public static final class UnreadableContent extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final transient Unreadable why;

    UnreadableContent(Unreadable why) {
      super(why.because());
      this.why = why;
    }

    public Unreadable why() {
      return why;
    }
  }

  private static final byte MARK = 1; // Tink's for "the id of the key follows"
  private static final int PREFIX = 1 + Integer.BYTES;
  private static final int SALT = 12; // with the 12 bytes of the nonce, 192 random bits
  private static final int PLAIN_HASH = 32;
  private static final int KEY_BYTES = 32;

  /** How much longer a content gets. */
  public static final int OVERHEAD = PREFIX + SALT + 12 + 16; // and the nonce, and the tag

  private static final int SEGMENT = 65_536;
  private static final String HMAC = "HMACSHA256";

  private record Key(Aead rows, StreamingAead files) {}

  private final @Nullable Integer first;
  private final Map<Integer, Key> keys;

  private ContentCipher(@Nullable Integer first, Map<Integer, Key> keys) {
    this.first = first;
    this.keys = keys;
  }

  public static ContentCipher of(EncryptionKeys given) {
    Map<Integer, Key> keys = new LinkedHashMap<>();
    Integer first = null;
    try {
      for (byte[] secret : given.secrets()) {
        int id = EncryptionKeys.id(secret);
        if (keys.put(id, key(id, secret)) != null) {
          throw new IllegalArgumentException(
              "two keys have the same id, " + EncryptionKeys.name(id));
        }
        first = first == null ? Integer.valueOf(id) : first;
      }
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("AES-GCM is part of every Java platform", e);
    }
    return keys.isEmpty() ? OFF : new ContentCipher(given.encrypts() ? first : null, keys);
  }

  /** Rows and files have keys of their own, both made of the one that was given. */
  private static Key key(int id, byte[] secret) throws GeneralSecurityException {
    XAesGcmKey rows =
        XAesGcmKey.create(
            XAesGcmParameters.create(XAesGcmParameters.Variant.TINK, SALT),
            SecretBytes.copyFrom(derived(secret, "rows", KEY_BYTES), InsecureSecretKeyAccess.get()),
            id);
    return new Key(
        XAesGcmAead.create(rows),
        new AesGcmHkdfStreaming(
            derived(secret, "files", KEY_BYTES), "HmacSha256", KEY_BYTES, SEGMENT, 0));
  }

  private static byte[] derived(byte[] secret, String purpose, int length)
      throws GeneralSecurityException {
    byte[] info = ("postrider " + purpose).getBytes(StandardCharsets.UTF_8);
    return Hkdf.computeHkdf(HMAC, secret, new byte[0], info, length);
  }

  /** The id of the key that encrypts; null: nothing is encrypted. */
  public @Nullable Integer first() {
    return first;
  }

  public Collection<Integer> ids() {
    return keys.keySet();
  }

  // ---- contents

  /** The content as it is stored. */
  public byte[] seal(Column column, UUID row, byte[] content) {
    return seal(column, bytes(row), content);
  }

  /** The content as it is stored, if there is one. */
  public byte @Nullable [] sealIfAny(Column column, UUID row, byte @Nullable [] content) {
    return content == null ? null : seal(column, bytes(row), content);
  }

  public byte[] seal(Column column, byte[] row, byte[] content) {
    Key key = first == null ? null : keys.get(first);
    if (key == null) {
      return content;
    }
    try {
      return key.rows.encrypt(content, bound(column, row));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("a content cannot be encrypted", e);
    }
  }

  /**
   * The content that was stored.
   *
   * @throws UnreadableContent if its key is missing, or it is not what was stored here
   */
  public byte[] open(Column column, UUID row, byte[] stored) {
    return open(column, bytes(row), stored);
  }

  /** The content that was stored, if there is one. */
  public byte @Nullable [] openIfAny(Column column, UUID row, byte @Nullable [] stored) {
    return stored == null ? null : open(column, bytes(row), stored);
  }

  public byte[] open(Column column, byte[] row, byte[] stored) {
    Integer id = keyOf(column, stored);
    if (id == null) {
      return stored;
    }
    Key key = keys.get(id);
    if (key == null) {
      throw new UnreadableContent(missing(id));
    }
    try {
      return key.rows.decrypt(stored, bound(column, row));
    } catch (GeneralSecurityException e) {
      throw new UnreadableContent(
          new Unreadable(
              "its content does not decrypt under key "
                  + EncryptionKeys.name(id)
                  + ": it is damaged, or was put here from elsewhere",
              true));
    }
  }

  /** Whether a stored hash is this one; not if it cannot be read. */
  public boolean isHash(UUID row, byte @Nullable [] stored, byte @Nullable [] hash) {
    try {
      return Arrays.equals(openIfAny(Column.CONTENT_HASH, row, stored), hash);
    } catch (UnreadableContent e) {
      return false;
    }
  }

  /** The key that a stored content is encrypted under; null: it is not encrypted. */
  public static @Nullable Integer keyOf(Column column, byte[] stored) {
    boolean plain =
        stored.length < PREFIX
            || stored[0] != MARK
            || (column == Column.CONTENT_HASH && stored.length == PLAIN_HASH);
    return plain ? null : Integer.valueOf(ByteBuffer.wrap(stored, 1, Integer.BYTES).getInt());
  }

  // ---- files

  /** Whether what is new is encrypted. */
  public boolean encrypts() {
    return first != null;
  }

  /**
   * Writes a file encrypted: what is written to the stream goes on, in segments, and is whole once
   * the stream is closed.
   *
   * @param bound what must be given again to read it
   */
  public OutputStream encrypting(OutputStream to, byte[] bound) throws IOException {
    Key key = keys.get(Objects.requireNonNull(first, "nothing is encrypted"));
    try {
      return Objects.requireNonNull(key).files.newEncryptingStream(to, bound);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("a file cannot be encrypted", e);
    }
  }

  /**
   * Reads a file; what is damaged is found at the latest when it is reached, as an IOException.
   *
   * @param id the key it was encrypted under
   */
  public InputStream decrypting(InputStream from, int id, byte[] bound) throws IOException {
    Key key = keys.get(id);
    if (key == null) {
      throw new UnreadableContent(missing(id));
    }
    try {
      return key.files.newDecryptingStream(from, bound);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("a file cannot be decrypted", e);
    }
  }

  private static Unreadable missing(int id) {
    return new Unreadable(
        "its content is encrypted under key "
            + EncryptionKeys.name(id)
            + ", which storage.encryptionKey does not list",
        false);
  }

  private static byte[] bound(Column column, byte[] row) {
    return ByteBuffer.allocate(column.label.length + 1 + row.length)
        .put(column.label)
        .put((byte) 0)
        .put(row)
        .array();
  }

  public static byte[] bytes(UUID row) {
    return ByteBuffer.allocate(2 * Long.BYTES)
        .putLong(row.getMostSignificantBits())
        .putLong(row.getLeastSignificantBits())
        .array();
  }
}
