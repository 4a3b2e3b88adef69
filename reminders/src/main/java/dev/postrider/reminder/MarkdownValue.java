package dev.postrider.reminder;

import java.util.regex.Pattern;

/**
 * Puts a value into a Markdown text so that it arrives as the text it is. Characters that could act
 * as markup where they stand are written as escapes or entities, the others stay readable. In code
 * there are neither, so what would end the code is replaced.
 */
final class MarkdownValue {
  private static final String MARKERS = "[ \\t]*(?:(?:>|[-+*]|\\d{1,9}[.)])[ \\t]*)*";

  /** Nothing on the line yet but marks of quotes, lists and headings. */
  private static final Pattern LINE_START = Pattern.compile(MARKERS + "(?:#{1,6}[ \\t]*)?");

  /** A number that a full stop would make an item of a list. */
  private static final Pattern NUMBER = Pattern.compile(MARKERS + "\\d{1,9}");

  private static final Pattern LINE_BREAKS = Pattern.compile("[ \\t]*\\n\\s*");
  private static final Pattern ADDRESS =
      Pattern.compile("[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\\s<>]*|[\\w.+-]+@[\\w-]+(?:\\.[\\w-]+)+");

  private final StringBuilder text;
  private final String next;
  private int lineStart;

  private MarkdownValue(StringBuilder text, String next) {
    this.text = text;
    this.next = next;
    this.lineStart = text.lastIndexOf("\n") + 1;
  }

  /**
   * Appends a value to the text so far.
   *
   * @param next what will follow it
   */
  static void append(StringBuilder text, String value, ValuePosition place, String next) {
    String lines = value.replace("\r\n", "\n").replace('\r', '\n');
    String line = LINE_BREAKS.matcher(lines).replaceAll(" ");
    switch (place) {
      case TEXT -> new MarkdownValue(text, next).append(lines);
      case LINE -> new MarkdownValue(text, next).append(line);
      case ADDRESS -> new MarkdownValue(text, next).append(line.replaceAll("\\s", "%20"));
      case BARE_ADDRESS -> text.append(bareAddress(line));
      case CODE -> text.append(code(line));
      case CODE_IN_CELL -> text.append(code(line).replace("|", "\\|"));
      case CODE_BLOCK -> text.append(code(lines));
    }
  }

  private static String bareAddress(String value) {
    return value.replaceAll("\\s", "%20").replace("<", "%3C").replace(">", "%3E");
  }

  private static String code(String value) {
    return value.replace('`', '\'').replace("~~~", "---");
  }

  private void append(String value) {
    if (isBracketed() && ADDRESS.matcher(value).matches()) {
      text.append(value); // an address in angle brackets knows no escapes either
      return;
    }
    if (backslashesAtEnd() % 2 == 1) {
      text.append('\\'); // it would take the meaning from our own
    }
    // an empty line would end what the value stands in, unless it stands alone
    String lines = isAlone() ? value : LINE_BREAKS.matcher(value).replaceAll("\n");
    lines.chars().forEach(c -> append((char) c));
    if (lines.endsWith("!") && next.startsWith("[")) {
      text.insert(text.length() - 1, '\\');
    }
  }

  private void append(char c) {
    switch (c) {
      case '&' -> text.append("&amp;");
      case '<' -> text.append("&lt;");
      case '>' -> text.append("&gt;");
      case '`' -> text.append("&#96;"); // a backslash does not keep it from ending code
      case '\\', '*', '_', '[', ']', '(', ')', '~', '|', '"', '\'', '#' ->
          text.append('\\').append(c);
      case '-', '+', '=' -> text.append(lineIs(LINE_START) ? "\\" : "").append(c);
      case ':' -> text.append(lineIs(LINE_START) || endsWith(']') ? "\\" : "").append(c);
      case '.' -> text.append(lineIs(NUMBER) ? "\\" : "").append(c);
      case ' ', '\t' -> text.append(lineIs(LINE_START) ? "" : c); // would indent the line
      case '\n' -> {
        text.append(c);
        lineStart = text.length();
      }
      default -> text.append(c);
    }
  }

  private boolean lineIs(Pattern pattern) {
    return pattern.matcher(text).region(lineStart, text.length()).matches();
  }

  private boolean isBracketed() {
    return endsWith('<') && next.startsWith(">");
  }

  private boolean isAlone() {
    int end = next.indexOf('\n');
    return text.substring(lineStart).isBlank()
        && (end < 0 ? next : next.substring(0, end)).isBlank();
  }

  private boolean endsWith(char c) {
    return !text.isEmpty() && text.charAt(text.length() - 1) == c;
  }

  private int backslashesAtEnd() {
    int from = text.length();
    while (from > 0 && text.charAt(from - 1) == '\\') {
      from--;
    }
    return text.length() - from;
  }
}
