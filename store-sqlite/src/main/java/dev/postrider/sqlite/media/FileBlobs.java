package dev.postrider.sqlite.media;

import dev.postrider.jdbc.SqlReader;
import dev.postrider.jdbc.message.IncomingBytes;
import dev.postrider.sqlite.file.StoreAccess;
import dev.postrider.sqlite.sql.MessageSql;
import dev.postrider.store.media.Blob;
import dev.postrider.store.media.Blobs;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.Optional;

/** Custody: bytes in {@link BlobFiles}, what is known of them in {@link BlobRows}. */
public final class FileBlobs implements Blobs {
  private final BlobFiles files;
  private final BlobRows rows;
  private final StoreAccess access;

  public FileBlobs(BlobFiles files, BlobRows rows, StoreAccess access) {
    this.files = files;
    this.rows = rows;
    this.access = access;
  }

  @Override
  public Blob take(InputStream bytes, String type, long limit, Instant keepUntil)
      throws IOException {
    try (BlobFiles.Draft draft = files.write(bytes, limit)) {
      Blob blob = new Blob(draft.bytes().hash(), draft.bytes().size(), type);
      keep(draft, blob, keepUntil);
      return blob;
    }
  }

  private void keep(BlobFiles.Draft draft, Blob blob, Instant until) {
    boolean kept = false;
    files.hold(blob.hash());
    try {
      files.place(draft);
      access.await(access.write(() -> rows.add(blob, until)));
      kept = true;
    } finally {
      files.letGo(blob.hash());
      if (!kept) {
        var _ = access.write(() -> rows.abandon(blob.hash()));
      }
    }
  }

  @Override
  public void keep(String hash, Instant until) {
    access.await(access.write(() -> rows.keep(hash, until)));
  }

  @Override
  public Optional<Blob> find(String hash) {
    return IncomingBytes.isName(hash)
        ? access.read(
            session -> Optional.ofNullable(session.one(MessageSql.BLOB, SqlReader::blob, hash)))
        : Optional.empty();
  }

  @Override
  public InputStream open(String hash) throws IOException {
    return files.open(hash);
  }
}
