package dev.postrider.media;

import dev.postrider.config.MediaSettings;
import java.io.IOException;
import java.io.InputStream;

/**
 * Fetches files by their address. Found by {@link java.util.ServiceLoader}; must not be talked into
 * reaching what only this machine can reach.
 */
public interface Fetcher {

  /**
   * Fetches an address and hands its bytes over while they arrive.
   *
   * @throws Refused if this address must not or cannot ever be fetched
   * @throws Unreachable if its server cannot be reached at the moment
   * @throws IOException if it could not be fetched this time
   */
  <T> T fetch(String url, MediaSettings settings, Taker<T> taker) throws IOException;

  /** Takes the bytes of an answer. */
  @FunctionalInterface
  interface Taker<T> {
    T take(InputStream bytes) throws IOException;
  }

  /** No connection could be made. */
  final class Unreachable extends IOException {
    private static final long serialVersionUID = 1L;

    public Unreachable(String message) {
      super(message);
    }
  }

  /** The address is not allowed, or will never give the file. */
  final class Refused extends IOException {
    private static final long serialVersionUID = 1L;

    private final boolean gone;

    public Refused(String message) {
      this(message, false);
    }

    /**
     * @param gone whether its server says that there is no such file, or not any more
     */
    public Refused(String message, boolean gone) {
      super(message);
      this.gone = gone;
    }

    public boolean gone() {
      return gone;
    }
  }
}
