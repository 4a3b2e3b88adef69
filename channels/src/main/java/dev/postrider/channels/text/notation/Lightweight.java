package dev.postrider.channels.text.notation;

import dev.postrider.channels.text.flow.Mark;
import dev.postrider.channels.text.flow.MarkScope;
import dev.postrider.channels.text.flow.Notation;
import dev.postrider.channels.text.flow.WritePosition;
import java.util.Set;

/**
 * Markdown as platforms read it.
 *
 * @param headings the deepest level of heading shown
 * @param tables whether tables and tasks are shown
 * @param common whether it is read by the rules of CommonMark: indentation means something, fences
 *     may be of any length, addresses stand in angle brackets
 * @param lineEnd what must stand at the end of a line for the line to end there
 * @param schemes what links may lead to
 * @param entities whether characters are kept from acting as markup by writing their numbers
 *     ({@code &#42;}), where a backslash may be shown
 */
public record Lightweight(
    int headings,
    boolean tables,
    boolean common,
    String lineEnd,
    Set<String> schemes,
    boolean entities)
    implements Notation {

  public static final Lightweight DISCORD =
      new Lightweight(3, false, false, "", LinkTargets.WEB, false);
  public static final Lightweight TEAMS =
      new Lightweight(0, false, true, "  ", LinkTargets.USUAL, false);
  public static final Lightweight MATTERMOST =
      new Lightweight(6, true, true, "", LinkTargets.USUAL, false);

  /** In cards, which take few tables. */
  public static final Lightweight FEISHU =
      new Lightweight(6, false, true, "", LinkTargets.WEB, true);

  private static final String BULLET = "- ";

  @Override
  public String open(MarkScope scope, MarkScope text) {
    return switch (scope.mark()) {
      case Mark.Style style -> marker(style);
      case Mark.Code code -> "`".repeat(code.fence()) + (code.padded() ? " " : "");
      case Mark.Link _ -> "[";
      case Mark.Address address -> entities ? "[" : bracketed(address) ? "<" : "";
      case Mark.Pre pre -> fence(pre) + pre.language() + "\n";
      case Mark.Heading heading -> "#".repeat(heading.level()) + " ";
      case Mark.Row _ -> "|";
      case Mark.Cell _ -> " ";
      case Mark.Rule _ -> "---";
      case Mark.Block _ -> "";
    };
  }

  @Override
  public String close(MarkScope scope) {
    return switch (scope.mark()) {
      case Mark.Style style -> marker(style);
      case Mark.Code code -> (code.padded() ? " " : "") + "`".repeat(code.fence());
      case Mark.Link link -> "](" + target(link.target()) + ")";
      case Mark.Address address ->
          entities ? "](" + target(address.target()) + ")" : bracketed(address) ? ">" : "";
      case Mark.Pre pre -> "\n" + fence(pre);
      case Mark.Row row -> row.header() ? delimiters(scope) : "";
      case Mark.Cell _ -> " |";
      case Mark.Block _ -> "";
    };
  }

  /** In brackets Discord shows no preview, so only where it would take what follows along. */
  private boolean bracketed(Mark.Address address) {
    return common || !address.apart();
  }

  private static String marker(Mark.Style style) {
    return switch (style) {
      case STRONG -> "**";
      case EMPHASIS -> "*";
      case STRIKE -> "~~";
    };
  }

  private String fence(Mark.Pre pre) {
    return "`".repeat(common ? pre.fence() : 3);
  }

  private static String target(String target) {
    return target
        .replace("(", "%28")
        .replace(")", "%29")
        .replace("<", "%3C")
        .replace(">", "%3E")
        .replace("\\", "%5C");
  }

  private static String delimiters(MarkScope row) {
    Mark.Table table = row.within(Mark.Table.class);
    StringBuilder line = new StringBuilder("\n|");
    if (table != null) {
      table
          .columns()
          .forEach(
              align ->
                  line.append(
                      switch (align) {
                        case NONE -> " --- |";
                        case LEFT -> " :-- |";
                        case CENTER -> " :-: |";
                        case RIGHT -> " --: |";
                      }));
    }
    return line.toString();
  }

  @Override
  public String prefix(MarkScope scope, boolean first, MarkScope text) {
    return switch (scope.mark()) {
      case Mark.Quote _, Mark.InnerQuote _ -> "> ";
      case Mark.Item item -> {
        if (!common) {
          yield ItemMarkers.prefix(item, BULLET, first, text);
        }
        String marker = ItemMarkers.marker(item, BULLET);
        String box = tables && item.done() != null ? (item.done() ? "[x] " : "[ ] ") : "";
        yield first ? marker + box : " ".repeat(marker.length());
      }
      default -> "";
    };
  }

  @Override
  public boolean special(char c) {
    return switch (c) {
      case '\\',
          '*',
          '_',
          '~',
          '`',
          '|',
          '>',
          '#',
          '-',
          '+',
          '=',
          '.',
          ')',
          '[',
          ']',
          '<',
          '&',
          ':',
          ' ' ->
          true;
      default -> false;
    };
  }

  @Override
  public String escape(char c, WritePosition spot) {
    if (spot.scope().code()) {
      boolean breaksFence =
          c == '`' && !common && spot.before() == '`' && spot.scope().mark() instanceof Mark.Pre;
      boolean cell = c == '|' && spot.scope().within(Mark.Cell.class) != null;
      return breaksFence ? JOINER + c : cell ? "\\|" : String.valueOf(c);
    }
    if (!entities && spot.scope().within(Mark.Address.class) != null) {
      return String.valueOf(c);
    }
    if (c == ' ') {
      return common && spot.first() ? "\u00a0" : " ";
    }
    return !acts(c, spot) ? String.valueOf(c) : entities ? "&#" + (int) c + ";" : "\\" + c;
  }

  private boolean acts(char c, WritePosition spot) {
    int before = spot.before();
    int after = spot.after();
    boolean atEnd = after == WritePosition.EDGE;
    boolean atSpace = atEnd || after == ' ';
    return switch (c) {
      case '*' -> !(before == ' ' && after == ' ') || spot.first() || emphasised(spot);
      case '_' -> !(Character.isLetterOrDigit(before) && Character.isLetterOrDigit(after));
      case '`' -> true;
      case '~' ->
          common
              ? !(before == ' ' && after == ' ')
              : before == '~' || after == '~' || atEnd || before == WritePosition.EDGE;
      case '|' ->
          entities
              || (tables ? spot.first() || inCell(spot) : before == '|' || after == '|' || atEnd);
      case '\\' -> atEnd || !Character.isLetterOrDigit(after) && !Character.isWhitespace(after);
      case '<' -> !atSpace || !common || entities;
      case '&' -> common && (after == '#' || Character.isLetter(after) || atEnd);
      case ']' -> after == '(' || after == '[' || after == ':' || atEnd;
      case '[' -> spot.first() || linkText(spot);
      case '>' -> spot.first() || entities;
      case '#' -> spot.first() || (common && before == ' ');
      case '-' -> spot.first() && (atSpace || after == '-' || after == '#' || after == '|');
      case '=' -> common && spot.first() && (atSpace || after == '=');
      case '+' -> spot.first() && atSpace;
      case ':' ->
          entities
              ? Character.isLetter(after) // :OK: is an emoji
              : common
                  ? tables && spot.first() && (after == '-' || atEnd)
                  : after == '/' && spot.after(2) == '/';
      case '.', ')' -> InvisibleJoiner.endsItemNumber(spot);
      default -> false;
    };
  }

  private static boolean emphasised(WritePosition spot) {
    return spot.scope().within(Mark.Style.class) != null;
  }

  private static boolean inCell(WritePosition spot) {
    return spot.scope().within(Mark.Cell.class) != null;
  }

  private static boolean linkText(WritePosition spot) {
    return spot.scope().within(Mark.Link.class) != null;
  }

  @Override
  public String lineBreak(MarkScope scope) {
    return scope.code() ? "\n" : lineEnd + "\n";
  }

  @Override
  public boolean indentationMeans() {
    return common;
  }

  @Override
  public boolean flanked() {
    return true;
  }

  @Override
  public boolean shows(Mark mark) {
    return switch (mark) {
      case Mark.Heading heading -> heading.level() <= headings;
      case Mark.Table _ -> tables;
      case Mark.Rule _ -> common;
      default -> true;
    };
  }

  /** Discord looks for the end of emphasis before it looks for code. */
  @Override
  public boolean canBeCode(String text, MarkScope scope) {
    boolean emphasised = scope.mark() instanceof Mark.Style;
    return common || !(text.contains("``") || (emphasised && text.matches(".*[*_~|\\\\].*")));
  }

  @Override
  public boolean links(String target) {
    return LinkTargets.allowed(target, schemes);
  }

  @Override
  public String task(boolean done) {
    return tables ? "" : done ? "☑ " : "☐ ";
  }

  @Override
  public Notation plain() {
    return new Plain(BULLET, true);
  }

  @Override
  public Notation bare() {
    return plain().bare();
  }
}
