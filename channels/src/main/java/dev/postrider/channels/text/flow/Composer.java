package dev.postrider.channels.text.flow;

import static dev.postrider.channels.text.flow.WritePosition.EDGE;

import dev.postrider.channel.TextLimit;
import dev.postrider.channels.text.tree.Addresses;
import dev.postrider.channels.text.tree.Block;
import dev.postrider.channels.text.tree.Inline;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Lays a text out as a flow of pieces for one dialect. What the platform cannot show is degraded
 * here, and marks that would leave too little room for text are left out: a pen can write whatever
 * comes out of this within the limit.
 */
final class Composer {
  private static final String RULE = "———";
  private static final int LABEL = 40;
  private static final String MARKERS = "*_~`<" + Notation.JOINER;
  private static final Pattern LITERAL_MARKER =
      Pattern.compile("[*~`<\u00a0\u2060]|(?<![\\p{L}\\p{N}])_|_(?![\\p{L}\\p{N}])");

  private final Notation notation;
  private final TextLimit limit;
  private List<FlowPiece> flow = new ArrayList<>();

  private Composer(Notation notation, TextLimit limit) {
    this.notation = notation;
    this.limit = limit;
  }

  static List<FlowPiece> compose(List<Block> blocks, Notation notation, TextLimit limit) {
    Composer composer = new Composer(notation, limit);
    composer.blocks(blocks, MarkScope.NONE, false);
    return composer.flow;
  }

  /** A text without any marks, each line as typed. */
  static List<FlowPiece> compose(String text, Notation notation, TextLimit limit) {
    Composer composer = new Composer(notation, limit);
    int breaks = 0;
    for (String line : text.split("\r\n|\r|\n", -1)) {
      if (!line.isEmpty()) {
        if (breaks > 0) {
          composer.flow.add(new FlowPiece.Gap(breaks, breaks > 1, true));
        }
        breaks = 0;
        composer.inlines(Addresses.split(line), MarkScope.NONE, EDGE);
      }
      breaks++;
    }
    return composer.flow;
  }

  private void blocks(List<Block> blocks, MarkScope scope, boolean tight) {
    for (int i = 0; i < blocks.size(); i++) {
      if (i > 0) {
        separate(blocks.get(i - 1), blocks.get(i), scope, tight);
      }
      block(blocks.get(i), scope, tight);
    }
  }

  /** A heading belongs to what it heads; after a list or a quote, a line would continue it. */
  private void separate(Block last, Block next, MarkScope scope, boolean tight) {
    boolean line =
        tight && !(next instanceof Block.Paragraph && !(last instanceof Block.Paragraph));
    boolean top =
        scope.depth() == 0 && !(last instanceof Block.Heading || last instanceof Block.Rule);
    flow.add(new FlowPiece.Gap(line ? 1 : 2, !line, top));
  }

  private void block(Block block, MarkScope scope, boolean tight) {
    switch (block) {
      case Block.Paragraph paragraph ->
          inlines(paragraph.content(), tight ? scope : enter(scope, new Mark.Paragraph()), EDGE);
      case Block.Heading heading -> heading(heading, scope);
      case Block.Code code -> code(code, scope);
      case Block.Quote quote -> quote(quote, scope);
      case Block.Listing list -> listing(list, scope);
      case Block.Table table -> table(table, scope);
      case Block.Rule _ -> rule(scope);
    }
  }

  private void heading(Block.Heading heading, MarkScope scope) {
    Mark mark = new Mark.Heading(heading.level());
    boolean ownLine = scope.within(Mark.Item.class) == null || notation.itemsHoldBlocks();
    MarkScope inner =
        notation.shows(mark) && ownLine
            ? enter(scope, mark)
            : strong(heading.content(), enter(scope, new Mark.Paragraph()), EDGE);
    List<Inline> oneLine =
        heading.content().stream()
            .map(inline -> inline instanceof Inline.Break ? new Inline.Text(" ") : inline)
            .toList();
    inlines(oneLine, inner, EDGE);
  }

  private void code(Block.Code code, MarkScope scope) {
    MarkScope inner =
        enter(scope, new Mark.Pre(code.language(), Math.max(3, longestRun(code.text()) + 1)));
    lines(List.of(code.text().split("\n", -1)), inner);
  }

  private void lines(List<String> lines, MarkScope scope) {
    for (int i = 0; i < lines.size(); i++) {
      if (i > 0) {
        flow.add(new FlowPiece.Gap(1, false, false));
      }
      flow.add(new FlowPiece.Text(lines.get(i), scope));
    }
  }

  private static int longestRun(String text) {
    int longest = 0;
    int run = 0;
    for (int i = 0; i < text.length(); i++) {
      run = text.charAt(i) == '`' ? run + 1 : 0;
      longest = Math.max(longest, run);
    }
    return longest;
  }

  private void quote(Block.Quote quote, MarkScope scope) {
    boolean nested = scope.within(Mark.Quote.class) != null;
    Mark mark = nested ? new Mark.InnerQuote() : new Mark.Quote();
    blocks(quote.content(), enter(scope, mark), false);
  }

  private void listing(Block.Listing list, MarkScope scope) {
    MarkScope listing = enter(scope, new Mark.Listing(list.start() != null));
    for (int i = 0; i < list.items().size(); i++) {
      if (i > 0) {
        flow.add(new FlowPiece.Gap(list.tight() ? 1 : 2, !list.tight(), false));
      }
      Block.Item item = list.items().get(i);
      Integer number = list.start() == null ? null : Integer.valueOf(list.start() + i);
      MarkScope inner = enter(listing, new Mark.Item(number, item.done()));
      boolean roomy = !inner.same(listing);
      if (!roomy) {
        say(number == null ? "- " : number + ". ", scope);
        if (!item.content().isEmpty() && !(item.content().getFirst() instanceof Block.Paragraph)) {
          flow.add(new FlowPiece.Gap(1, false, false));
        }
      }
      String box = item.done() == null ? "" : roomy ? notation.task(item.done()) : box(item.done());
      blocks(withBox(box, item.content()), roomy ? inner : scope, list.tight());
    }
  }

  private static String box(boolean done) {
    return done ? "[x] " : "[ ] ";
  }

  private static List<Block> withBox(String box, List<Block> content) {
    List<Block> boxed = new ArrayList<>(content);
    List<Inline> first = new ArrayList<>(List.of(new Inline.Text(box)));
    if (content.isEmpty()) {
      boxed.add(new Block.Paragraph(first));
    } else if (!box.isEmpty() && content.getFirst() instanceof Block.Paragraph paragraph) {
      first.addAll(paragraph.content());
      boxed.set(0, new Block.Paragraph(first));
    }
    return boxed;
  }

  private void rule(MarkScope scope) {
    Mark mark = new Mark.Rule();
    flow.add(
        notation.shows(mark)
            ? new FlowPiece.Text("", enter(scope, mark))
            : new FlowPiece.Text(RULE, enter(scope, new Mark.Paragraph())));
  }

  private void table(Block.Table table, MarkScope scope) {
    if (shown(table, scope)) {
      return;
    }
    TableDrawing sketch = new TableDrawing(table);
    if (sketch.width() <= Math.min(TableDrawing.READABLE, limit.size() / 2)) {
      lines(sketch.lines(), enter(scope, new Mark.Pre("", 3)));
    } else {
      records(table, scope);
    }
  }

  /** Lays a table out as such if the platform has tables and there is room. */
  private boolean shown(Block.Table table, MarkScope scope) {
    MarkScope inner = enter(scope, new Mark.Table(table.columns()));
    Mark cell = new Mark.Cell(0, table.columns().getFirst(), true);
    if (!notation.shows(inner.mark())
        || !enter(enter(inner, new Mark.Row(true)), cell).mark().equals(cell)) {
      return false;
    }
    if (notation.blocksStandApart()) {
      cells(table, inner);
      return true;
    }
    return kept(() -> cells(table, inner));
  }

  private void cells(Block.Table table, MarkScope scope) {
    row(table, table.header(), true, scope);
    for (List<List<Inline>> row : table.rows()) {
      flow.add(new FlowPiece.Gap(1, false, false));
      row(table, row, false, scope);
    }
  }

  private void row(Block.Table table, List<List<Inline>> cells, boolean header, MarkScope scope) {
    MarkScope inner = enter(scope, new Mark.Row(header));
    for (int i = 0; i < table.columns().size(); i++) {
      MarkScope cell = enter(inner, new Mark.Cell(i, table.columns().get(i), header));
      flow.add(new FlowPiece.Text("", cell));
      if (i < cells.size()) {
        inlines(cells.get(i), cell, EDGE);
      }
    }
  }

  /** Each row as lines of "header: cell". */
  private void records(Block.Table table, MarkScope scope) {
    MarkScope inner = enter(scope, new Mark.Paragraph());
    record(table.header(), table.rows().isEmpty() ? List.of() : table.rows().getFirst(), inner);
    List<List<Inline>> labels = table.header().stream().map(Composer::label).toList();
    for (List<List<Inline>> row : table.rows().stream().skip(1).toList()) {
      flow.add(new FlowPiece.Gap(2, true, false));
      record(labels, row, inner);
    }
  }

  /** A header in few words: in full it stands with the first row only. */
  private static List<Inline> label(List<Inline> header) {
    String said = Inline.said(header);
    return said.length() <= LABEL ? header : List.of(new Inline.Text(shortened(said)));
  }

  private static String shortened(String said) {
    int end = Character.isHighSurrogate(said.charAt(LABEL - 1)) ? LABEL - 1 : LABEL;
    return said.substring(0, end).stripTrailing() + "…";
  }

  private void record(List<List<Inline>> header, List<List<Inline>> row, MarkScope scope) {
    for (int i = 0; i < header.size(); i++) {
      if (i > 0) {
        flow.add(new FlowPiece.Gap(1, false, false));
      }
      inlines(header.get(i), strong(header.get(i), scope, ':'), ':');
      say(": ", scope);
      if (i < row.size()) {
        inlines(row.get(i), scope, EDGE);
      }
    }
  }

  private void inlines(List<Inline> inlines, MarkScope scope, int after) {
    for (int i = 0; i < inlines.size(); i++) {
      int next = i + 1 < inlines.size() ? firstChar(inlines.get(i + 1)) : after;
      inline(inlines.get(i), scope, next);
    }
  }

  private static int firstChar(Inline inline) {
    String said = Inline.said(List.of(inline));
    return said.isEmpty() ? EDGE : said.codePointAt(0);
  }

  private void inline(Inline inline, MarkScope scope, int after) {
    switch (inline) {
      case Inline.Text text -> say(text.text(), scope);
      case Inline.Strong it -> styled(Mark.Style.STRONG, it.content(), scope, after);
      case Inline.Emphasis it -> styled(Mark.Style.EMPHASIS, it.content(), scope, after);
      case Inline.Strike it -> styled(Mark.Style.STRIKE, it.content(), scope, after);
      case Inline.Code code -> code(code.text(), scope, after);
      case Inline.Link link -> link(link, scope, after);
      case Inline.Break _ -> flow.add(new FlowPiece.Gap(1, false, false));
    }
  }

  private void say(String text, MarkScope scope) {
    flow.add(new FlowPiece.Text(text, scope));
  }

  private void styled(Mark.Style mark, List<Inline> content, MarkScope scope, int after) {
    inlines(content, styled(mark, Inline.said(content), scope, after), after);
  }

  private MarkScope strong(List<Inline> content, MarkScope scope, int after) {
    return styled(Mark.Style.STRONG, Inline.said(content), scope, after);
  }

  private MarkScope styled(Mark.Style mark, String said, MarkScope scope, int after) {
    boolean clear = !notation.wholeWords() || !LITERAL_MARKER.matcher(said).find();
    return clear && !scope.has(mark) && standsAlone(said, after) ? enter(scope, mark) : scope;
  }

  private void code(String text, MarkScope scope, int after) {
    boolean able = !text.isBlank() && notation.canBeCode(text, scope) && standsAlone(text, after);
    // a cut may bring any backtick to an end
    boolean padded = text.indexOf('`') >= 0 || (text.startsWith(" ") && text.endsWith(" "));
    say(text, able ? enter(scope, new Mark.Code(longestRun(text) + 1, padded)) : scope);
  }

  /** Whether marks around this text are seen as marks. */
  private boolean standsAlone(String text, int after) {
    return !notation.wholeWords()
        || (!touches(before())
            && !touches(after)
            && !text.isEmpty()
            && !edge(text.charAt(0))
            && !edge(text.charAt(text.length() - 1)));
  }

  /** Whether this neighbour keeps a marker from being one: a letter, or another sign like it. */
  private static boolean touches(int neighbour) {
    return Character.isLetterOrDigit(neighbour) || MARKERS.indexOf(neighbour) >= 0;
  }

  private static boolean edge(char c) {
    return Character.isWhitespace(c) || Character.isSpaceChar(c) || MARKERS.indexOf(c) >= 0;
  }

  private int before() {
    return !flow.isEmpty()
            && flow.getLast() instanceof FlowPiece.Text last
            && !last.text().isEmpty()
        ? last.text().codePointBefore(last.text().length())
        : EDGE;
  }

  private void link(Inline.Link link, MarkScope scope, int after) {
    String said = Inline.said(link.content());
    String target = link.target();
    if (said.isBlank() || said.equals(target) || target.equals("mailto:" + said)) {
      address(said.isBlank() ? target : said, scope, after);
    } else if (!notation.links(target)
        || !kept(() -> linked(link, enter(scope, new Mark.Link(target)), after))) {
      inlines(link.content(), scope, ' ');
      say(" (", scope);
      address(target, scope, ')');
      say(")", scope);
    }
  }

  private void linked(Inline.Link link, MarkScope scope, int after) {
    if (notation.linksHoldMarks()) {
      inlines(link.content(), scope, after);
    } else {
      say(Inline.said(link.content()), scope);
    }
  }

  private void address(String address, MarkScope scope, int after) {
    boolean web = address.startsWith("http://") || address.startsWith("https://");
    Mark mark = new Mark.Address(address, after == EDGE || Character.isWhitespace(after));
    if (!web || !notation.shows(mark) || !kept(() -> say(address, enter(scope, mark)))) {
      say(address, scope);
    }
  }

  /** Takes what is laid out only if it fits into a part of its own. */
  private boolean kept(Runnable layout) {
    List<FlowPiece> before = flow;
    flow = new ArrayList<>();
    layout.run();
    List<FlowPiece> added = flow;
    flow = before;
    PartWriter writer = new PartWriter(notation, limit.unit(), MarkScope.NONE);
    for (FlowPiece piece : added) {
      switch (piece) {
        case FlowPiece.Gap gap -> writer.gap(gap);
        case FlowPiece.Text text ->
            writer.say(text.scope(), text.text(), 0, text.text().length(), text.text().length());
      }
      if (!Cutter.fits(writer, limit, limit.size())) {
        return false;
      }
    }
    return flow.addAll(added);
  }

  /** The scope with one more mark, or the same if that would leave too little room for text. */
  private MarkScope enter(MarkScope scope, Mark mark) {
    boolean solid =
        mark instanceof Mark.Link
            || mark instanceof Mark.Address
            || (mark instanceof Mark.Table && !notation.blocksStandApart());
    MarkScope bare = scope.with(mark, 0, 0, solid);
    TextLimit.Unit unit = limit.unit();
    int indent = unit.size(notation.prefix(bare, true, bare));
    int cost =
        indent
            + unit.size(notation.open(bare, bare))
            + unit.size(notation.close(bare))
            + (mark instanceof Mark.Inline ? 2 * unit.size(Notation.JOINER) : 0);
    long room = limit.visible() ? 4L * limit.size() : limit.size() / 2;
    MarkScope inner = scope.with(mark, cost, indent, solid);
    boolean roomy = solid || inner.cost() <= room;
    return roomy && inner.indent() <= limit.size() / 4 ? inner : scope;
  }
}
