package dev.postrider.jdbc.encryption;

import dev.postrider.config.EncryptionKeys;
import dev.postrider.jdbc.encryption.ContentCipher.Column;
import dev.postrider.jdbc.encryption.ContentCipher.UnreadableContent;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.store.failure.StoreRefused;
import java.nio.ByteBuffer;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a store from being opened without the keys of its contents: every key that rows may be
 * encrypted under is noted in the database, before the first row is, with a few bytes that only
 * that key decrypts.
 */
public final class KeyCheck {
  private static final byte[] PROOF = {'p', 'r', 'o', 'o', 'f'};

  // encryption_key's primary key
  private static final String ALL = "SELECT id, proof FROM encryption_key ORDER BY id";
  private static final String ADD =
      "INSERT INTO encryption_key (id, proof) VALUES (?, ?) ON CONFLICT DO NOTHING";
  private static final String DELETE = "DELETE FROM encryption_key WHERE id <> ?";
  private static final String DELETE_ALL = "DELETE FROM encryption_key";

  private record Noted(int id, byte[] proof) {}

  private KeyCheck() {}

  /**
   * Notes the key that encrypts from now on.
   *
   * @throws StoreRefused naming the key that is missing; nothing was changed
   */
  public static void apply(JdbcSession session, ContentCipher cipher, String where)
      throws SQLException {
    List<Noted> noted = session.all(ALL, row -> new Noted(row.getInt(1), row.getBytes(2)));
    for (Noted key : noted) {
      require(key, cipher, where);
    }
    Integer first = cipher.first();
    if (first != null) {
      session.update(ADD, first, cipher.seal(Column.PROOF, bytes(first), PROOF));
    }
  }

  /** Nothing is encrypted under any other key than the first any more. */
  public static void onlyFirst(JdbcSession session, ContentCipher cipher) throws SQLException {
    @Nullable Integer first = cipher.first();
    if (first == null) {
      session.update(DELETE_ALL);
    } else {
      session.update(DELETE, first);
    }
  }

  private static void require(Noted key, ContentCipher cipher, String where) {
    String name = EncryptionKeys.name(key.id);
    if (!cipher.ids().contains(key.id)) {
      throw new StoreRefused(
          "contents in "
              + where
              + " are encrypted under key "
              + name
              + ", which storage.encryptionKey does not list"
              + (cipher.ids().isEmpty() ? "" : " (it lists " + names(cipher) + ")")
              + "; add it behind the first, which encrypts; once 'postrider reencrypt' has run it"
              + " may go. Nothing was changed");
    }
    try {
      cipher.open(Column.PROOF, bytes(key.id), key.proof);
    } catch (UnreadableContent e) {
      throw new StoreRefused(
          "key "
              + name
              + " of storage.encryptionKey is not the key "
              + name
              + " that contents in "
              + where
              + " are encrypted under; nothing was changed");
    }
  }

  private static String names(ContentCipher cipher) {
    return String.join(", ", cipher.ids().stream().map(EncryptionKeys::name).toList());
  }

  private static byte[] bytes(int id) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(id).array();
  }
}
