package dev.postrider.channels.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Dialect.Written;
import dev.postrider.channel.TextLimit;
import dev.postrider.channels.text.reading.Platform;
import dev.postrider.message.Format;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A megabyte of what hurts: it is planned like any other text. How fast, the benchmark says. */
class LargeTextTest {
  private static final int SIZE = 1 << 20;

  static Stream<String> shapes() {
    return Stream.of(
            "Plain words *and* more. ",
            "- item\n  - nested **item**\n",
            "```java\nint a;\n```\n\n",
            "`a``",
            "[",
            "![a](",
            "*a _b ",
            "*a **b ",
            "<",
            "<!-- a",
            "> ",
            "- ",
            "|a|b|\n|-|-|\n||\n",
            "[a]: /b\n",
            "https://a.b/(",
            "👨‍👩‍👧‍👦",
            "e\u0301",
            "\u0301",
            "\\*",
            "a_",
            " \u00a0",
            "x")
        .map(shape -> shape.repeat(SIZE / shape.length()));
  }

  static Stream<String> wholes() {
    return Stream.of(
        "*a **b ".repeat(SIZE / 14) + "b** a*".repeat(SIZE / 14),
        "> ".repeat(100) + "a\n" + "b\n".repeat(SIZE / 2),
        "|a".repeat(SIZE / 8) + "|\n" + "|-".repeat(SIZE / 8) + "|\n" + "|x\n".repeat(SIZE / 6),
        "|" + "a".repeat(SIZE / 2) + "|b|\n|-|-|\n" + "|x|y|\n".repeat(SIZE / 12),
        "[a](https://b.c/" + "d".repeat(SIZE) + ")");
  }

  @ParameterizedTest
  @MethodSource({"shapes", "wholes"})
  void a_megabyte_is_planned(String text) {
    for (Platform platform : new Platform[] {Platform.TELEGRAM, Platform.MATTERMOST}) {
      for (Written part :
          platform
              .dialect()
              .write(text, Format.MARKDOWN, TextLimit.of(4000, TextLimit.Unit.UTF16))) {
        assertThat(part.text().length()).isLessThanOrEqualTo(4000);
      }
    }
  }
}
