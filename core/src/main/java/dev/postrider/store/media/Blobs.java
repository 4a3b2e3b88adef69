package dev.postrider.store.media;

import dev.postrider.store.Store;
import dev.postrider.store.failure.StoreUnavailable;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.Optional;

/**
 * Bytes in custody, named by what they are: the same bytes are kept once. A message that is
 * accepted keeps what its plan names; what nobody keeps is swept ({@link Store#sweep}).
 * Thread-safe; everything here blocks.
 */
public interface Blobs {

  /**
   * Takes bytes in and returns once they are durable. They stay until the given moment at least.
   *
   * @param type their media type, as the beginning of them tells
   * @throws TooLarge if there are more than {@code limit}; nothing is kept
   * @throws IOException if they cannot be read
   * @throws StoreUnavailable if they cannot be kept
   */
  Blob take(InputStream bytes, String type, long limit, Instant keepUntil) throws IOException;

  /** Keeps bytes until the given moment at least, if they are here. */
  void keep(String hash, Instant until);

  Optional<Blob> find(String hash);

  /**
   * Opens bytes for reading.
   *
   * @throws java.io.FileNotFoundException if they are not there
   */
  InputStream open(String hash) throws IOException;

  /** There are more bytes than allowed. */
  final class TooLarge extends IOException {
    private static final long serialVersionUID = 1L;

    public TooLarge(long limit) {
      super("more than " + limit + " bytes");
    }
  }
}
