package dev.postrider.channels.text.tree;

import java.util.ArrayList;
import java.util.List;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.strikethrough.Strikethrough;
import org.commonmark.ext.gfm.strikethrough.StrikethroughExtension;
import org.commonmark.ext.gfm.tables.TableBlock;
import org.commonmark.ext.gfm.tables.TableBody;
import org.commonmark.ext.gfm.tables.TableCell;
import org.commonmark.ext.gfm.tables.TableHead;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.BlockQuote;
import org.commonmark.node.Code;
import org.commonmark.node.Emphasis;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.HardLineBreak;
import org.commonmark.node.Heading;
import org.commonmark.node.HtmlBlock;
import org.commonmark.node.HtmlInline;
import org.commonmark.node.Image;
import org.commonmark.node.IndentedCodeBlock;
import org.commonmark.node.Link;
import org.commonmark.node.LinkReferenceDefinition;
import org.commonmark.node.ListBlock;
import org.commonmark.node.Node;
import org.commonmark.node.OrderedList;
import org.commonmark.node.Paragraph;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.StrongEmphasis;
import org.commonmark.node.Text;
import org.commonmark.node.ThematicBreak;
import org.commonmark.parser.Parser;
import org.jspecify.annotations.Nullable;

/**
 * Reads CommonMark with GitHub's tables, strikethrough and task lists. Raw HTML is text, as typed.
 *
 * <p>Nesting is bounded on both axes, so that the tree may be walked by recursion; what is nested
 * deeper arrives as text.
 */
public final class Markdown {
  private static final int OPEN_BLOCKS = 20;
  private static final int INLINE_DEPTH = 12;

  private static final Parser WITHOUT_TABLES = parser(StrikethroughExtension.create());
  private static final Parser WITH_TABLES =
      parser(
          StrikethroughExtension.create(),
          // beyond this the extension throws; the budget is checked before
          TablesExtension.builder().maxCells(Integer.MAX_VALUE).build());

  private Markdown() {}

  private static Parser parser(Extension... extensions) {
    return Parser.builder()
        .extensions(List.of(extensions))
        .customInlineContentParserFactory(new EmphasisBudget())
        .maxOpenBlockParsers(OPEN_BLOCKS)
        .maxInlineNesting(INLINE_DEPTH)
        .build();
  }

  public static List<Block> read(String text) {
    if (TableBudget.covers(text)) {
      Node document = WITH_TABLES.parse(text);
      if (!losesRows(document)) {
        return blocks(document);
      }
    }
    return blocks(WITHOUT_TABLES.parse(text));
  }

  /** Whether a table has a header without cells: the parser then drops the cells of all rows. */
  private static boolean losesRows(Node parent) {
    for (Node node = parent.getFirstChild(); node != null; node = node.getNext()) {
      if (node instanceof TableBlock
          ? node.getFirstChild().getFirstChild().getFirstChild() == null
          : node instanceof org.commonmark.node.Block && losesRows(node)) {
        return true;
      }
    }
    return false;
  }

  private static List<Block> blocks(Node parent) {
    List<Block> blocks = new ArrayList<>();
    for (Node node = parent.getFirstChild(); node != null; node = node.getNext()) {
      Block block = block(node);
      if (block != null) {
        blocks.add(block);
      }
    }
    return blocks;
  }

  private static @Nullable Block block(Node node) {
    return switch (node) {
      case Paragraph _ -> new Block.Paragraph(inlines(node));
      case Heading heading -> new Block.Heading(heading.getLevel(), inlines(node));
      case FencedCodeBlock code ->
          new Block.Code(language(code.getInfo()), lines(code.getLiteral()));
      case IndentedCodeBlock code -> new Block.Code("", lines(code.getLiteral()));
      case HtmlBlock html -> new Block.Paragraph(asTyped(html.getLiteral()));
      case BlockQuote _ -> new Block.Quote(blocks(node));
      case ListBlock list -> listing(list);
      case TableBlock _ -> table(node);
      case ThematicBreak _ -> new Block.Rule();
      case LinkReferenceDefinition _ -> null;
      default -> new Block.Paragraph(inlines(node));
    };
  }

  private static Block listing(ListBlock list) {
    Integer start =
        list instanceof OrderedList ordered ? ordered.getMarkerStartNumber() : (Integer) null;
    List<Block.Item> items = new ArrayList<>();
    for (Node item = list.getFirstChild(); item != null; item = item.getNext()) {
      items.add(new Block.Item(takeTask(item), blocks(item)));
    }
    return new Block.Listing(start, list.isTight(), items);
  }

  /** Reads and removes the box at the start of an item. */
  private static @Nullable Boolean takeTask(Node item) {
    if (item.getFirstChild() instanceof Paragraph paragraph
        && paragraph.getFirstChild() instanceof Text text
        && text.getLiteral().matches("(?s)\\[[ xX]]\\s.*")) {
      boolean done = text.getLiteral().charAt(1) != ' ';
      text.setLiteral(text.getLiteral().substring(3).stripLeading());
      return done;
    }
    return null;
  }

  private static Block table(Node table) {
    List<Block.Align> columns = new ArrayList<>();
    List<List<Inline>> header = List.of();
    List<List<List<Inline>>> rows = new ArrayList<>();
    for (Node part = table.getFirstChild(); part != null; part = part.getNext()) {
      for (Node row = part.getFirstChild(); row != null; row = row.getNext()) {
        List<List<Inline>> cells = new ArrayList<>();
        for (Node cell = row.getFirstChild(); cell != null; cell = cell.getNext()) {
          cells.add(inlines(cell));
          if (part instanceof TableHead) {
            columns.add(align(((TableCell) cell).getAlignment()));
          }
        }
        if (part instanceof TableBody) {
          rows.add(cells);
        } else {
          header = cells;
        }
      }
    }
    return new Block.Table(columns, header, rows);
  }

  private static Block.Align align(TableCell.@Nullable Alignment alignment) {
    return switch (alignment) {
      case null -> Block.Align.NONE;
      case LEFT -> Block.Align.LEFT;
      case CENTER -> Block.Align.CENTER;
      case RIGHT -> Block.Align.RIGHT;
    };
  }

  private static List<Inline> inlines(Node parent) {
    List<Inline> inlines = new ArrayList<>();
    StringBuilder text = new StringBuilder();
    for (Node node = parent.getFirstChild(); node != null; node = node.getNext()) {
      switch (node) {
        case Text literal -> text.append(literal.getLiteral());
        case HtmlInline html -> text.append(html.getLiteral());
        default -> {
          flush(text, inlines);
          inlines.add(inline(node));
        }
      }
    }
    flush(text, inlines);
    return inlines;
  }

  private static void flush(StringBuilder text, List<Inline> inlines) {
    inlines.addAll(Addresses.split(text.toString().replace('\n', ' ')));
    text.setLength(0);
  }

  private static Inline inline(Node node) {
    return switch (node) {
      case StrongEmphasis _ -> new Inline.Strong(inlines(node));
      case Emphasis _ -> new Inline.Emphasis(inlines(node));
      case Strikethrough _ -> new Inline.Strike(inlines(node));
      case Code code -> new Inline.Code(code.getLiteral());
      case Link link -> new Inline.Link(link.getDestination(), unlinked(inlines(node)));
      case Image image -> new Inline.Link(image.getDestination(), unlinked(inlines(node)));
      case SoftLineBreak _, HardLineBreak _ -> new Inline.Break();
      default -> new Inline.Text("");
    };
  }

  /** A link holds no links: an image or a bare address in its text is text. */
  private static List<Inline> unlinked(List<Inline> content) {
    List<Inline> plain = new ArrayList<>();
    for (Inline inline : content) {
      switch (inline) {
        case Inline.Link link -> plain.addAll(link.content());
        case Inline.Strong strong -> plain.add(new Inline.Strong(unlinked(strong.content())));
        case Inline.Emphasis it -> plain.add(new Inline.Emphasis(unlinked(it.content())));
        case Inline.Strike strike -> plain.add(new Inline.Strike(unlinked(strike.content())));
        case Inline.Text _, Inline.Code _, Inline.Break _ -> plain.add(inline);
      }
    }
    return plain;
  }

  private static List<Inline> asTyped(String literal) {
    List<Inline> inlines = new ArrayList<>();
    for (String line : literal.split("\n", -1)) {
      if (!inlines.isEmpty()) {
        inlines.add(new Inline.Break());
      }
      inlines.addAll(Addresses.split(line));
    }
    return inlines;
  }

  private static String language(@Nullable String info) {
    String word = info == null ? "" : info.strip().split("\\s", 2)[0];
    return word.matches("[\\w.+#-]{1,30}") ? word : "";
  }

  private static String lines(String literal) {
    return literal.endsWith("\n") ? literal.substring(0, literal.length() - 1) : literal;
  }
}
