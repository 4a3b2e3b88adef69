package dev.postrider.channel;

import dev.postrider.inbound.InboundMessage;
import java.io.IOException;
import java.io.InputStream;

/**
 * Opens the files that came along with inbound messages of one account, so that no consumer needs
 * the account's secrets. Without a connection, so that any node can. Thread-safe; blocks in real
 * time.
 */
@FunctionalInterface
public interface InboundFiles {

  /**
   * Opens a file where the platform keeps it. The account's secrets go to the platform alone; an
   * address that somebody else has named is fetched as a stranger would fetch it.
   *
   * @param index of the file in the message's {@code media}
   * @throws Unavailable if it cannot be had, in words without secrets
   * @throws IOException if it could not be had this time
   */
  Opened open(InboundMessage message, int index) throws IOException;

  /**
   * A file that is being read. Whoever has it closes it.
   *
   * @param bytes as they arrive; reading fails if they end too early
   * @param size how many there are; below zero if nobody has said
   */
  record Opened(InputStream bytes, long size) implements AutoCloseable {
    @Override
    public void close() throws IOException {
      bytes.close();
    }
  }

  /** A file cannot be had. */
  final class Unavailable extends IOException {
    private static final long serialVersionUID = 1L;

    private final Why why;

    /** Why, for programs. */
    public enum Why {
      /** The platform has it no more, or never had. */
      GONE,
      /** The platform cannot be reached, or asks to come later. */
      UNREACHABLE,
      /** The platform, or we, do not give it. */
      REFUSED
    }

    public Unavailable(Why why, String message) {
      super(message);
      this.why = why;
    }

    public Why why() {
      return why;
    }
  }
}
