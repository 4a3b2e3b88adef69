package dev.postrider.channels.text.flow;

import dev.postrider.channel.Dialect.Written;
import dev.postrider.channel.TextLimit;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a flow into parts.
 *
 * <p>A part is filled piece by piece while a pen counts, markup included; places where it could end
 * well are remembered on the way. When the next character no longer fits, the best kind of place in
 * the second half of the part wins: between blocks, lines, sentences, words; if there is none, the
 * last character that fits. Then the part is written once more, exactly up to there, so that what
 * is measured is what is sent. A character is looked at no more than a few times, whatever the
 * text.
 */
final class Cutter {
  /** Markup is allowed so many times what people see, where only the latter is limited. */
  private static final long MARKUP_FACTOR = 8;

  private static final String STOPS = ".!?…؟۔。！？";
  private static final String WIDE_STOPS = "。！？";
  private static final String AFTER_STOPS = "\"')]”’»*";

  private final List<FlowPiece> flow;
  private final Notation notation;
  private final TextLimit limit;
  private final boolean eachLine;
  private Graphemes graphemes = new Graphemes("");

  /** The kinds of places where a part may end, best first. */
  private enum Kind {
    BLOCK,
    LINE,
    SENTENCE,
    WORD,
    CHARACTER
  }

  /** A place in the flow: an index into a text, or 0 for a gap. */
  private record Place(int piece, int index) {}

  /** Where a part may end, where the next one then begins, and how much the part takes. */
  private record Cut(Place end, Place next, int size) {}

  Cutter(List<FlowPiece> flow, Notation notation, TextLimit limit, boolean eachLine) {
    this.flow = flow;
    this.notation = notation;
    this.limit = limit;
    this.eachLine = eachLine;
  }

  static boolean fits(PartWriter writer, TextLimit limit, int size) {
    if (writer.crowded()) {
      return false;
    }
    return limit.visible()
        ? writer.visible() <= size && writer.size() <= MARKUP_FACTOR * size
        : writer.size() <= size;
  }

  List<Written> parts() {
    List<Written> parts = new ArrayList<>();
    Place at = new Place(0, 0);
    while (at.piece() < flow.size()) {
      at = part(at, parts);
    }
    return parts;
  }

  /** Writes the part that begins here; where the next one begins. */
  private Place part(Place from, List<Written> parts) {
    int size = limit.size();
    while (true) {
      Cut cut = new Filling(from, size, true).run();
      PartWriter writer = pen(notation, from, cut.end());
      String text = writer.end();
      // at its end a part may look more like markup than it did within, and take more room
      int excess = limit.unit().size(text) - limit.size();
      if (limit.visible() || excess <= 0 || size <= limit.size() / 2) {
        if (writer.speaks()) {
          parts.add(written(text, writer, from, cut.end()));
        }
        return cut.next();
      }
      size -= excess;
    }
  }

  private Written written(String text, PartWriter writer, Place from, Place to) {
    String plain = pen(notation.plain(), from, to).end();
    if (limit.unit().size(plain) > limit.size()) {
      plain = pen(notation.bare(), from, to).end();
    }
    boolean unmarked = plain.equals(text) || (notation.blocksStandApart() && !writer.marked());
    return unmarked
        ? new Written(plain, null, writer.styles())
        : new Written(text, plain, writer.styles());
  }

  private PartWriter pen(Notation notation, Place from, Place to) {
    PartWriter writer = new PartWriter(notation, limit.unit(), scopeBefore(from));
    for (int i = from.piece(); i < flow.size() && i <= to.piece(); i++) {
      switch (flow.get(i)) {
        case FlowPiece.Gap gap -> writer.gap(gap);
        case FlowPiece.Text text -> {
          int start = i == from.piece() ? from.index() : 0;
          int end = i == to.piece() ? to.index() : text.text().length();
          if (i < to.piece() || end > 0) {
            writer.say(text.scope(), text.text(), start, end, end);
          }
        }
      }
    }
    return writer;
  }

  private MarkScope scopeBefore(Place place) {
    int i = place.index() > 0 ? place.piece() : place.piece() - 1;
    for (; i >= 0; i--) {
      if (flow.get(i) instanceof FlowPiece.Text text) {
        return text.scope();
      }
    }
    return MarkScope.NONE;
  }

  /** Fills one part. */
  private final class Filling {
    private final Place from;
    private final int size;
    private final boolean whole;
    private final PartWriter writer;
    private final Map<Kind, Cut> cuts = new EnumMap<>(Kind.class);
    private @Nullable MarkScope last;
    private Place silence;

    Filling(Place from, int size, boolean whole) {
      this.from = from;
      this.size = size;
      this.whole = whole;
      this.writer = new PartWriter(notation, limit.unit(), scopeBefore(from));
      this.silence = from;
    }

    Cut run() {
      for (int i = from.piece(); i < flow.size(); i++) {
        if (!writer.speaks() && i > from.piece()) {
          silence = new Place(i, 0);
        }
        switch (flow.get(i)) {
          case FlowPiece.Gap gap -> {
            if (writer.speaks() && !inSolid(i)) {
              Cut cut = note(gap.block() ? Kind.BLOCK : Kind.LINE, i, 0, new Place(i + 1, 0));
              if (forced(gap, i)) {
                return cut;
              }
            }
            writer.gap(gap);
          }
          case FlowPiece.Text text -> {
            Cut cut = say(text, i);
            if (cut != null) {
              return cut;
            }
          }
        }
      }
      Place end = new Place(flow.size(), 0);
      return new Cut(end, end, measure());
    }

    /** Says a text as far as it fits; the cut if that is not all of it. */
    private @Nullable Cut say(FlowPiece.Text piece, int index) {
      String text = piece.text();
      MarkScope scope = piece.scope();
      graphemes = graphemes.of(text);
      boolean solid = whole && scope.solid() != null;
      int start = index == from.piece() ? from.index() : 0;
      if (whole && last != null && !sameSolid(last, scope) && writer.endsInWord() && start == 0) {
        note(Kind.CHARACTER, index, 0, new Place(index, afterSpaces(text, 0)));
      }
      if (start == text.length()) {
        writer.say(scope, text, start, start, start);
        last = scope;
        return fits(writer, limit, size) ? null : best(new Place(index + 1, 0));
      }
      for (int at = start; at < text.length(); ) {
        int end = whole ? graphemes.end(at) : graphemes.codePointEnd(at);
        if (!solid && at > start) {
          breakBefore(text, at, index, scope);
        }
        writer.say(scope, text, at, end, text.length());
        if (!fits(writer, limit, size)) {
          return best(new Place(index, end));
        }
        at = end;
      }
      last = scope;
      return null;
    }

    private void breakBefore(String text, int at, int index, MarkScope scope) {
      char before = text.charAt(at - 1);
      char c = text.charAt(at);
      if (!writer.speaks()) {
        return;
      }
      if (Character.isWhitespace(c)) {
        if (!Character.isWhitespace(before)) {
          boolean sentence = !scope.code() && endsSentence(text, at);
          note(
              sentence ? Kind.SENTENCE : Kind.WORD,
              index,
              at,
              new Place(index, afterSpaces(text, at)));
        }
      } else if (!scope.code() && WIDE_STOPS.indexOf(before) >= 0 && WIDE_STOPS.indexOf(c) < 0) {
        note(Kind.SENTENCE, index, at, new Place(index, at));
      } else if (!Character.isWhitespace(before) && !(whole && besideSign(text, at))) {
        note(Kind.CHARACTER, index, at, new Place(index, at));
      }
    }

    private Cut note(Kind kind, int piece, int index, Place next) {
      Cut cut = new Cut(new Place(piece, index), next, measure());
      cuts.put(kind, cut);
      return cut;
    }

    private int measure() {
      return limit.visible() ? writer.visible() : writer.size();
    }

    private Cut best(Place here) {
      if (!writer.speaks()) {
        return new Cut(here, here, 0);
      }
      Cut latest = null;
      int half = Math.min(size, measure()) / 2; // it may be full of marks before it is of text
      for (Kind kind : Kind.values()) {
        Cut cut = cuts.get(kind);
        if (cut != null) {
          if (kind != Kind.CHARACTER && cut.size() >= half) {
            return cut;
          }
          if (latest == null || cut.size() > latest.size()) {
            latest = cut;
          }
        }
      }
      if (latest != null) {
        return latest;
      }
      if (!silence.equals(from)) {
        return new Cut(silence, silence, 0);
      }
      return whole ? new Filling(from, size, false).run() : oneCodePoint();
    }

    /** Nothing fits, not even one character: the limit is too small for this text. */
    private Cut oneCodePoint() {
      for (int i = from.piece(); i < flow.size(); i++) {
        int start = i == from.piece() ? from.index() : 0;
        if (flow.get(i) instanceof FlowPiece.Text text && start < text.text().length()) {
          Place end = new Place(i, text.text().offsetByCodePoints(start, 1));
          return new Cut(end, end, size);
        }
      }
      Place end = new Place(flow.size(), 0);
      return new Cut(end, end, size);
    }

    private boolean inSolid(int gap) {
      return whole
          && last != null
          && gap + 1 < flow.size()
          && flow.get(gap + 1) instanceof FlowPiece.Text next
          && sameSolid(last, next.scope());
    }

    private boolean forced(FlowPiece.Gap gap, int index) {
      if (eachLine) {
        return true;
      }
      return switch (limit.split()) {
        case LENGTH -> false;
        case PARAGRAPH -> gap.block() && gap.top();
        case NEWLINE -> !insideOneBlock(index);
      };
    }

    /** Whether a gap lies within code or a table. */
    private boolean insideOneBlock(int gap) {
      return last != null
          && gap + 1 < flow.size()
          && flow.get(gap + 1) instanceof FlowPiece.Text next
          && last.common(next.scope()).keepsLines();
    }
  }

  private static boolean sameSolid(MarkScope a, MarkScope b) {
    MarkScope solid = a.solid();
    return solid != null && b.solid() != null && solid.same(b.solid());
  }

  private static boolean endsSentence(String text, int end) {
    int i = end - 1;
    while (i > 0 && AFTER_STOPS.indexOf(text.charAt(i)) >= 0) {
      i--;
    }
    return STOPS.indexOf(text.charAt(i)) >= 0;
  }

  private static int afterSpaces(String text, int at) {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
      at++;
    }
    return at;
  }

  /** Whether a sign before or after this place is held by letters, and would not be at a cut. */
  private static boolean besideSign(String text, int at) {
    return signWithinWord(text, at - 1) || signWithinWord(text, at);
  }

  private static boolean signWithinWord(String text, int at) {
    return at > 0
        && at + 1 < text.length()
        && text.charAt(at) < 0x80
        && !Character.isLetterOrDigit(text.charAt(at))
        && Character.isLetterOrDigit(text.charAt(at - 1))
        && Character.isLetterOrDigit(text.charAt(at + 1));
  }
}
