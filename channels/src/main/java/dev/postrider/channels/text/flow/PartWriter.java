package dev.postrider.channels.text.flow;

import dev.postrider.channel.TextLimit.Unit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes one part: opens and closes marks as the text moves from one scope to the next, begins each
 * line with the prefix its marks ask for, escapes, and keeps count. It always knows how large the
 * part would be if it ended here.
 */
final class PartWriter implements WritePosition {
  private static final int LEAD = 12;

  private final Notation notation;
  private final Unit unit;
  private final MarkScope continued;
  private final StringBuilder out = new StringBuilder();
  private final Deque<Closer> closers = new ArrayDeque<>();
  private final List<String> styles = new ArrayList<>();

  private MarkScope open = MarkScope.NONE;
  private MarkScope prefixed = MarkScope.NONE;
  private String prefix = "";
  private FlowPiece.@Nullable Gap pending;
  private boolean begun;
  private boolean speaks;
  private boolean marked;
  private int marks;
  private int lineStart;
  private int written;
  private int closing;
  private int visible;

  private MarkScope scope = MarkScope.NONE;
  private String text = "";
  private int at;
  private int end;

  /**
   * @param continued where the part before ended: an item begun there is continued here, not begun
   *     again
   */
  PartWriter(Notation notation, Unit unit, MarkScope continued) {
    this.notation = notation;
    this.unit = unit;
    this.continued = continued;
  }

  /** What is to be written for a mark's end. */
  private record Closer(String markup, @Nullable String style, int start) {}

  /** Remembers that lines are to be kept apart; written only when more text follows. */
  void gap(FlowPiece.Gap gap) {
    if (begun) {
      pending = gap;
    }
  }

  /** Writes {@code text} from one index to another; {@code end} is where it ends in this part. */
  void say(MarkScope target, String text, int from, int to, int end) {
    this.text = text;
    this.end = end;
    this.at = from - 1;
    moveTo(target);
    this.scope = target;
    for (at = from; at < to; at++) {
      char c = text.charAt(at);
      if (notation.special(c)) {
        put(notation.escape(c, this));
      } else {
        out.append(c);
        written += sizeOf(c);
      }
      visible += sizeOf(c);
      speaks |= !silent(c);
    }
  }

  private static boolean silent(char c) {
    return Character.isWhitespace(c)
        || Character.isSpaceChar(c)
        || Character.getType(c) == Character.FORMAT
        || Character.getType(c) == Character.CONTROL;
  }

  /**
   * The half of a surrogate pair counts half of the pair; in code points, only the first counts.
   */
  private int sizeOf(char c) {
    return switch (unit) {
      case UTF16 -> 1;
      case CODE_POINTS -> Character.isLowSurrogate(c) ? 0 : 1;
      case UTF8_BYTES -> Character.isSurrogate(c) ? 2 : unit.size(c);
    };
  }

  private void put(String markup) {
    out.append(markup);
    written += unit.size(markup);
  }

  private void moveTo(MarkScope target) {
    if (!begun) {
      begun = true;
      descend(MarkScope.NONE, target, target.common(continued), true);
    } else if (pending != null) {
      FlowPiece.Gap gap = pending;
      pending = null;
      newLine(gap, target);
    } else if (!open.same(target)) {
      MarkScope common = open.common(target);
      closeTo(common, true);
      descend(common, target, target, false);
    }
  }

  private void newLine(FlowPiece.Gap gap, MarkScope target) {
    MarkScope common = open.common(target);
    if (notation.blocksStandApart()) {
      closeTo(common, true);
      boolean sameBlock = target.line().same(common.line());
      put(sameBlock ? notation.lineBreak(common) : "");
      visible += gap.lines();
      lineStart = out.length();
      descend(common, target, common, false);
      return;
    }
    MarkScope line = common.line();
    boolean sameBlock = target.line().same(line);
    boolean leavesItem = notation.indentationMeans() && !sameBlock && inContinuedItem(open.line());
    int lines = leavesItem ? Math.max(2, gap.lines()) : gap.lines();
    closeTo(line, false);
    put(sameBlock ? notation.lineBreak(line) : "\n");
    for (int i = 1; i < lines; i++) {
      putSeen(prefix(line).stripTrailing());
      put("\n");
    }
    visible += lines;
    lineStart = out.length();
    descend(line, target, common, true);
  }

  /** Opens what lies between two scopes, and at a line's start writes the prefix of all marks. */
  private void descend(MarkScope from, MarkScope target, MarkScope known, boolean lineBegins) {
    if (lineBegins && from.same(target.line())) {
      putSeen(prefix(from));
      lineStart = out.length();
      lineBegins = false;
    }
    Deque<MarkScope> path = new ArrayDeque<>();
    MarkScope top = lineBegins ? MarkScope.NONE : from;
    for (MarkScope scope = target; !scope.same(top); scope = scope.outer()) {
      path.push(scope);
    }
    for (MarkScope scope : path) {
      if (lineBegins && scope.mark() instanceof Mark.Block) {
        putSeen(prefix(scope, !scope.holds(known), target));
        lineStart = out.length();
      }
      if (scope.depth() > from.depth()) {
        open(scope, target);
      }
    }
    open = target;
  }

  private void open(MarkScope scope, MarkScope target) {
    String markup = notation.open(scope, target);
    String close = withPrefix(notation.close(scope), scope);
    marked |= !(scope.mark() instanceof Mark.Paragraph);
    marks += markup.isEmpty() && !(scope.mark() instanceof Mark.Address) ? 0 : 1;
    if (scope.mark() instanceof Mark.Inline && !markup.isEmpty()) {
      putOpening(markup, scope, target);
    } else {
      put(withPrefix(markup, target));
    }
    if (scope.mark() instanceof Mark.Block && !markup.isEmpty()) {
      lineStart = out.length();
    }
    if (scope.mark() instanceof Mark.Cell) {
      visible += Mark.Cell.APART.length();
    }
    closing += unit.size(close);
    closers.push(new Closer(close, notation.style(scope.mark()), out.length()));
  }

  /** Keeps runs of the same sign apart, and gives emphasis a letter to touch. */
  private void putOpening(String markup, MarkScope scope, MarkScope target) {
    if (before() == markup.charAt(0)) {
      put(Notation.JOINER);
    }
    int outside = before();
    put(markup);
    boolean touchesLetter = scope.same(target) && letter(after());
    boolean free = outside == EDGE || space(outside);
    boolean spaceMayFollow = space(after()) || after() == EDGE; // of a cut that leaves nothing
    if (flanked(scope) && !touchesLetter && (!free || spaceMayFollow)) {
      put(Notation.JOINER);
    }
  }

  private void putClosing(String markup, boolean textFollows) {
    char last = out.charAt(out.length() - 1);
    boolean free =
        !(open.outer().mark() instanceof Mark.Style)
            && (!textFollows || after() == EDGE || space(after()));
    if (last == markup.charAt(0) || (flanked(open) && !letter(last) && (!free || space(last)))) {
      put(Notation.JOINER);
    }
    put(markup);
  }

  private boolean flanked(MarkScope scope) {
    return notation.flanked() && scope.mark() instanceof Mark.Style;
  }

  /**
   * Closes all marks within a scope.
   *
   * @param textFollows whether more text follows in the same line
   */
  private void closeTo(MarkScope keep, boolean textFollows) {
    while (!open.same(keep)) {
      Closer closer = closers.pop();
      closing -= unit.size(closer.markup());
      if (open.mark() instanceof Mark.Inline && !closer.markup().isEmpty()) {
        putClosing(closer.markup(), textFollows);
      } else {
        put(closer.markup());
      }
      if (closer.style() != null && out.length() > closer.start()) {
        styles.add(closer.start() + ":" + (out.length() - closer.start()) + ":" + closer.style());
      }
      open = open.outer();
    }
  }

  private static boolean space(int c) {
    return Character.isWhitespace(c) || Character.isSpaceChar(c);
  }

  private static boolean letter(int c) {
    return Character.isLetterOrDigit(c);
  }

  private void putSeen(String prefix) {
    put(prefix);
    visible += unit.size(prefix);
  }

  private String withPrefix(String markup, MarkScope text) {
    return markup.indexOf('\n') < 0 ? markup : markup.replace("\n", "\n" + prefix(text.line()));
  }

  /** The prefix of a line that begins nothing. */
  private String prefix(MarkScope line) {
    if (!line.same(prefixed)) {
      StringBuilder all = new StringBuilder();
      for (MarkScope scope = line; !scope.same(MarkScope.NONE); scope = scope.outer()) {
        all.insert(0, prefix(scope, false, line));
      }
      prefixed = line;
      prefix = all.toString();
    }
    return prefix;
  }

  /** An item begun in the part before has no list around it here that its lines could belong to. */
  private String prefix(MarkScope scope, boolean first, MarkScope text) {
    return notation.indentationMeans() && inContinuedItem(scope)
        ? ""
        : notation.prefix(scope, first, text);
  }

  private boolean inContinuedItem(MarkScope scope) {
    return scope.mark() instanceof Mark.Item && scope.holds(continued);
  }

  /** How large the part is if it ends here, markup included. */
  int size() {
    return written + closing;
  }

  /** How much of it people see. */
  int visible() {
    return visible;
  }

  /** Whether there is anything to see. */
  boolean speaks() {
    return speaks;
  }

  /** Whether something stands in the line and does not end with a space. */
  boolean endsInWord() {
    return speaks && pending == null && before() != EDGE && !Character.isWhitespace(before());
  }

  /** Whether there is any mark but that of a paragraph. */
  boolean marked() {
    return marked;
  }

  /** Whether there are more marks than the platform shows. */
  boolean crowded() {
    return marks > notation.marksPerPart();
  }

  /** Ends the part. */
  String end() {
    at = end;
    closeTo(MarkScope.NONE, false);
    return out.toString();
  }

  List<String> styles() {
    return styles;
  }

  @Override
  public MarkScope scope() {
    return scope;
  }

  @Override
  public int before() {
    return out.length() == lineStart ? EDGE : out.charAt(out.length() - 1);
  }

  @Override
  public int after(int distance) {
    return at + distance < end ? text.charAt(at + distance) : EDGE;
  }

  @Override
  public String lead() {
    int length = Math.min(out.length() - lineStart, LEAD);
    return out.substring(lineStart, lineStart + length);
  }
}
