package dev.postrider.channels.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Dialect;
import dev.postrider.channel.Dialect.Written;
import dev.postrider.channel.TextLimit;
import dev.postrider.channel.TextLimit.Unit;
import dev.postrider.channels.text.reading.HtmlReader;
import dev.postrider.config.Split;
import dev.postrider.message.Format;
import java.util.List;
import org.junit.jupiter.api.Test;

class CuttingTest {

  private static List<Written> write(Dialect dialect, String text, TextLimit limit) {
    return dialect.write(text, Format.MARKDOWN, limit);
  }

  private static List<String> texts(Dialect dialect, String text, TextLimit limit) {
    return write(dialect, text, limit).stream().map(Written::text).toList();
  }

  private static TextLimit utf16(int size) {
    return TextLimit.of(size, Unit.UTF16);
  }

  @Test
  void the_lines_that_close_and_reopen_a_fence_count_against_the_limit() {
    String code = "```java\n" + "int number = 12345678;\n".repeat(300) + "```";
    List<String> parts = texts(Dialects.DISCORD, code, utf16(2000));
    assertThat(parts).hasSize(4);
    for (String part : parts) {
      assertThat(part.length()).isLessThanOrEqualTo(2000);
      assertThat(part).startsWith("```java\n").endsWith("\n```");
    }
  }

  @Test
  void the_plain_text_of_each_part_begins_and_ends_where_the_part_does() {
    String text =
        "See **[the notes](https://example.org/notes?a=1&b=2)** of release <2.4>. ".repeat(40);
    for (Written part : write(Dialects.TELEGRAM_HTML, text, TextLimit.ofVisible(400, Unit.UTF16))) {
      String seen = HtmlReader.read(part.text(), HtmlReader.TELEGRAM);
      assertThat(part.plain().replaceAll(" \\(https://example.org/notes\\?a=1&b=2\\)", ""))
          .isEqualTo(seen);
      assertThat(part.plain().length()).isLessThanOrEqualTo(400);
    }
  }

  @Test
  void rows_below_a_header_without_cells_are_kept_as_typed() {
    for (Dialect dialect : List.of(Dialects.PLAIN, Dialects.DISCORD, Dialects.MATTERMOST)) {
      assertThat(String.join("", texts(dialect, "|\n|---|\n|a|b|", utf16(100))))
          .contains("a")
          .contains("b");
    }
  }

  @Test
  void a_link_is_never_cut_while_it_fits_into_a_part() {
    String text =
        "word ".repeat(12) + "[a link of some words](https://example.org/" + "x".repeat(60) + ")";
    assertThat(texts(Dialects.SLACK, text, utf16(110)))
        .last()
        .isEqualTo("<https://example.org/" + "x".repeat(60) + "|a link of some words>");
  }

  @Test
  void a_link_too_long_for_a_part_becomes_text_and_address() {
    String target = "https://example.org/" + "x".repeat(200);
    assertThat(String.join("", texts(Dialects.SLACK, "[here](" + target + ")", utf16(100))))
        .isEqualTo("here (" + target + ")");
  }

  @Test
  void a_bare_address_is_cut_only_if_it_is_too_long_for_a_part() {
    String address = "https://example.org/" + "x".repeat(60);
    assertThat(texts(Dialects.PLAIN, "look at the page " + address, utf16(90)))
        .containsExactly("look at the page", address);
    assertThat(texts(Dialects.PLAIN, address, utf16(50)))
        .containsExactly(address.substring(0, 50), address.substring(50));
  }

  @Test
  void a_part_has_no_more_marks_than_the_platform_shows() {
    String text = "**word** and `code` here.\n\n".repeat(80);
    List<Written> parts =
        write(Dialects.TELEGRAM_HTML, text, TextLimit.ofVisible(4096, Unit.UTF16));

    assertThat(parts).hasSize(2);
    assertThat(parts)
        .allSatisfy(
            part -> {
              assertThat(part.text().split("<(b|code)>", -1)).hasSizeLessThanOrEqualTo(101);
              assertThat(part.text()).startsWith("<b>word</b>").endsWith("here.");
            });
    assertThat(texts(Dialects.MATRIX, text, TextLimit.ofVisible(4096, Unit.UTF16))).hasSize(1);
  }

  @Test
  void a_better_break_wins_in_the_second_half_of_a_part() {
    String text = "One two three.\n\nFour five six seven. Eight nine ten eleven twelve.";
    assertThat(texts(Dialects.PLAIN, text, utf16(25)))
        .containsExactly(
            "One two three.", "Four five six seven.", "Eight nine ten eleven", "twelve.");
  }

  @Test
  void marks_are_closed_and_opened_again_around_a_cut() {
    assertThat(texts(Dialects.DISCORD, "**strong *both words here***", utf16(22)))
        .allSatisfy(part -> assertThat(part).startsWith("**").endsWith("**"));
    assertThat(
            texts(
                Dialects.MATRIX,
                "3. one and more words\n4. two and more words",
                TextLimit.of(60, Unit.UTF16)))
        .containsExactly(
            "<ol start=\"3\"><li>one and more words</li></ol>",
            "<ol start=\"4\"><li>two and more words</li></ol>");
  }

  @Test
  void characters_that_readers_see_as_one_stay_whole() {
    String family = "👨‍👩‍👧‍👦";
    assertThat(texts(Dialects.PLAIN, family.repeat(5), utf16(25)))
        .containsExactly(family.repeat(2), family.repeat(2), family);
    assertThat(texts(Dialects.PLAIN, "🇩🇪".repeat(4), TextLimit.of(3, Unit.CODE_POINTS)))
        .containsExactly("🇩🇪", "🇩🇪", "🇩🇪", "🇩🇪");
    assertThat(texts(Dialects.PLAIN, "e\u0301".repeat(4), utf16(3)))
        .containsExactly("e\u0301", "e\u0301", "e\u0301", "e\u0301");
  }

  @Test
  void a_character_longer_than_the_limit_is_cut_all_the_same() {
    assertThat(texts(Dialects.PLAIN, "a" + "\u0301".repeat(100), utf16(20)))
        .allSatisfy(part -> assertThat(part.length()).isLessThanOrEqualTo(20));
  }

  @Test
  void an_escape_is_never_cut_from_what_it_escapes() {
    for (String part : texts(Dialects.DISCORD, "\\*".repeat(100), utf16(21))) {
      assertThat(part).matches("(\\\\\\*)+");
    }
    for (String part : texts(Dialects.SLACK, "&".repeat(100), utf16(21))) {
      assertThat(part).matches("(&amp;)+");
    }
  }

  @Test
  void paragraphs_or_lines_can_be_parts_of_their_own() {
    String text = "# Title\n\nfirst\nlines\n\n- a\n- b\n\n```\nx\ny\n```";
    assertThat(texts(Dialects.PLAIN, text, utf16(100).withSplit(Split.PARAGRAPH)))
        .containsExactly("Title\n\nfirst\nlines", "- a\n- b", "x\ny");
    assertThat(texts(Dialects.PLAIN, text, utf16(100).withSplit(Split.NEWLINE)))
        .containsExactly("Title", "first", "lines", "- a", "- b", "x\ny");
  }

  @Test
  void every_line_on_irc_is_a_part_without_control_characters() {
    List<Written> parts =
        Dialects.IRC.write("a\r\n\r\nb\u0000c\u0001\td\re", Format.PLAIN, utf16(100));
    assertThat(parts).extracting(Written::text).containsExactly("a", "bc d", "e");
  }

  @Test
  void a_text_that_says_nothing_gives_no_parts() {
    for (String nothing :
        List.of("", " \n\t\n", "\u200b", "&nbsp;", "```\n\n```", "- ", "[x]: y")) {
      assertThat(write(Dialects.TELEGRAM_HTML, nothing, utf16(100))).as(nothing).isEmpty();
    }
    assertThat(Dialects.SLACK.write(" \n ", Format.PLAIN, utf16(9))).isEmpty();
    assertThat(Dialects.SLACK.write(" ", Format.NATIVE, utf16(9))).isEmpty();
  }

  @Test
  void plain_text_that_fits_is_passed_on_unchanged_where_markup_can_be_off() {
    String typed = "\n  * a <b> \\* \r\n\n\n> c  ";
    for (Dialect dialect :
        List.of(
            Dialects.TELEGRAM_HTML,
            Dialects.MATRIX,
            Dialects.EMAIL,
            Dialects.SIGNAL,
            Dialects.PLAIN)) {
      assertThat(dialect.write(typed, Format.PLAIN, utf16(100)))
          .containsExactly(Written.plain(typed));
    }
  }

  @Test
  void native_markup_is_one_part_whatever_the_limit() {
    assertThat(Dialects.SLACK.write("*a* <b|c>", Format.NATIVE, utf16(3)))
        .containsExactly(new Written("*a* <b|c>", "*a* <b|c>", List.of()));
  }

  @Test
  void a_text_without_marks_is_a_plain_part() {
    for (Dialect dialect :
        List.of(Dialects.TELEGRAM_HTML, Dialects.MATRIX, Dialects.SLACK, Dialects.DISCORD)) {
      assertThat(write(dialect, "Just words.\n\nMore words.", utf16(100)))
          .containsExactly(Written.plain("Just words.\n\nMore words."));
    }
  }
}
