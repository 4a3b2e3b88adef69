package dev.postrider.server.tls;

/** A file that cannot be used; the message says why and what to do. */
public final class BadTlsFile extends Exception {
  private static final long serialVersionUID = 1L;

  private final boolean key;

  BadTlsFile(boolean key, String message) {
    super(message);
    this.key = key;
  }

  /** Whether it is the file with the key. */
  public boolean isKey() {
    return key;
  }

  /** Half a sentence that follows the name of the setting. */
  @Override
  public String getMessage() {
    return String.valueOf(super.getMessage());
  }
}
