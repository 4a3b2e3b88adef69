package dev.postrider.reminder;

import dev.postrider.message.Format;
import dev.postrider.problem.InvalidInput;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A text with placeholders, such as {@code Hello {{name}}}. A name has letters, digits, {@code _},
 * {@code -} and {@code .}; spaces inside the braces do not count. <code>\{{</code> writes braces,
 * and <code>\\{{name}}</code> a backslash before a value.
 *
 * <p>A value arrives as the text it is. In Markdown, what could act as markup in it is escaped; in
 * plain text there is nothing to escape; in the platform's own markup it is put in as it is, since
 * nobody here knows that markup.
 */
public final class Template {
  private static final String OPEN = "{{";
  private static final String CLOSE = "}}";
  private static final Pattern NAME = Pattern.compile("[\\p{L}\\p{M}\\p{N}_.-]+");

  private final String source;
  private final Format format;

  /** What stands before, between and after the values: one more than names. */
  private final List<String> literals;

  private final List<String> names;

  /** The places of the values, if the text is Markdown. */
  private final List<ValuePosition> places;

  private Template(String source, Format format, List<String> literals, List<String> names) {
    this.source = source;
    this.format = format;
    this.literals = List.copyOf(literals);
    this.names = List.copyOf(names);
    this.places =
        format == Format.MARKDOWN && !names.isEmpty()
            ? ValuePositions.between(literals)
            : List.of();
  }

  /**
   * Reads a text.
   *
   * @param field where it stands, for the error
   * @param format how it is written, which decides what is escaped in values
   * @throws InvalidInput if braces are left open or hold no name
   */
  public static Template parse(String field, String text, Format format) {
    List<String> literals = new ArrayList<>();
    List<String> names = new ArrayList<>();
    StringBuilder literal = new StringBuilder();
    int at = 0;
    for (int open = text.indexOf(OPEN); open >= 0; open = text.indexOf(OPEN, at)) {
      int backslashes = backslashesBefore(text, open, at);
      literal.append(text, at, open - backslashes).repeat('\\', backslashes / 2);
      if (backslashes % 2 == 1) {
        literal.append(OPEN);
        at = open + OPEN.length();
        continue;
      }
      int close = text.indexOf(CLOSE, open);
      if (close < 0) {
        throw new InvalidInput(
            field, "has {{ at position " + open + " and no }} after it; close it, or write \\{{");
      }
      names.add(name(field, text.substring(open + OPEN.length(), close)));
      literals.add(literal.toString());
      literal.setLength(0);
      at = close + CLOSE.length();
    }
    literals.add(literal.append(text, at, text.length()).toString());
    return new Template(text, format, literals, names);
  }

  private static int backslashesBefore(String text, int end, int start) {
    int from = end;
    while (from > start && text.charAt(from - 1) == '\\') {
      from--;
    }
    return end - from;
  }

  private static String name(String field, String written) {
    String name = written.strip();
    if (!isName(name)) {
      throw new InvalidInput(
          field,
          "{{%s}} is no name; use letters, digits, _, - and . only, or write \\{{ for braces"
              .formatted(written));
    }
    return name;
  }

  /** Whether a value can go by this name. */
  public static boolean isName(String text) {
    return NAME.matcher(text).matches();
  }

  /** The text as it was written. */
  public String source() {
    return source;
  }

  /** The names of the values it needs. */
  public Set<String> names() {
    return new LinkedHashSet<>(names);
  }

  /** Whether it says something even if all values are blank. */
  public boolean saysSomething() {
    return !literals.stream().allMatch(String::isBlank);
  }

  /**
   * The text with its values.
   *
   * @throws IllegalArgumentException if a value is missing
   */
  public String fill(Map<String, String> variables) {
    StringBuilder filled = new StringBuilder(literals.getFirst());
    for (int i = 0; i < names.size(); i++) {
      String value = variables.get(names.get(i));
      if (value == null) {
        throw new IllegalArgumentException("there is no value for {{" + names.get(i) + "}}");
      }
      String next = literals.get(i + 1);
      switch (format) {
        case MARKDOWN -> MarkdownValue.append(filled, value, places.get(i), next);
        case PLAIN, NATIVE -> filled.append(value);
      }
      filled.append(next);
    }
    return filled.toString();
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Template that && source.equals(that.source) && format == that.format;
  }

  @Override
  public int hashCode() {
    return source.hashCode();
  }

  @Override
  public String toString() {
    return source;
  }
}
