package dev.postrider.message;

/** How a message's text is written. */
public enum Format {
  /** CommonMark. */
  MARKDOWN,
  /** Sent as it is. */
  PLAIN,
  /** The platform's own markup, passed through. */
  NATIVE
}
