package dev.postrider.channels.sandbox;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What a word in the text makes the sandbox do. */
enum FaultKeyword {
  SLOW(false),
  FAIL(false),
  FLAKY(true),
  UNKNOWN(true),
  THROTTLE(true),
  BROKEN(true),
  MARKUP(false),
  BOUNCE(false),
  READ(false);

  /** Whether it is played on a part's first try only. */
  final boolean once;

  FaultKeyword(boolean once) {
    this.once = once;
  }

  private static final Pattern WORD =
      Pattern.compile(
          "#(slow|fail|flaky|unknown|throttle|broken|markup|bounce|read)\\b",
          Pattern.CASE_INSENSITIVE);

  static Set<FaultKeyword> in(@Nullable String text) {
    Set<FaultKeyword> found = EnumSet.noneOf(FaultKeyword.class);
    if (text != null && text.indexOf('#') >= 0) {
      Matcher words = WORD.matcher(text);
      while (words.find()) {
        found.add(valueOf(words.group(1).toUpperCase(Locale.ROOT)));
      }
    }
    return found;
  }
}
