package dev.postrider.channels.text.reading;

import java.util.ArrayList;
import java.util.List;
import org.commonmark.ext.gfm.strikethrough.StrikethroughExtension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.HardLineBreak;
import org.commonmark.node.HtmlBlock;
import org.commonmark.node.HtmlInline;
import org.commonmark.node.IndentedCodeBlock;
import org.commonmark.node.Node;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.Text;
import org.commonmark.parser.Parser;

/** What a text says by the rules of CommonMark itself. */
public final class MarkdownReader {
  public static final Parser WITH_TABLES =
      Parser.builder()
          .extensions(List.of(TablesExtension.create(), StrikethroughExtension.create()))
          .maxOpenBlockParsers(20)
          .build();
  public static final Parser WITHOUT_TABLES =
      Parser.builder().extensions(List.of(StrikethroughExtension.create())).build();

  private MarkdownReader() {}

  public static String read(String markdown, Parser parser) {
    return String.join("", literals(parser.parse(markdown)));
  }

  /** All that is text or code, in order. */
  public static List<String> literals(Node document) {
    List<String> literals = new ArrayList<>();
    document.accept(
        new AbstractVisitor() {
          @Override
          public void visit(Text text) {
            literals.add(text.getLiteral());
          }

          @Override
          public void visit(Code code) {
            literals.add(code.getLiteral());
          }

          @Override
          public void visit(FencedCodeBlock code) {
            literals.add(code.getLiteral());
          }

          @Override
          public void visit(IndentedCodeBlock code) {
            literals.add(code.getLiteral());
          }

          @Override
          public void visit(HtmlInline html) {
            literals.add(html.getLiteral());
          }

          @Override
          public void visit(HtmlBlock html) {
            literals.add(html.getLiteral());
          }

          @Override
          public void visit(SoftLineBreak lineBreak) {
            literals.add("\n");
          }

          @Override
          public void visit(HardLineBreak lineBreak) {
            literals.add("\n");
          }
        });
    return literals;
  }
}
