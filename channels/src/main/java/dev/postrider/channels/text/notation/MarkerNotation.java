package dev.postrider.channels.text.notation;

import dev.postrider.channels.text.flow.Mark;
import dev.postrider.channels.text.flow.MarkScope;
import dev.postrider.channels.text.flow.Notation;
import dev.postrider.channels.text.flow.WritePosition;

/**
 * One character on each side of a word: Slack, WhatsApp, Google Chat, XMPP. None of them has an
 * escape character, and none takes a marker for one within a word.
 *
 * @param entities whether {@code &}, {@code <} and {@code >} are written as entities
 * @param links whether links are written as {@code <target|text>}
 * @param bullet what stands before an item
 * @param lists whether the platform itself takes bullets and numbers for lists
 */
public record MarkerNotation(boolean entities, boolean links, String bullet, boolean lists)
    implements Notation {

  public static final MarkerNotation SLACK = new MarkerNotation(true, true, "• ", false);
  public static final MarkerNotation WHATSAPP = new MarkerNotation(false, false, "- ", true);
  public static final MarkerNotation GOOGLE_CHAT = new MarkerNotation(false, true, "* ", true);

  /** Message Styling (XEP-0393). */
  public static final MarkerNotation XMPP = new MarkerNotation(false, false, "- ", false);

  @Override
  public String open(MarkScope scope, MarkScope text) {
    return switch (scope.mark()) {
      case Mark.Style style -> marker(style);
      case Mark.Code _ -> "`";
      case Mark.Link link -> "<" + target(link.target()) + "|";
      case Mark.Address _ -> links ? "<" : "";
      case Mark.Pre _ -> "```\n";
      case Mark.Block _ -> "";
    };
  }

  @Override
  public String close(MarkScope scope) {
    return switch (scope.mark()) {
      case Mark.Style style -> marker(style);
      case Mark.Code _ -> "`";
      case Mark.Link _ -> ">";
      case Mark.Address _ -> links ? ">" : "";
      case Mark.Pre _ -> "\n```";
      case Mark.Block _ -> "";
    };
  }

  private static String marker(Mark.Style style) {
    return switch (style) {
      case STRONG -> "*";
      case EMPHASIS -> "_";
      case STRIKE -> "~";
    };
  }

  private String target(String target) {
    String safe = target.replace("|", "%7C").replace("<", "%3C").replace(">", "%3E");
    return entities ? safe.replace("&", "&amp;") : safe;
  }

  @Override
  public String prefix(MarkScope scope, boolean first, MarkScope text) {
    return switch (scope.mark()) {
      case Mark.Quote _ -> "> ";
      case Mark.InnerQuote _ -> entities ? "&gt; " : "> ";
      case Mark.Item item -> ItemMarkers.prefix(item, bullet, first, text);
      default -> "";
    };
  }

  @Override
  public boolean special(char c) {
    return switch (c) {
      case '*', '_', '~', '`', '<', '>', '&', '-', '.', ')' -> true;
      default -> false;
    };
  }

  @Override
  public String escape(char c, WritePosition spot) {
    boolean verbatim = spot.scope().code() || spot.scope().within(Mark.Address.class) != null;
    return switch (c) {
      case '*', '_', '~' -> {
        boolean acts =
            InvisibleJoiner.couldAct(spot)
                || (lists && c == '*' && InvisibleJoiner.beginsItem(spot));
        yield acts && !verbatim ? InvisibleJoiner.around(c, spot) : String.valueOf(c);
      }
      case '`' -> backtick(spot);
      case '<', '>', '&' -> bracket(c, verbatim, spot);
      case '-' ->
          lists && !verbatim && InvisibleJoiner.beginsItem(spot) ? JOINER + c : String.valueOf(c);
      default ->
          lists && !verbatim && InvisibleJoiner.endsItemNumber(spot)
              ? JOINER + c
              : String.valueOf(c);
    };
  }

  /** Within code there is none (such code is written as text), but in a block of code there may. */
  private static String backtick(WritePosition spot) {
    if (spot.scope().within(Mark.Pre.class) == null) {
      return InvisibleJoiner.around('`', spot);
    }
    return spot.before() == '`' ? JOINER + '`' : "`";
  }

  private String bracket(char c, boolean verbatim, WritePosition spot) {
    String entity =
        switch (c) {
          case '<' -> "&lt;";
          case '>' -> "&gt;";
          default -> "&amp;";
        };
    String written = entities ? entity : String.valueOf(c);
    if (c == '>' && spot.first() && !verbatim) {
      return JOINER + written;
    }
    return c == '<' && links && !entities && !spot.scope().code() ? written + JOINER : written;
  }

  @Override
  public boolean wholeWords() {
    return true;
  }

  @Override
  public boolean linksHoldMarks() {
    return false;
  }

  @Override
  public boolean shows(Mark mark) {
    return mark instanceof Mark.Address address && address.target().indexOf('|') < 0;
  }

  @Override
  public boolean canBeCode(String text, MarkScope scope) {
    return text.indexOf('`') < 0;
  }

  @Override
  public boolean links(String target) {
    return links && LinkTargets.allowed(target, LinkTargets.USUAL);
  }

  @Override
  public Notation plain() {
    return new Plain(lists ? "- " : bullet, true);
  }

  @Override
  public Notation bare() {
    return plain().bare();
  }
}
