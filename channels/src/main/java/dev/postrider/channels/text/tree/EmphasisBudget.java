package dev.postrider.channels.text.tree;

import java.util.Set;
import org.commonmark.node.Text;
import org.commonmark.parser.beta.InlineContentParser;
import org.commonmark.parser.beta.InlineContentParserFactory;
import org.commonmark.parser.beta.InlineParserState;
import org.commonmark.parser.beta.ParsedInline;

/**
 * Takes markers of emphasis as text after the thousandth of one paragraph. Pairing them takes the
 * parser time in the square of their number, and nobody means that many.
 */
final class EmphasisBudget implements InlineContentParserFactory {
  private static final int RUNS_PER_BLOCK = 1000;

  @Override
  public Set<Character> getTriggerCharacters() {
    return Set.of('*', '_', '~');
  }

  @Override
  public InlineContentParser create() {
    return new InlineContentParser() {
      private int runs;

      @Override
      public ParsedInline tryParse(InlineParserState state) {
        if (++runs <= RUNS_PER_BLOCK) {
          return ParsedInline.none();
        }
        var scanner = state.scanner();
        char marker = scanner.peek();
        int length = scanner.matchMultiple(marker);
        return ParsedInline.of(new Text(String.valueOf(marker).repeat(length)), scanner.position());
      }
    };
  }
}
