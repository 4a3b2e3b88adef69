package dev.postrider.server.log;

import java.util.regex.Pattern;

/**
 * Text that others wrote, made safe to print. A terminal obeys control characters, and shows what
 * stands behind a change of direction in another order than it is written; each is written as an
 * escape instead, in the way of JSON, which reads it as the same character.
 */
public final class Visible {
  /** C0 and C1 controls, delete, line and paragraph separators, and all that change direction. */
  private static final Pattern STEERING =
      Pattern.compile(
          "[\\x00-\\x1f\\x7f-\\x9f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069]");

  private Visible() {}

  /** For text of several lines: line breaks and tabs stay. */
  public static String lines(String text) {
    return STEERING
        .matcher(text.replace("\r\n", "\n"))
        .replaceAll(
            found ->
                found.group().matches("[\n\t]")
                    ? found.group()
                    : "\\\\u%04x".formatted((int) found.group().charAt(0)));
  }

  /** For one line, of which nobody shall be able to make two. */
  static String line(String text) {
    return lines(text.replace("\r", "\\r").replace("\n", "\\n"));
  }
}
