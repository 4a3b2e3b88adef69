package dev.postrider.postgres;

import dev.postrider.config.EncryptionKeys;
import dev.postrider.jdbc.ReencryptionWalk;
import dev.postrider.jdbc.ReencryptionWalk.Place;
import dev.postrider.jdbc.encryption.ContentCipher;
import dev.postrider.jdbc.encryption.ContentCipher.Column;
import dev.postrider.jdbc.encryption.ContentCipher.UnreadableContent;
import dev.postrider.jdbc.encryption.KeyCheck;
import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.postgres.connection.Accounts;
import dev.postrider.postgres.connection.PgErrors;
import dev.postrider.postgres.media.PieceBlobs;
import dev.postrider.postgres.read.PostgresReader;
import dev.postrider.postgres.sql.MessageSql;
import dev.postrider.store.Reencryption;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Rows first, then the pieces of files. Every row is a transaction of its own, so servers can work
 * beside it; what is lost of them in a crash of the database is done again.
 */
final class PostgresReencryption implements Reencryption {
  private static final int PIECES = 100;

  // blob_piece_pkey
  private static final String PIECES_AFTER =
      "SELECT hash, no, key FROM blob_piece WHERE (hash, no) > (?, ?) ORDER BY hash, no LIMIT ?";
  private static final String CHANGE_PIECE =
      "UPDATE blob_piece SET bytes = ?, key = ? WHERE hash = ? AND no = ?"
          + " AND key IS NOT DISTINCT FROM ?::int";

  private record Piece(String hash, int no, @Nullable Integer key) {
    static final Piece FIRST = new Piece("", -1, null);
  }

  private final DataSource database;
  private final Accounts accounts;
  private final ContentCipher cipher;
  private final ReencryptionWalk rows;
  private @Nullable Place place = Place.FIRST;
  private Piece piece = Piece.FIRST;

  PostgresReencryption(DataSource database, Accounts accounts) {
    this.database = database;
    this.accounts = accounts;
    this.cipher = accounts.cipher();
    this.rows = new ReencryptionWalk(cipher, "message");
  }

  @FunctionalInterface
  private interface Work<T extends @Nullable Object> {
    T run(JdbcSession session) throws SQLException;
  }

  private <T extends @Nullable Object> T connected(Work<T> work) {
    try (Connection connection = database.getConnection()) {
      return work.run(new JdbcSession(connection));
    } catch (SQLException e) {
      throw PgErrors.failure(e);
    }
  }

  /** What is done again if it is lost need not be waited for. */
  private <T> T unhurried(Work<T> work) {
    return connected(
        session -> {
          session.execute("SET synchronous_commit = off");
          try {
            return work.run(session);
          } finally {
            session.execute("RESET synchronous_commit");
          }
        });
  }

  @Override
  public SortedMap<String, Long> count() {
    Map<@Nullable Integer, Long> counts = new HashMap<>();
    Optional<Place> from = Optional.of(Place.FIRST);
    while (from.isPresent()) {
      Place at = from.get();
      from = connected(session -> rows.count(session, at, counts));
    }
    for (List<Piece> page = pieces(Piece.FIRST); !page.isEmpty(); page = pieces(page.getLast())) {
      page.forEach(one -> counts.merge(one.key, 1L, Long::sum));
    }
    SortedMap<String, Long> named = new TreeMap<>();
    counts.forEach(
        (key, count) -> named.put(key == null ? NOT_ENCRYPTED : EncryptionKeys.name(key), count));
    return named;
  }

  private List<Piece> pieces(Piece after) {
    return connected(
        session ->
            session.all(
                PIECES_AFTER,
                row -> new Piece(row.getString(1), row.getInt(2), row.getObject(3, Integer.class)),
                after.hash,
                after.no,
                PIECES));
  }

  @Override
  public Step next() {
    Place from = place;
    if (from == null) {
      return nextPieces();
    }
    ReencryptionWalk.Taken taken =
        unhurried(session -> rows.next(session, new PostgresReader(session, accounts), from));
    place = taken.next();
    Step step = taken.step();
    return new Step(step.looked(), step.changed(), step.unreadable(), false);
  }

  private Step nextPieces() {
    List<Piece> page = pieces(piece);
    long changed = 0;
    long unreadable = 0;
    for (Piece one : page) {
      try {
        changed += unhurried(session -> change(session, one)) ? 1 : 0;
      } catch (UnreadableContent e) {
        unreadable++;
      }
      piece = one;
    }
    return new Step(page.size(), changed, unreadable, page.size() < PIECES);
  }

  private boolean change(JdbcSession session, Piece one) throws SQLException {
    if (Objects.equals(one.key, cipher.first())) {
      return false;
    }
    byte[] stored = session.one(MessageSql.PIECE, row -> row.getBytes(1), one.hash, one.no);
    if (stored == null) {
      return false; // let go meanwhile
    }
    byte[] bound = PieceBlobs.bound(one.hash, one.no);
    byte[] plain = one.key == null ? stored : cipher.open(Column.PIECE, bound, stored);
    return session.update(
            CHANGE_PIECE,
            cipher.seal(Column.PIECE, bound, plain),
            cipher.first(),
            one.hash,
            one.no,
            one.key)
        > 0;
  }

  /** Commits what was not waited for, too. Dead rows go when the database vacuums. */
  @Override
  public void finish() {
    connected(
        session -> {
          KeyCheck.onlyFirst(session, cipher);
          return true;
        });
  }
}
