package dev.postrider.channels.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Dialect;
import dev.postrider.channel.TextLimit;
import dev.postrider.message.Format;
import dev.postrider.testkit.internal.fuzz.Fuzzing;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Markdown that nobody would write, in every dialect: it is written, whatever it is. */
class DialectFuzzTest {
  private static final List<String> PIECES =
      List.of(
          "**",
          "*",
          "_",
          "__",
          "~~",
          "`",
          "```\n",
          "[",
          "](",
          ")",
          "![",
          "\n",
          "\n\n",
          "> ",
          "- ",
          "1. ",
          "    ",
          "\t",
          "# ",
          "|",
          "|---|\n",
          "<b>",
          "</a>",
          "&amp;",
          "&#0;",
          "\\",
          "http://",
          "www.x.y",
          "@ann",
          "<@1>",
          "{{",
          "::",
          "\u0000",
          "\u200D",
          "\uD83D",
          "word ",
          "längere ");

  @Test
  void any_text_is_written_in_every_dialect_in_parts_that_keep_within_the_limit() {
    List<String> names = Dialects.NAMED.keySet().stream().sorted().toList();
    Fuzzing.run(
        "Markdown",
        4_000,
        noise -> {
          StringBuilder text = new StringBuilder();
          for (int i = noise.below(60); i >= 0; i--) {
            text.append(noise.oneIn(6) ? noise.text() : noise.of(PIECES));
          }
          String source = noise.oneIn(2) ? text.toString() : noise.mutated(text.toString());
          Dialect dialect = Dialects.NAMED.get(noise.of(names));
          Format format = noise.of(List.of(Format.values()));
          int size = noise.of(List.of(20, 64, 300, 4096));
          List<Dialect.Written> parts =
              dialect.write(source, format, TextLimit.of(size, TextLimit.Unit.UTF16));
          for (Dialect.Written part : parts) {
            assertThat(part.text()).isNotBlank();
            if (format != Format.NATIVE) {
              assertThat(part.text().length()).as("%s", part).isLessThanOrEqualTo(size);
            }
          }
        });
  }
}
