package dev.postrider.sqlite.media;

import dev.postrider.jdbc.encryption.ContentCipher;
import dev.postrider.jdbc.encryption.ContentCipher.Column;
import dev.postrider.jdbc.encryption.ContentCipher.UnreadableContent;
import dev.postrider.jdbc.message.IncomingBytes;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import org.jspecify.annotations.Nullable;

/**
 * An encrypted file: a head, and behind it the bytes in segments. What a file is called is known
 * only once all its bytes have come, so the bytes are bound to a random name, and that name, in the
 * head, to the file's: a file in the place of another does not decrypt.
 */
final class SealedFile {
  private static final int NAME = 16;
  private static final int HEAD = NAME + ContentCipher.OVERHEAD;
  private static final SecureRandom RANDOM = new SecureRandom();

  private SealedFile() {}

  /** Writes bytes down as they come, as {@link IncomingBytes#copy} does. */
  static IncomingBytes copy(ContentCipher cipher, InputStream from, FileChannel to, long limit)
      throws IOException {
    byte[] name = new byte[NAME];
    RANDOM.nextBytes(name);
    IncomingBytes incoming;
    try (OutputStream out = body(cipher, to, name)) {
      incoming = IncomingBytes.copy(from, out, limit);
    }
    try {
      byte[] hash = incoming.hash().getBytes(StandardCharsets.UTF_8);
      to.write(ByteBuffer.wrap(cipher.seal(Column.FILE, hash, name)), 0);
      return incoming;
    } catch (IOException e) {
      throw IncomingBytes.unwritable(e);
    }
  }

  /** Where the bytes go; the file is still open when it is closed. */
  private static OutputStream body(ContentCipher cipher, FileChannel to, byte[] name) {
    try {
      to.position(HEAD);
      OutputStream file = Channels.newOutputStream(to);
      OutputStream open =
          new OutputStream() {
            @Override
            public void write(int one) throws IOException {
              file.write(one);
            }

            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
              file.write(bytes, offset, length);
            }
          };
      return cipher.encrypting(open, name);
    } catch (IOException e) {
      throw IncomingBytes.unwritable(e);
    }
  }

  /** The key that a file is encrypted under; null if its head tells none. */
  static @Nullable Integer key(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      return ContentCipher.keyOf(Column.FILE, in.readNBytes(HEAD));
    } catch (IOException e) {
      return null;
    }
  }

  static InputStream open(ContentCipher cipher, String hash, Path file) throws IOException {
    InputStream in = Files.newInputStream(file);
    try {
      byte[] head = in.readNBytes(HEAD);
      Integer key = ContentCipher.keyOf(Column.FILE, head);
      if (key == null) {
        throw new IOException("file " + hash + " cannot be read: it has lost its head");
      }
      byte[] name = cipher.open(Column.FILE, hash.getBytes(StandardCharsets.UTF_8), head);
      return cipher.decrypting(in, key, name);
    } catch (UnreadableContent e) {
      in.close();
      throw new IOException("file " + hash + " cannot be read: " + e.getMessage(), e);
    } catch (IOException | RuntimeException e) {
      in.close();
      throw e;
    }
  }
}
