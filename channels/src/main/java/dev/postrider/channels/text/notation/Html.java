package dev.postrider.channels.text.notation;

import dev.postrider.channels.text.flow.Mark;
import dev.postrider.channels.text.flow.MarkScope;
import dev.postrider.channels.text.flow.Notation;
import dev.postrider.channels.text.flow.WritePosition;
import java.util.Locale;
import java.util.Set;

/**
 * HTML.
 *
 * @param whole whether the platform knows blocks; Telegram knows only marks within lines, code and
 *     quotes, and shows line breaks as they are
 * @param schemes what links may lead to
 */
public record Html(boolean whole, Set<String> schemes) implements Notation {

  public static final Html TELEGRAM = new Html(false, LinkTargets.USUAL);
  public static final Html MATRIX = new Html(true, LinkTargets.MATRIX);
  public static final Html EMAIL = new Html(true, LinkTargets.USUAL);

  private static final String BULLET = "• ";

  /** Telegram shows a hundred, and the rest as text. */
  @Override
  public int marksPerPart() {
    return whole ? Integer.MAX_VALUE : 100;
  }

  @Override
  public String open(MarkScope scope, MarkScope text) {
    return switch (scope.mark()) {
      case Mark.Style style -> "<" + tag(style) + ">";
      case Mark.Code _ -> "<code>";
      case Mark.Link link -> "<a href=\"" + attribute(link.target()) + "\">";
      case Mark.Address address -> whole ? "<a href=\"" + attribute(address.target()) + "\">" : "";
      case Mark.Pre pre ->
          pre.language().isEmpty()
              ? "<pre><code>"
              : "<pre><code class=\"language-" + attribute(pre.language()) + "\">";
      case Mark.Quote _ -> "<blockquote>";
      case Mark.InnerQuote _ -> whole ? "<blockquote>" : "";
      case Mark.Block block -> whole ? openBlock(block, text) : "";
    };
  }

  private static String openBlock(Mark.Block mark, MarkScope text) {
    return switch (mark) {
      case Mark.Paragraph _ -> "<p>";
      case Mark.Heading heading -> "<h" + heading.level() + ">";
      case Mark.Listing list -> list.ordered() ? "<ol" + start(text) + ">" : "<ul>";
      case Mark.Item _ -> "<li>";
      case Mark.Table _ -> "<table>";
      case Mark.Row _ -> "<tr>";
      case Mark.Cell cell -> cell.header() ? "<th" + align(cell) + ">" : "<td" + align(cell) + ">";
      case Mark.Rule _ -> "<hr>";
      case Mark.Pre _, Mark.Quote _, Mark.InnerQuote _ -> "";
    };
  }

  private static String start(MarkScope text) {
    Mark.Item item = text.within(Mark.Item.class);
    Integer number = item == null ? null : item.number();
    return number == null || number == 1 ? "" : " start=\"" + number + "\"";
  }

  private static String align(Mark.Cell cell) {
    return switch (cell.align()) {
      case NONE -> "";
      case LEFT, CENTER, RIGHT -> " align=\"" + cell.align().name().toLowerCase(Locale.ROOT) + "\"";
    };
  }

  @Override
  public String close(MarkScope scope) {
    return switch (scope.mark()) {
      case Mark.Style style -> "</" + tag(style) + ">";
      case Mark.Code _ -> "</code>";
      case Mark.Link _ -> "</a>";
      case Mark.Address _ -> whole ? "</a>" : "";
      case Mark.Pre _ -> "</code></pre>";
      case Mark.Quote _ -> "</blockquote>";
      case Mark.InnerQuote _ -> whole ? "</blockquote>" : "";
      case Mark.Block block -> whole ? closeBlock(block) : "";
    };
  }

  private static String closeBlock(Mark.Block mark) {
    return switch (mark) {
      case Mark.Paragraph _ -> "</p>";
      case Mark.Heading heading -> "</h" + heading.level() + ">";
      case Mark.Listing list -> list.ordered() ? "</ol>" : "</ul>";
      case Mark.Item _ -> "</li>";
      case Mark.Table _ -> "</table>";
      case Mark.Row _ -> "</tr>";
      case Mark.Cell cell -> cell.header() ? "</th>" : "</td>";
      case Mark.Rule _, Mark.Pre _, Mark.Quote _, Mark.InnerQuote _ -> "";
    };
  }

  private static String tag(Mark.Style style) {
    return switch (style) {
      case STRONG -> "b";
      case EMPHASIS -> "i";
      case STRIKE -> "s";
    };
  }

  private static String attribute(String value) {
    return value
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }

  @Override
  public String prefix(MarkScope scope, boolean first, MarkScope text) {
    if (whole) {
      return "";
    }
    return switch (scope.mark()) {
      case Mark.Item item -> ItemMarkers.prefix(item, BULLET, first, text);
      case Mark.InnerQuote _ -> "&gt; ";
      default -> "";
    };
  }

  @Override
  public boolean special(char c) {
    return c == '<' || c == '>' || c == '&';
  }

  @Override
  public String escape(char c, WritePosition spot) {
    return switch (c) {
      case '<' -> "&lt;";
      case '>' -> "&gt;";
      default -> "&amp;";
    };
  }

  @Override
  public String lineBreak(MarkScope scope) {
    return whole && !scope.code() ? "<br>" : "\n";
  }

  @Override
  public boolean blocksStandApart() {
    return whole;
  }

  @Override
  public boolean shows(Mark mark) {
    return whole || mark instanceof Mark.Address;
  }

  @Override
  public boolean links(String target) {
    return LinkTargets.allowed(target, schemes);
  }

  @Override
  public Notation plain() {
    return new Plain(BULLET, true);
  }

  @Override
  public Notation bare() {
    return whole ? Plain.BARE : plain().bare();
  }
}
