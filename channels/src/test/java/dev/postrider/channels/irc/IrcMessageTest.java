package dev.postrider.channels.irc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class IrcMessageTest {

  @Test
  void a_line_is_read_with_its_tags_source_and_parameters() {
    assertThat(IrcMessage.parse("@a=b\\:c\\sd\\\\e;+x;time=1 :n!u@h PRIVMSG  #c  :hi  there "))
        .isEqualTo(
            new IrcMessage(
                Map.of("a", "b;c d\\e", "+x", "", "time", "1"),
                "n!u@h",
                "PRIVMSG",
                List.of("#c", "hi  there ")));
    assertThat(IrcMessage.parse("PING :"))
        .isEqualTo(new IrcMessage(Map.of(), "", "PING", List.of("")));
    for (String none : List.of("", " ", ":only.a.source", "@only=tags")) {
      assertThat(IrcMessage.parse(none)).as(none).isNull();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\rb", "a\nQUIT", "a\0b", "\r\n"})
  void nothing_that_is_said_begins_another_line(String text) {
    assertThatThrownBy(() -> IrcMessage.saying("PRIVMSG", "#c", text))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> IrcMessage.saying("PRIVMSG", "#c" + text, "x"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> IrcMessage.line("NICK", text))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(IrcMessage.tagged(Map.of("t", text.replace("\0", "")), "PING x"))
        .doesNotContain("\r")
        .doesNotContain("\n");
    assertThatThrownBy(() -> IrcMessage.tagged(Map.of("t", "\0"), "PING x"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void only_the_last_parameter_may_be_more_than_a_word() {
    assertThat(IrcMessage.line("KICK", "#c", "ann", "good bye")).isEqualTo("KICK #c ann :good bye");
    assertThat(IrcMessage.line("PING", ":x")).isEqualTo("PING ::x");
    for (String first : List.of("", "a b", ":a")) {
      assertThatThrownBy(() -> IrcMessage.line("JOIN", first, "key"))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @ParameterizedTest
  @CsvSource({"aaaa bbbb cccc, 10", "äöüäöü€€€€, 7", "😀😀😀, 5", "x, 1"})
  void a_text_is_cut_by_bytes_and_never_within_a_character(String text, int room) {
    List<String> pieces = IrcLines.cut(text, room);
    assertThat(String.join("", pieces)).isEqualTo(text);
    assertThat(pieces)
        .allSatisfy(
            piece -> {
              byte[] bytes = piece.getBytes(StandardCharsets.UTF_8);
              assertThat(bytes.length).isBetween(1, room);
              assertThat(new String(bytes, StandardCharsets.UTF_8)).isEqualTo(piece);
            });
  }

  @Test
  void a_text_is_cut_after_a_space_if_there_is_one() {
    assertThat(IrcLines.cut("aaaa bbbb cccc", 10)).containsExactly("aaaa bbbb ", "cccc");
    assertThat(IrcLines.cut("a bbbbbbbbbbbbbb", 10)).containsExactly("a bbbbbbbb", "bbbbbb");
  }

  @Test
  void letters_are_the_same_as_the_server_says() {
    assertThat(CaseMapping.ASCII.fold("#A[1]~\\Ä")).isEqualTo("#a[1]~\\Ä");
    assertThat(CaseMapping.RFC1459.fold("#A[1]~\\Ä")).isEqualTo("#a{1}^|Ä");
    assertThat(CaseMapping.named("rfc1459-strict").fold("[]\\~")).isEqualTo("{}|~");
    assertThat(CaseMapping.named("precis")).isEqualTo(CaseMapping.ASCII);
  }
}
