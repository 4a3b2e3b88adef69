package dev.postrider.reminder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.message.Format;
import dev.postrider.problem.InvalidInput;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.commonmark.ext.gfm.strikethrough.StrikethroughExtension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.HardLineBreak;
import org.commonmark.node.HtmlBlock;
import org.commonmark.node.HtmlInline;
import org.commonmark.node.Image;
import org.commonmark.node.IndentedCodeBlock;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.Text;
import org.commonmark.parser.Parser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TemplateTest {
  private static final long SEED = 20_261_120;

  private static final Parser JUDGE =
      Parser.builder()
          .extensions(List.of(TablesExtension.create(), StrikethroughExtension.create()))
          .build();

  private static String fill(String text, Format format, String value) {
    return Template.parse("text", text, format).fill(Map.of("x", value));
  }

  private static String markdown(String text, String value) {
    return fill(text, Format.MARKDOWN, value);
  }

  @Test
  void values_take_the_place_of_their_names() {
    Template template =
        Template.parse("text", "Hello {{ name }}, {{name}}: {{order.id}}", Format.PLAIN);
    assertThat(template.names()).containsExactly("name", "order.id");
    assertThat(template.fill(Map.of("name", "Ann", "order.id", "77", "other", "!")))
        .isEqualTo("Hello Ann, Ann: 77");
    assertThat(template.source()).isEqualTo("Hello {{ name }}, {{name}}: {{order.id}}");
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "{{x}}, v",
        "a{{x}}b{{x}}c, avbvc",
        "\\{{x}}, {{x}}",
        "\\\\{{x}}, \\v",
        "\\\\\\{{x}}, \\{{x}}",
        "a\\b{{x}}, a\\bv",
        "}} { {{x}} {, }} { v {",
        "no value, no value"
      })
  void braces_can_be_written_with_a_backslash_before_them(String text, String filled) {
    assertThat(fill(text, Format.PLAIN, "v")).isEqualTo(filled);
  }

  @Test
  void a_value_is_not_read_as_a_template() {
    assertThat(fill("{{x}}", Format.PLAIN, "{{x}} \\{{")).isEqualTo("{{x}} \\{{");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Hello {{name     | has {{ at position 6 and no }} after it; close it, or write \\{{",
        "{{first name}}   | {{first name}} is no name; use letters, digits, _, - and . only",
        "{{}}             | {{}} is no name",
        "{{{x}}}          | {{{x}} is no name"
      })
  void braces_that_make_no_sense_are_refused_with_the_remedy(String text, String problem) {
    assertThatThrownBy(() -> Template.parse("messages[0].text", text, Format.PLAIN))
        .isInstanceOf(InvalidInput.class)
        .hasMessageStartingWith("messages[0].text: " + problem);
  }

  @Test
  void a_missing_value_is_not_passed_over() {
    assertThatThrownBy(() -> Template.parse("text", "{{x}}", Format.PLAIN).fill(Map.of()))
        .hasMessage("there is no value for {{x}}");
  }

  @Test
  void in_plain_text_and_in_the_platforms_own_markup_a_value_is_put_in_as_it_is() {
    String value = "*a* <b> [c](d) & `e`";
    assertThat(fill("{{x}}!", Format.PLAIN, value)).isEqualTo(value + "!");
    assertThat(fill("<b>{{x}}</b>", Format.NATIVE, value)).isEqualTo("<b>" + value + "</b>");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Team A",
        "order 77-12, 3.50 EUR!",
        "https://example.org/pay?id=7",
        "ann@example.org",
        "-1001 is in the middle: no"
      })
  void ordinary_values_stay_readable_in_markdown(String value) {
    assertThat(markdown("Hello {{x}}", value)).isEqualTo("Hello " + value);
  }

  @ParameterizedTest
  @CsvSource({
    "Hello {{x}},             *a*,        Hello \\*a\\*",
    "{{x}},                   - a,        \\- a",
    "> {{x}},                 # a,        > \\# a",
    "{{x}},                   1. a,       1\\. a",
    "{{x}},                   a & b,      a &amp; b",
    "`{{x}}`,                 a_b*c,      `a_b*c`",
    "`{{x}}`,                 a`b,        `a'b`",
    "<{{x}}>,                 https://e.org/a_b, <https://e.org/a_b>",
    "<{{x}}>,                 a_b,        <a\\_b>",
    "<https://e.org/{{x}}>,   a_b c,      <https://e.org/a_b%20c>",
    "[pay](https://e.org/{{x}}), a b,     [pay](https://e.org/a%20b)",
    "[pay]({{x}}),            a_(b),      [pay](a\\_\\(b\\))"
  })
  void what_could_act_in_markdown_is_escaped_where_it_could(
      String text, String value, String filled) {
    assertThat(markdown(text, value)).isEqualTo(filled);
  }

  /** Texts that people write, each with one value in another kind of place. */
  private static final List<String> TEXTS =
      List.of(
          "{{x}}",
          "Hello {{x}}, welcome",
          "**{{x}}**",
          "a *b {{x}} c* d",
          "# {{x}}",
          "# News for {{x}} #",
          "{{x}}\n===",
          "> {{x}}",
          "> a\n> {{x}} b",
          "- {{x}}\n- b",
          "1. {{x}}\n2. b",
          "- [ ] {{x}}",
          "a\n{{x}}\nb",
          "a\n\n{{x}}\n\nb",
          "[{{x}}](https://e.org)",
          "[a](https://e.org \"{{x}}\")",
          "[a]{{x}}",
          "![a]({{x}})",
          "`{{x}}`",
          "`` a `{{x}} ``",
          "a `b {{x}}",
          "```\n{{x}}\n```",
          "~~~\na {{x}}\n~~~",
          "> ```\n> {{x}}\n> ```",
          "    {{x}}",
          "a <b {{x}} c",
          "~~{{x}}~~",
          "| a | b |\n|---|---|\n| {{x}} | `{{x}}` |",
          "{{x}}{{x}}",
          "1{{x}}",
          "a\\\\{{x}}",
          "{{x}}[a](b)",
          "a_{{x}}_b");

  private static String random(Random random) {
    List<String> atoms =
        List.of(
            "a",
            "B",
            "1",
            "12",
            " ",
            " ",
            "  ",
            "\n",
            "\n\n",
            "*",
            "**",
            "_",
            "`",
            "```",
            "~~~",
            "~~",
            "#",
            "# ",
            "-",
            "- ",
            "---",
            "+ ",
            "=",
            "===",
            ".",
            ". ",
            ")",
            "(",
            "[",
            "]",
            "](",
            "![",
            "<",
            ">",
            "<b>",
            "<!--",
            "&",
            "&amp;",
            "&#42;",
            ";",
            "|",
            "|---|",
            ":",
            ":-:",
            "\\",
            "\\\\",
            "\"",
            "'",
            "!",
            "{{",
            "}}",
            "https://e.org/a_b",
            "\t",
            "    ",
            "é",
            "😀");
    String value =
        random
            .ints(random.nextInt(1, 9), 0, atoms.size())
            .mapToObj(atoms::get)
            .collect(Collectors.joining());
    return value.isBlank() ? "v" : value.strip();
  }

  @Test
  void a_value_of_one_line_arrives_in_markdown_as_the_text_it_is_and_changes_nothing_around_it() {
    Random random = new Random(SEED);
    for (String text : TEXTS) {
      for (int i = 0; i < 1000; i++) {
        String value = random(random).replaceAll("\\s+", " ");
        String expected = outline(markdown(text, MARK));
        assertThat(outline(markdown(text, value)))
            .as("seed %d: '%s' with '%s'", SEED, text, value)
            .isEqualTo(withValue(expected, value));
      }
    }
  }

  @Test
  void a_value_of_several_lines_keeps_its_words_and_gains_no_markup() {
    Random random = new Random(SEED);
    for (String text : TEXTS) {
      for (int i = 0; i < 1000; i++) {
        String value = random(random);
        String expected = withValue(outline(markdown(text, MARK)), value);
        assertThat(withoutLines(outline(markdown(text, value))))
            .as("seed %d: '%s' with '%s'", SEED, text, value)
            .isEqualTo(withoutLines(expected));
      }
    }
  }

  private static final String MARK = "QzQ";

  private static String withValue(String outline, String value) {
    String inCode = value.replace('`', '\'').replace("~~~", "---");
    StringBuilder text = new StringBuilder();
    for (String part : outline.split("(?=<Code>|<FencedCodeBlock>|<IndentedCodeBlock>)|(?<=</>)")) {
      text.append(part.replace(MARK, part.contains("Code") ? inCode : value));
    }
    return text.toString();
  }

  private static String withoutLines(String outline) {
    return outline.replaceAll("</><Paragraph>|\\s+", " ").replaceAll(" +", " ");
  }

  /** The tree as a line of text: what is marked up how, and what it says. */
  private static String outline(String markdown) {
    Outline outline = new Outline();
    JUDGE.parse(markdown).accept(outline);
    return outline.text.toString();
  }

  private static final class Outline extends AbstractVisitor {
    private final StringBuilder text = new StringBuilder();

    @Override
    protected void visitChildren(Node node) {
      switch (node) {
        case Text it -> text.append(it.getLiteral());
        case HtmlInline it -> text.append(it.getLiteral());
        case SoftLineBreak _, HardLineBreak _ -> text.append("\n");
        case Code it -> leaf(node, it.getLiteral());
        case FencedCodeBlock it -> leaf(node, it.getLiteral());
        case IndentedCodeBlock it -> leaf(node, it.getLiteral());
        case HtmlBlock it -> leaf(node, it.getLiteral());
        case Link it -> branch(node, address(it.getDestination()) + " " + it.getTitle() + " ");
        case Image it -> branch(node, address(it.getDestination()) + " " + it.getTitle() + " ");
        default -> branch(node, "");
      }
    }

    private static String address(String destination) {
      return destination.replace("%20", " ");
    }

    private void leaf(Node node, String literal) {
      text.append("<" + node.getClass().getSimpleName() + ">" + literal + "</>");
    }

    private void branch(Node node, String about) {
      text.append("<" + node.getClass().getSimpleName() + ">" + about);
      super.visitChildren(node);
      text.append("</>");
    }
  }
}
