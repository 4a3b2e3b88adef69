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
      Pattern.compile(
          "((?:> ?)*)(?: *(?:- |\\d+\\. ))*```(?:[\\w.+#-]+\n|\n)?(.*?)\n?(?:> ?)*```",
          Pattern.DOTALL);
  private static final Pattern INLINE =
      Pattern.compile(
          "\\\\([^A-Za-z0-9\\s])" // 1 escape
              + "|(`{1,2})((?:[^`]|(?<!`)`(?!`))+?)\\2(?!`)" // 2, 3 code
              + "|(https?://[^\\s<]+[^<.,:;\"')\\]\\s])" // 4 bare address
              + "|<(https?://[^\\s<>]+)>" // 5 address in brackets
              + "|\\[((?:\\\\.|[^\\]\\\\])+)]\\((https?://[^\\s)]+)\\)" // 6, 7 masked link
              + "|\\*\\*((?:\\\\[\\s\\S]|[^\\\\])+?)\\*\\*(?!\\*)" // 8 strong
              + "|__((?:\\\\[\\s\\S]|[^\\\\])+?)__(?!_)" // 9 underlined
              + "|~~((?:\\\\[\\s\\S]|[^\\\\])+?)~~" // 10 struck
              + "|\\|\\|((?:\\\\[\\s\\S]|[^\\\\])+?)\\|\\|" // 11 hidden
              + "|\\*(?=\\S)((?:\\*\\*|\\\\[\\s\\S]"
              + "|\\s+(?:\\\\[\\s\\S]|[^*\\s\\\\]|\\*\\*)|[^\\s*\\\\])+?)\\*(?!\\*)" // 12
              + "|\\b_((?:\\\\[\\s\\S]|[^\\\\_])+?)_\\b", // 13 emphasis
          Pattern.DOTALL);

  private DiscordReader() {}

  public static String read(String markup) {
    StringBuilder seen = new StringBuilder();
    int done = 0;
    for (Matcher fence = FENCE.matcher(markup); fence.find(done); done = fence.end()) {
      seen.append(lines(markup.substring(done, fence.start())));
      String code = fence.group(2);
      seen.append('\n')
          .append(code.replaceAll("(?m)^" + fence.group(1).replace("> ", "> ?"), ""))
          .append('\n');
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
      } else if (found.group(4) != null || found.group(5) != null) {
        seen.append(found.group(4) != null ? found.group(4) : found.group(5));
      } else {
        for (int group : new int[] {6, 8, 9, 10, 11, 12, 13}) {
          if (found.group(group) != null) {
            seen.append(inlines(found.group(group)));
          }
        }
      }
    }
    return seen.append(text.substring(done)).toString();
  }
}
