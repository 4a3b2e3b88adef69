package dev.postrider.channels.text.notation;

import dev.postrider.channels.text.flow.Mark;
import dev.postrider.channels.text.flow.MarkScope;
import dev.postrider.channels.text.flow.Notation;
import dev.postrider.channels.text.flow.WritePosition;
import org.jspecify.annotations.Nullable;

/** Text without markup. */
public class Plain implements Notation {
  /** With nothing but what every device and encoding can show. */
  public static final Plain ASCII =
      new Plain("- ", true) {
        @Override
        public String task(boolean done) {
          return done ? "[x] " : "[ ] ";
        }
      };

  /** With styles beside the text, as signal-cli names them. */
  public static final Plain SIGNAL =
      new Plain("• ", true) {
        @Override
        public @Nullable String style(Mark mark) {
          return switch (mark) {
            case Mark.Style.STRONG -> "BOLD";
            case Mark.Style.EMPHASIS -> "ITALIC";
            case Mark.Style.STRIKE -> "STRIKETHROUGH";
            case Mark.Code _, Mark.Pre _ -> "MONOSPACE";
            default -> null;
          };
        }
      };

  /** Control characters would end the line or the message, or colour it. */
  public static final Plain IRC =
      new Plain("- ", true) {
        @Override
        public boolean special(char c) {
          return c < ' ';
        }

        @Override
        public String escape(char c, WritePosition spot) {
          return c == '\t' ? " " : "";
        }

        @Override
        public String task(boolean done) {
          return ASCII.task(done);
        }
      };

  /** With links as Synology Chat writes them, which it knows by their beginning. */
  public static final Plain SYNOLOGY =
      new Plain("- ", true) {
        @Override
        public String open(MarkScope scope, MarkScope text) {
          return scope.mark() instanceof Mark.Link link
              ? "<" + link.target().replace("|", "%7C").replace(">", "%3E") + "|"
              : super.open(scope, text);
        }

        @Override
        public String close(MarkScope scope) {
          return scope.mark() instanceof Mark.Link ? ">" : "";
        }

        @Override
        public boolean links(String target) {
          return LinkTargets.allowed(target, LinkTargets.WEB);
        }

        @Override
        public boolean special(char c) {
          return c == '<';
        }

        @Override
        public String escape(char c, WritePosition spot) {
          int next = spot.after(); // an address has an edge before it
          boolean acts = next == WritePosition.EDGE || next == 'h' || next == 'H';
          return acts ? c + JOINER : String.valueOf(c);
        }

        @Override
        public String task(boolean done) {
          return ASCII.task(done);
        }

        @Override
        public Notation plain() {
          return ASCII;
        }

        @Override
        public Notation bare() {
          return ASCII.bare();
        }
      };

  /** Without even the signs of items and quotes. */
  static final Plain BARE =
      new Plain("", false) {
        @Override
        public String prefix(MarkScope scope, boolean first, MarkScope text) {
          return "";
        }
      };

  private final String bullet;
  private final boolean decorated;

  /**
   * @param decorated whether quotes and the targets of links are written too
   */
  Plain(String bullet, boolean decorated) {
    this.bullet = bullet;
    this.decorated = decorated;
  }

  @Override
  public String open(MarkScope scope, MarkScope text) {
    return scope.mark() instanceof Mark.Cell cell && cell.column() > 0 ? Mark.Cell.APART : "";
  }

  @Override
  public String close(MarkScope scope) {
    return decorated && scope.mark() instanceof Mark.Link link ? " (" + link.target() + ")" : "";
  }

  @Override
  public String prefix(MarkScope scope, boolean first, MarkScope text) {
    return switch (scope.mark()) {
      case Mark.Quote _ -> decorated ? "> " : "";
      case Mark.InnerQuote _ -> "> ";
      case Mark.Item item ->
          first || decorated ? ItemMarkers.prefix(item, bullet, first, text) : "";
      default -> "";
    };
  }

  @Override
  public boolean special(char c) {
    return false;
  }

  @Override
  public String escape(char c, WritePosition spot) {
    return String.valueOf(c);
  }

  @Override
  public boolean shows(Mark mark) {
    return mark instanceof Mark.Address;
  }

  @Override
  public boolean links(String target) {
    return false;
  }

  @Override
  public Notation plain() {
    return this;
  }

  @Override
  public Notation bare() {
    return new Plain(bullet, false);
  }
}
