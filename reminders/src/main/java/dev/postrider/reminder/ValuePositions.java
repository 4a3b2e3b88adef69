package dev.postrider.reminder;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.commonmark.ext.gfm.tables.TableCell;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.CustomNode;
import org.commonmark.node.Document;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.Heading;
import org.commonmark.node.Image;
import org.commonmark.node.IndentedCodeBlock;
import org.commonmark.node.Link;
import org.commonmark.node.Text;
import org.commonmark.parser.Parser;

/**
 * Finds the {@link ValuePosition} of every value in a Markdown text: the text is read once, with a
 * mark for each value, and each mark is looked up in the tree. A mark that is not found in a text,
 * in code or in an address stands in a title or the like.
 */
final class ValuePositions extends AbstractVisitor {
  private static final char MARK = '\uE000';
  private static final char END_OF_MARK = '\uE001';
  private static final Pattern MARKED = Pattern.compile(MARK + "(\\d+)" + END_OF_MARK);

  /** Bounded, so that the tree may be walked by recursion. */
  private static final Parser PARSER =
      Parser.builder()
          .extensions(List.of(TablesExtension.create()))
          .maxOpenBlockParsers(20)
          .maxInlineNesting(12)
          .build();

  private final ValuePosition[] places;
  private ValuePosition text = ValuePosition.TEXT;
  private ValuePosition code = ValuePosition.CODE;

  private ValuePositions(int values) {
    places = new ValuePosition[values];
    Arrays.fill(places, ValuePosition.LINE);
  }

  /** The places of the values between stretches of text. */
  static List<ValuePosition> between(List<String> literals) {
    StringBuilder marked = new StringBuilder();
    for (int i = 0; i < literals.size(); i++) {
      if (i > 0) {
        marked.append(MARK).append(i - 1).append(END_OF_MARK);
      }
      marked.append(literals.get(i).replace(MARK, ' '));
    }
    ValuePositions places = new ValuePositions(literals.size() - 1);
    PARSER.parse(marked.toString()).accept(places);
    return List.of(places.places);
  }

  @Override
  public void visit(Text node) {
    found(node.getLiteral(), text);
  }

  @Override
  public void visit(Code node) {
    found(node.getLiteral(), code);
  }

  /** In a quote or a list every further line would need its marks before it. */
  @Override
  public void visit(FencedCodeBlock block) {
    boolean free = block.getParent() instanceof Document;
    found(block.getLiteral(), free ? ValuePosition.CODE_BLOCK : ValuePosition.CODE);
  }

  @Override
  public void visit(IndentedCodeBlock block) {
    found(block.getLiteral(), ValuePosition.CODE);
  }

  @Override
  public void visit(Link link) {
    boolean bare =
        link.getFirstChild() instanceof Text shown
            && shown.getLiteral().equals(link.getDestination());
    if (bare) {
      found(link.getDestination(), ValuePosition.BARE_ADDRESS);
    } else {
      found(link.getDestination(), ValuePosition.ADDRESS);
      super.visit(link);
    }
  }

  @Override
  public void visit(Image image) {
    found(image.getDestination(), ValuePosition.ADDRESS);
    super.visit(image);
  }

  @Override
  public void visit(Heading heading) {
    text = ValuePosition.LINE;
    super.visit(heading);
    text = ValuePosition.TEXT;
  }

  @Override
  public void visit(CustomNode node) {
    if (node instanceof TableCell) {
      text = ValuePosition.LINE;
      code = ValuePosition.CODE_IN_CELL;
    }
    super.visit(node);
    text = ValuePosition.TEXT;
    code = ValuePosition.CODE;
  }

  private void found(String literal, ValuePosition place) {
    Matcher matcher = MARKED.matcher(literal);
    while (matcher.find()) {
      places[Integer.parseInt(matcher.group(1))] = place;
    }
  }
}
