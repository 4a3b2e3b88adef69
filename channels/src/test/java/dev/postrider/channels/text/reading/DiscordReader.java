package dev.postrider.channels.text.reading;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads Markdown the way Discord does: by trying one pattern after the other, not by CommonMark.
 */
public final class DiscordReader {
  private static final Pattern LINE_MARKS =
      Pattern.compile("^(?:>>> |> ?)*(?: *(?:[-*] |\\d{1,9}\\. ))*(?:#{1,3} |-# )?");
  private static final Pattern FENCE =
      Pattern.compile("```(?:[\\w.+#-]+\n|\n)?(.*?)\n?(?:> ?)*```", Pattern.DOTALL);
  private static final Pattern INLINE =
      Pattern.compile(
          "\\\\([^A-Za-z0-9\\s])" // 1 escape
              + "|(`{1,2})((?:[^`]|(?<!`)`(?!`))+?)\\2(?!`)" // 2, 3 code
              + "|(https?://[^\\s<]+[^<.,:;\"')\\]\\s])" // 4 bare address
              + "|\\[((?:\\\\.|[^\\]\\\\])+)]\\((https?://[^\\s)]+)\\)" // 5, 6 masked link
              + "|\\*\\*((?:\\\\[\\s\\S]|[^\\\\])+?)\\*\\*(?!\\*)" // 7 strong
              + "|__((?:\\\\[\\s\\S]|[^\\\\])+?)__(?!_)" // 8 underlined
              + "|~~((?:\\\\[\\s\\S]|[^\\\\])+?)~~" // 9 struck
              + "|\\|\\|((?:\\\\[\\s\\S]|[^\\\\])+?)\\|\\|" // 10 hidden
              + "|\\*(?=\\S)((?:\\*\\*|\\\\[\\s\\S]|\\s+(?:\\\\[\\s\\S]|[^*\\s\\\\]|\\*\\*)|[^\\s*\\\\])+?)\\*(?!\\*)" // 11
              + "|\\b_((?:\\\\[\\s\\S]|[^\\\\_])+?)_\\b", // 12 emphasis
          Pattern.DOTALL);

  private DiscordReader() {}

  public static String read(String markup) {
    StringBuilder seen = new StringBuilder();
    int done = 0;
    for (Matcher fence = FENCE.matcher(markup); fence.find(done); done = fence.end()) {
      seen.append(lines(markup.substring(done, fence.start())));
      seen.append('\n').append(fence.group(1).replaceAll("(?m)^(> ?)+", "")).append('\n');
    }
    return seen.append(lines(markup.substring(done))).toString();
  }

  private static String lines(String text) {
    StringBuilder all = new StringBuilder();
    for (String line : text.split("\n", -1)) {
      all.append(inlines(LINE_MARKS.matcher(line).replaceFirst(""))).append('\n');
    }
    return all.toString();
  }

  private static String inlines(String text) {
    StringBuilder seen = new StringBuilder();
    int done = 0;
    for (Matcher found = INLINE.matcher(text); found.find(); done = found.end()) {
      seen.append(text, done, found.start());
      if (found.group(1) != null) {
        seen.append(found.group(1));
      } else if (found.group(3) != null) {
        String code = found.group(3);
        boolean padded = code.length() > 2 && code.startsWith(" ") && code.endsWith(" ");
        seen.append(padded ? code.substring(1, code.length() - 1) : code);
      } else if (found.group(4) != null) {
        seen.append(found.group(4));
      } else {
        for (int group : new int[] {5, 7, 8, 9, 10, 11, 12}) {
          if (found.group(group) != null) {
            seen.append(inlines(found.group(group)));
          }
        }
      }
    }
    return seen.append(text.substring(done)).toString();
  }
}
