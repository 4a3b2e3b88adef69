package dev.postrider.channels.email;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Message-IDs, which are always written in angle brackets here. */
final class MessageIds {
  /** So short that a line of a header has room for two. */
  private static final String WORD = "[!-;=?-~]{1,400}";

  private static final Pattern ID = Pattern.compile("<?(" + WORD + ")>?");
  private static final Pattern IN_TEXT = Pattern.compile("<" + WORD + ">");

  private MessageIds() {}

  static String of(String key, String domain) {
    return "<" + key + "@" + domain + ">";
  }

  /** The id in a text that holds nothing else, or null. */
  static @Nullable String parse(String text) {
    var id = ID.matcher(text.strip());
    return id.matches() ? "<" + id.group(1) + ">" : null;
  }

  /** The ids of a header such as References. */
  static List<String> all(@Nullable String header) {
    return header == null
        ? List.of()
        : IN_TEXT.matcher(header).results().map(MatchResult::group).toList();
  }
}
