package dev.postrider.channels.signal;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What Signal knows a message by: when it was sent, in milliseconds, and by whom. Written {@code
 * 1700000000000:AUTHOR}; our own without the author, as in a receipt.
 */
record SignalId(long timestamp, @Nullable String author) {
  private static final Pattern WRITTEN = Pattern.compile("(\\d{1,15})(?::(.+))?");

  /** Null if it is none. */
  static @Nullable SignalId read(String text) {
    Matcher written = WRITTEN.matcher(text);
    if (!written.matches()) {
      return null;
    }
    String author = written.group(2) == null ? null : SignalAddress.person(written.group(2));
    return author == null && written.group(2) != null
        ? null
        : new SignalId(Long.parseLong(written.group(1)), author);
  }

  @Override
  public String toString() {
    return author == null ? Long.toString(timestamp) : timestamp + ":" + author;
  }
}
