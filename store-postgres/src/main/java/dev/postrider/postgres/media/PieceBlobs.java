package dev.postrider.postgres.media;

import dev.postrider.jdbc.SqlReader;
import dev.postrider.jdbc.encryption.ContentCipher;
import dev.postrider.jdbc.encryption.ContentCipher.Column;
import dev.postrider.jdbc.encryption.ContentCipher.UnreadableContent;
import dev.postrider.jdbc.message.IncomingBytes;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.jdbc.session.Values;
import dev.postrider.postgres.connection.PgErrors;
import dev.postrider.postgres.sql.MessageSql;
import dev.postrider.store.failure.StoreUnavailable;
import dev.postrider.store.media.Blob;
import dev.postrider.store.media.Blobs;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Custody in the database: bytes in pieces, so that neither side holds a whole file in memory.
 *
 * <p>What comes in is written to a temporary file first. Its name is known only when it has come
 * whole, and a sender may be slow: no transaction is open while it is waited for. The pieces then
 * go to the database in one transaction, and what goes out is read piece by piece, each by itself.
 *
 * <p>Files take turns, so that a few large ones do not keep the pool's connections from those who
 * have to give signs of life. Thread-safe.
 */
public final class PieceBlobs implements Blobs {
  private static final int PIECE = 512 * 1024;
  private static final int AT_ONCE = 2;
  private static final int TRIES = 5;
  private static final byte[] TEMPORARY = "temporary".getBytes(StandardCharsets.UTF_8);

  private final DataSource database;
  private final ContentCipher cipher;
  private final Semaphore coming = new Semaphore(AT_ONCE, true);
  private final Semaphore going = new Semaphore(AT_ONCE, true);

  public PieceBlobs(DataSource database, ContentCipher cipher) {
    this.database = database;
    this.cipher = cipher;
  }

  @FunctionalInterface
  private interface Work<T extends @Nullable Object> {
    T run(Connection connection, JdbcSession session) throws SQLException;
  }

  private <T extends @Nullable Object> T connected(Work<T> work) throws SQLException {
    try (Connection connection = database.getConnection()) {
      return work.run(connection, new JdbcSession(connection));
    }
  }

  private <T extends @Nullable Object> T inTurn(Semaphore turns, Work<T> work) throws SQLException {
    turns.acquireUninterruptibly();
    try {
      return connected(work);
    } finally {
      turns.release();
    }
  }

  // ---- in

  @Override
  public Blob take(InputStream bytes, String type, long limit, Instant keepUntil)
      throws IOException {
    Path file = temporary();
    try {
      IncomingBytes incoming = write(bytes, file, limit);
      Blob blob = new Blob(incoming.hash(), incoming.size(), type);
      keep(blob, file, keepUntil);
      return blob;
    } finally {
      Files.deleteIfExists(file);
    }
  }

  private static Path temporary() {
    try {
      return Files.createTempFile("postrider-", ".part"); // only its owner may read it
    } catch (IOException e) {
      throw IncomingBytes.unwritable(e);
    }
  }

  /** The temporary file is encrypted too: a crash may leave it. */
  private IncomingBytes write(InputStream bytes, Path file, long limit) throws IOException {
    try (OutputStream out = Files.newOutputStream(file);
        OutputStream to = cipher.encrypts() ? cipher.encrypting(out, TEMPORARY) : out) {
      return IncomingBytes.copy(bytes, to, limit);
    }
  }

  private InputStream read(Path file) throws IOException {
    InputStream in = Files.newInputStream(file);
    Integer key = cipher.first();
    return key == null ? in : cipher.decrypting(in, key, TEMPORARY);
  }

  private void keep(Blob blob, Path file, Instant until) {
    for (int tries = 1; ; tries++) {
      try {
        if (inTurn(coming, (connection, session) -> kept(connection, session, blob, file, until))) {
          return;
        }
      } catch (SQLException e) {
        if (!PgErrors.passing(e) || tries == TRIES) {
          throw PgErrors.failure(e);
        }
      }
      if (tries == TRIES) {
        throw new StoreUnavailable("the same file comes and goes all the time");
      }
    }
  }

  /** False if somebody brings or removes the same bytes at this moment: to be tried again. */
  private boolean kept(
      Connection connection, JdbcSession session, Blob blob, Path file, Instant until)
      throws SQLException {
    connection.setAutoCommit(false);
    session.execute("SET LOCAL synchronous_commit = on");
    long lookAt = Values.micros(until);
    boolean known = session.update(MessageSql.KEEP_BLOB, lookAt, blob.hash()) > 0;
    boolean added =
        !known
            && session.update(MessageSql.ADD_BLOB, blob.hash(), blob.size(), blob.type(), lookAt)
                > 0;
    if (added) {
      addPieces(session, blob.hash(), file);
    }
    connection.commit();
    return known || added;
  }

  private void addPieces(JdbcSession session, String hash, Path file) throws SQLException {
    try (InputStream in = read(file)) {
      int no = 0;
      for (byte[] piece = in.readNBytes(PIECE); piece.length > 0; piece = in.readNBytes(PIECE)) {
        byte[] stored = cipher.seal(Column.PIECE, bound(hash, no), piece);
        session.update(MessageSql.ADD_PIECE, hash, no++, stored, cipher.first());
      }
    } catch (IOException e) {
      throw new StoreUnavailable("a temporary file cannot be read: " + e.getMessage(), e);
    }
  }

  @Override
  public void keep(String hash, Instant until) {
    try {
      connected((_, session) -> session.update(MessageSql.KEEP_BLOB, Values.micros(until), hash));
    } catch (SQLException e) {
      throw PgErrors.failure(e);
    }
  }

  // ---- out

  @Override
  public Optional<Blob> find(String hash) {
    if (!IncomingBytes.isName(hash)) {
      return Optional.empty();
    }
    try {
      return connected(
          (_, session) -> Optional.ofNullable(session.one(MessageSql.BLOB, SqlReader::blob, hash)));
    } catch (SQLException e) {
      throw PgErrors.failure(e);
    }
  }

  @Override
  public InputStream open(String hash) throws IOException {
    Blob blob = find(hash).orElseThrow(() -> new FileNotFoundException("there is no file " + hash));
    return new Pieces(blob);
  }

  private byte[] piece(String hash, int no) throws IOException {
    byte[] piece;
    try {
      piece =
          inTurn(
              going,
              (_, session) ->
                  session.one(MessageSql.PIECE, row -> opened(row, hash, no), hash, no));
    } catch (SQLException | UnreadableContent e) {
      throw new IOException("file " + hash + " cannot be read: " + e.getMessage(), e);
    }
    if (piece == null) {
      throw new FileNotFoundException("file " + hash + " was let go while it was read");
    }
    return piece;
  }

  /** Bytes may begin with anything, so a column says whether they are encrypted. */
  private byte[] opened(ResultSet row, String hash, int no) throws SQLException {
    byte[] stored = row.getBytes(1);
    return row.getObject(2) == null ? stored : cipher.open(Column.PIECE, bound(hash, no), stored);
  }

  public static byte[] bound(String hash, int no) {
    return (hash + ":" + no).getBytes(StandardCharsets.UTF_8);
  }

  /** The bytes of one file; belongs to whoever opened it. */
  private final class Pieces extends InputStream {
    private final String hash;
    private long left; // beyond the piece at hand
    private byte[] piece = {};
    private int at;
    private int next;

    Pieces(Blob blob) {
      this.hash = blob.hash();
      this.left = blob.size();
    }

    private boolean atEnd() throws IOException {
      if (at == piece.length && left > 0) {
        piece = piece(hash, next++);
        left -= piece.length;
        at = 0;
      }
      return at == piece.length;
    }

    @Override
    public int read() throws IOException {
      return atEnd() ? -1 : piece[at++] & 0xFF;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
      Objects.checkFromIndexSize(offset, length, into.length);
      if (length == 0 || atEnd()) {
        return length == 0 ? 0 : -1;
      }
      int read = Math.min(length, piece.length - at);
      System.arraycopy(piece, at, into, offset, read);
      at += read;
      return read;
    }

    @Override
    public int available() {
      return piece.length - at;
    }
  }
}
