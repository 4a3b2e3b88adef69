package dev.postrider.message;

/** What to do when a platform took a part and reports later that it did not arrive. */
public enum OnReceiptFailed {
  /** The message ends as {@link Status#FAILED}: a dead letter, with what the platform said. */
  DEAD_LETTER,
  /** Keep what was said, and nothing more: the message stays delivered. */
  RECORD,
  /**
   * As {@link #DEAD_LETTER}, and the failed parts are sent again as a new message, unless the
   * platform said that this cannot help.
   */
  RETRY
}
