package dev.postrider.channels.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Dialect.Written;
import dev.postrider.channel.TextLimit;
import dev.postrider.channels.text.reading.MarkdownReader;
import dev.postrider.channels.text.reading.Platform;
import dev.postrider.config.Split;
import dev.postrider.message.Format;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What holds for every text, limit and dialect. {@code -Dtext.seed=S} reads one document again. */
class DialectPropertiesTest {
  private static final int DOCUMENTS = Integer.getInteger("text.documents", 60);
  private static final int[] SIZES = {20, 64, 300, 2000, 4096};

  private record Case(Platform platform, long seed, String source, Format format, TextLimit limit) {
    List<Written> parts() {
      return platform.dialect().write(source, format, limit);
    }

    String seen() {
      return parts().stream().map(platform::seen).collect(Collectors.joining("\n"));
    }

    @Override
    public String toString() {
      return "%s, seed %d, %s, %s of:%n%s".formatted(platform, seed, format, limit, source);
    }
  }

  private interface Property {
    void holds(Case it);
  }

  private static void check(Platform platform, boolean simple, Format format, Property property) {
    Long only = Long.getLong("text.seed");
    for (long seed = only == null ? 0 : only;
        seed < (only == null ? DOCUMENTS : only + 1);
        seed++) {
      String source = simple ? Documents.simple(seed) : Documents.any(seed);
      for (int size : SIZES) {
        property.holds(new Case(platform, seed, source, format, limit(platform, size, seed)));
      }
    }
  }

  private static TextLimit limit(Platform platform, int size, long seed) {
    Random random = new Random(seed * 31 + size);
    boolean visible =
        switch (platform) {
          case TELEGRAM, MATRIX -> true;
          case EMAIL,
              SLACK,
              DISCORD,
              WHATSAPP,
              SIGNAL,
              TEAMS,
              GOOGLE_CHAT,
              MATTERMOST,
              FEISHU,
              SYNOLOGY,
              XMPP,
              PLAIN,
              IRC ->
              false;
        };
    TextLimit.Unit[] units = TextLimit.Unit.values();
    Split[] splits = Split.values();
    return new TextLimit(
        size, units[random.nextInt(units.length)], visible, splits[random.nextInt(splits.length)]);
  }

  private static int measured(String text, TextLimit.Unit unit) {
    return switch (unit) {
      case UTF16 -> text.length();
      case CODE_POINTS -> text.codePointCount(0, text.length());
      case UTF8_BYTES -> text.getBytes(StandardCharsets.UTF_8).length;
    };
  }

  @ParameterizedTest
  @EnumSource
  void every_part_keeps_within_the_limit(Platform platform) {
    check(platform, false, Format.MARKDOWN, DialectPropertiesTest::fits);
    check(platform, false, Format.PLAIN, DialectPropertiesTest::fits);
  }

  private static void fits(Case it) {
    TextLimit limit = it.limit();
    for (Written part : it.parts()) {
      int counted =
          limit.visible()
              ? measured(it.platform().seen(part).strip().replaceAll("\n+", "\n"), limit.unit())
              : measured(part.text(), limit.unit());
      assertThat(counted).as("%s gives %s", it, part).isLessThanOrEqualTo(limit.size());
      if (limit.visible()) {
        assertThat(measured(part.text(), limit.unit())).isLessThanOrEqualTo(8 * limit.size());
      }
      if (part.plain() != null) {
        assertThat(measured(part.plain(), limit.unit()))
            .as("plain of %s in %s", part, it)
            .isLessThanOrEqualTo(limit.size());
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void no_part_is_blank_or_ends_within_a_character(Platform platform) {
    check(
        platform,
        false,
        Format.MARKDOWN,
        it -> {
          for (Written part : it.parts()) {
            String seen = it.platform().seen(part);
            assertThat(packed(seen)).as("%s", it).isNotEmpty();
            assertThat(Character.isLowSurrogate(part.text().charAt(0))).as("%s", it).isFalse();
            assertThat(Character.isHighSurrogate(part.text().charAt(part.text().length() - 1)))
                .as("%s", it)
                .isFalse();
          }
        });
  }

  @ParameterizedTest
  @EnumSource
  void all_that_the_source_says_is_seen_in_order(Platform platform) {
    check(
        platform,
        true,
        Format.MARKDOWN,
        it -> {
          String said =
              String.join(
                  "", MarkdownReader.literals(MarkdownReader.WITHOUT_TABLES.parse(it.source())));
          assertThat(missing(said, it.seen())).as("%s", it).isEmpty();
        });
  }

  @ParameterizedTest
  @EnumSource
  void nothing_is_said_twice(Platform platform) {
    check(
        platform,
        true,
        Format.MARKDOWN,
        it -> {
          String said =
              String.join(
                  "", MarkdownReader.literals(MarkdownReader.WITHOUT_TABLES.parse(it.source())));
          assertThat(difference(letters(it.seen()), letters(said))).as("%s", it).isEmpty();
        });
  }

  @ParameterizedTest
  @EnumSource
  void plain_text_arrives_as_typed(Platform platform) {
    check(
        platform,
        false,
        Format.PLAIN,
        it -> {
          assertThat(difference(packed(it.seen()), packed(it.source()))).as("%s", it).isEmpty();
        });
  }

  @ParameterizedTest
  @EnumSource
  void the_plain_text_of_a_part_says_what_the_part_says(Platform platform) {
    check(
        platform,
        true,
        Format.MARKDOWN,
        it -> {
          for (Written part : it.parts()) {
            if (part.plain() != null) {
              assertThat(difference(letters(part.plain()), letters(it.platform().seen(part))))
                  .as("%s of %s", part, it)
                  .isEmpty();
            }
          }
        });
  }

  @ParameterizedTest
  @EnumSource
  void links_and_tables_lose_nothing_either(Platform platform) {
    check(
        platform,
        false,
        Format.MARKDOWN,
        it -> {
          String seen = packed(it.seen());
          for (String word : it.source().split("[^\\p{IsAlphabetic}]+")) {
            // a word may be cut at the smallest sizes, and lie in a target that is not shown
            if (it.limit().size() >= 300 && Documents.said(word)) {
              assertThat(seen).as("%s", it).contains(word);
            }
          }
        });
  }

  /** What of the first text is not in the second in this order, from the first such place on. */
  private static String missing(String said, String seen) {
    String wanted = packed(said);
    String there = packed(seen);
    int at = 0;
    for (int i = 0; i < wanted.length(); i++) {
      int found = there.indexOf(wanted.charAt(i), at);
      if (found < 0) {
        return around(wanted, i) + " is missing from " + around(there, at);
      }
      at = found + 1;
    }
    return "";
  }

  private static String difference(String seen, String said) {
    int at = 0;
    while (at < seen.length() && at < said.length() && seen.charAt(at) == said.charAt(at)) {
      at++;
    }
    return seen.equals(said) ? "" : around(seen, at) + " is seen instead of " + around(said, at);
  }

  private static String around(String text, int at) {
    return text.substring(Math.max(0, at - 30), Math.min(at, text.length()))
        + "»"
        + text.substring(Math.min(at, text.length()), Math.min(text.length(), at + 30));
  }

  /** Without spaces and what else is not seen; boxes of tasks all look the same. */
  private static String packed(String text) {
    return text.replace("☑", "[x]").replace("☐", "[ ]").replaceAll("[\\s\\u00a0\\p{Cf}]+", "");
  }

  /** Letters, and signs that are markup somewhere; without those of items, quotes and boxes. */
  private static String letters(String text) {
    return packed(text).replace("[x]", "").replaceAll("[^\\p{L}\\p{M}*_~`\\\\&<#|]", "");
  }
}
