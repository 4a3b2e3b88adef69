package dev.postrider.message;

import org.jspecify.annotations.Nullable;

/**
 * One platform request of a plan.
 *
 * @param text what is sent, already rendered; null for a part that is media or channel data only
 * @param plain the plain source of {@code text} when that is markup, for the parse-error fallback
 */
public record Part(@Nullable String text, @Nullable String plain, @Nullable Media media) {

  public static Part plain(String text) {
    return new Part(text, null, null);
  }

  /** Whether the text is in the platform's markup and has a plain form to fall back on. */
  public boolean isMarkup() {
    return plain != null;
  }
}
