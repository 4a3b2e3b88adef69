package dev.postrider.sqlite.media;

import dev.postrider.jdbc.session.JdbcSession;
import dev.postrider.jdbc.session.Values;
import dev.postrider.sqlite.file.WriteTransaction;
import dev.postrider.sqlite.sql.InboundFileSql;
import dev.postrider.sqlite.sql.MessageSql;
import dev.postrider.store.media.Blob;
import dev.postrider.store.media.Upload;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is known of bytes in custody, and who uses them. To be called inside the committer's
 * transaction; belongs to the writer's thread.
 *
 * <p>A use is written with its message and outlives it: nothing is counted, and the end of a
 * message costs nothing. When its time has come, {@link #sweep} walks the uses of a file from the
 * oldest on: it removes those whose messages are done with, each once, and stops at the first whose
 * message still needs the file.
 */
public final class BlobRows implements WriteTransaction.Around {
  private static final int STALE_AT_ONCE = 500;

  private final JdbcSession session;
  private final BlobFiles files;
  private final List<String> gone = new ArrayList<>(); // in the transaction at hand

  public BlobRows(JdbcSession session, BlobFiles files) {
    this.session = session;
    this.files = files;
  }

  // ---- coming

  @Nullable Void add(Blob blob, Instant keepUntil) throws SQLException {
    session.update(
        MessageSql.ADD_BLOB, blob.hash(), blob.size(), blob.type(), Values.micros(keepUntil));
    return null;
  }

  @Nullable Void keep(String hash, Instant until) throws SQLException {
    session.update(MessageSql.KEEP_BLOB, Values.micros(until), hash);
    return null;
  }

  /** Bytes that were brought, but not kept. */
  @Nullable Void abandon(String hash) throws SQLException {
    if (!isHere(hash)) {
      gone.add(hash);
    }
    return null;
  }

  public boolean isHere(String hash) throws SQLException {
    return session.one(MessageSql.BLOB, row -> row.getString(1), hash) != null;
  }

  /** The first of these that is not here, or null. */
  public @Nullable String missing(Collection<String> hashes) throws SQLException {
    for (String hash : hashes) {
      if (!isHere(hash)) {
        return hash;
      }
    }
    return null;
  }

  /** The message uses what is here of these. */
  public void use(Collection<String> hashes, long message) throws SQLException {
    for (String hash : hashes) {
      session.update(MessageSql.ADD_USE, message, hash);
    }
  }

  // ---- going

  public int sweep(Instant now, Duration lookAgain, int limit) throws SQLException {
    int expired = session.update(MessageSql.DELETE_UPLOADS, Values.micros(now), limit);
    List<String> due =
        session.all(
            MessageSql.BLOBS_TO_LOOK_AT, row -> row.getString(1), Values.micros(now), limit);
    boolean more = false;
    for (String hash : due) {
      switch (look(hash)) {
        case NEEDED ->
            session.update(MessageSql.LOOK_AGAIN, Values.micros(now.plus(lookAgain)), hash);
        case FREE -> {
          session.update(MessageSql.DELETE_BLOB, hash);
          gone.add(hash);
        }
        case UNCLEAR -> more = true; // it stays the first to look at
      }
    }
    return more ? limit : Math.max(expired, due.size());
  }

  private enum Need {
    NEEDED,
    FREE,
    /** There are more uses than one look takes in. */
    UNCLEAR
  }

  private Need look(String hash) throws SQLException {
    record Use(long message, boolean live) {}
    for (int stale = 0; stale < STALE_AT_ONCE; stale++) {
      Use first =
          session.one(
              MessageSql.FIRST_USE, row -> new Use(row.getLong(1), row.getBoolean(2)), hash);
      if (first == null) {
        return isKept(hash) ? Need.NEEDED : Need.FREE;
      }
      if (first.live) {
        return Need.NEEDED;
      }
      session.update(MessageSql.DELETE_USE, hash, first.message);
    }
    return Need.UNCLEAR;
  }

  /** Whether it is a file of an inbound message that is to be kept. */
  private boolean isKept(String hash) throws SQLException {
    return session.one(InboundFileSql.KEPT_FILE, row -> row.getInt(1), hash) != null;
  }

  @Override
  public void beforeCommit() {}

  @Override
  public void committed() {
    files.remove(gone);
    gone.clear();
  }

  @Override
  public void rolledBack() {
    gone.clear();
  }

  // ---- what platforms call them

  public @Nullable Void save(Upload upload) throws SQLException {
    session.update(
        MessageSql.SAVE_UPLOAD,
        upload.account(),
        upload.hash(),
        upload.variant(),
        upload.handle(),
        Values.micros(upload.expiresAt()));
    return null;
  }

  public boolean forget(Upload upload) throws SQLException {
    return session.update(
            MessageSql.FORGET_UPLOAD,
            upload.account(),
            upload.hash(),
            upload.variant(),
            upload.handle())
        > 0;
  }
}
