package dev.postrider.channels.text;

import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Markdown documents that grow from a seed. */
final class Documents {
  private static final List<String> WORDS =
      List.of(
          "lane",
          "message",
          "Grüße",
          "the",
          "a",
          "I/O",
          "retry",
          "429",
          "snake_case_name",
          "don't",
          "C++",
          "e.g.",
          "naïve",
          "ok.",
          "Really?",
          "yes!",
          "日本語。",
          "文字",
          "שלום",
          "مرحبا",
          "зима",
          "👨‍👩‍👧‍👦",
          "🇩🇪",
          "👍🏽",
          "e\u0301\u0323",
          "ﷺ",
          "x=1",
          "50%",
          "#tag",
          "@everyone",
          "supercalifragilisticexpialidocious",
          "a-b",
          "(see",
          "below)",
          "\"quoted\"",
          "--",
          "1.");
  private static final List<String> HOSTILE =
      List.of(
          "\\*",
          "\\_",
          "\\`",
          "\\#",
          "\\>",
          "\\~\\~",
          "\\[x\\](y)",
          "*",
          "**",
          "_",
          "__",
          "~",
          "~~",
          "`",
          "``",
          "```",
          "<",
          ">",
          "&",
          "&amp;",
          "&lt;b&gt;",
          "<b>",
          "</b>",
          "<script>",
          "<!--",
          "\\\\",
          "|",
          "||",
          "[",
          "]",
          "](",
          "![",
          "<@123>",
          "<https://x.y|z>",
          "&#96;",
          "&nbsp;",
          "\u2060",
          "\u200d",
          "\\- x",
          "* x",
          "1\\. y",
          "2 * 3 * 4",
          "a*b*c",
          "*a*b",
          "a_b_",
          "_a_b",
          "http://",
          "<users/all>",
          "&#42;bold&#42;",
          "~x~",
          "=",
          "==",
          "\\+ z",
          ":-:",
          "|-|");
  private static final List<String> TARGETS =
      List.of(
          "https://example.org/a_b*c",
          "http://x.y/(z)",
          "https://example.org/?a=1&b=2#c",
          "mailto:a@example.org",
          "javascript:alert(1)",
          "/relative",
          "tel:+49123",
          "https://example.org/" + "long/".repeat(12),
          "magnet:?xt=1");

  private final Random random;
  private final boolean simple;

  private Documents(long seed, boolean simple) {
    this.random = new Random(seed);
    this.simple = simple;
  }

  /** A document with everything in it. */
  static String any(long seed) {
    return new Documents(seed, false).blocks(0);
  }

  /** A document without links and tables: these are repeated or spelt out where they cannot be. */
  static String simple(long seed) {
    return new Documents(seed, true).blocks(0);
  }

  /** Whether this is one of the words that are said wherever they stand. */
  static boolean said(String word) {
    return word.length() > 3 && WORDS.contains(word);
  }

  private String blocks(int depth) {
    return some(1, depth == 0 ? 7 : 3, () -> block(depth), "\n\n");
  }

  private String block(int depth) {
    return switch (random.nextInt(depth > 2 ? 6 : 10)) {
      case 0, 1, 2 -> lines();
      case 3 -> "#".repeat(1 + random.nextInt(6)) + " " + words(5);
      case 4 -> fence();
      case 5 -> simple ? lines() : table();
      case 6 -> "> " + blocks(depth + 1).replace("\n", "\n> ");
      case 7, 8 -> list(depth);
      default -> random.nextBoolean() ? "---" : "<div>\n" + words(3) + "\n</div>";
    };
  }

  private String lines() {
    return some(1, 3, () -> words(14), random.nextInt(4) == 0 ? "  \n" : "\n");
  }

  private String fence() {
    String fence = random.nextBoolean() ? "```" : "~~~~";
    String code =
        some(0, 6, () -> " ".repeat(random.nextInt(9)) + some(0, 6, this::raw, " "), "\n");
    return fence + (random.nextBoolean() ? "java" : "") + "\n" + code + "\n" + fence;
  }

  private String raw() {
    return random.nextInt(3) == 0 ? pick(HOSTILE).replace("~~~", "") : pick(WORDS);
  }

  private String table() {
    int columns = 1 + random.nextInt(4);
    int width = random.nextInt(3) == 0 ? 8 : 1;
    StringBuilder table = new StringBuilder();
    table.append(row(columns, width)).append('\n');
    table
        .append("|")
        .append(random.nextBoolean() ? " --- |".repeat(columns) : ":-:|".repeat(columns));
    for (int i = random.nextInt(5); i > 0; i--) {
      table.append('\n').append(row(columns, width));
    }
    return table.toString();
  }

  private String row(int columns, int width) {
    return IntStream.range(0, columns)
        .mapToObj(i -> some(1, width, () -> inline(1).replace("|", "\\|").replace("\n", " "), " "))
        .collect(Collectors.joining(" | ", "| ", " |"));
  }

  private String list(int depth) {
    boolean ordered = random.nextBoolean();
    boolean tasks = !ordered && random.nextInt(3) == 0;
    int start = random.nextInt(12);
    String between = random.nextBoolean() ? "\n" : "\n\n";
    StringBuilder list = new StringBuilder();
    for (int i = 0; i < 1 + random.nextInt(4); i++) {
      String marker = ordered ? (start + i) + ". " : "- ";
      String box = tasks ? (random.nextBoolean() ? "[x] " : "[ ] ") : "";
      String content = random.nextInt(4) == 0 ? blocks(depth + 1) : lines();
      list.append(i == 0 ? "" : between)
          .append(marker)
          .append(box)
          .append(content.replace("\n", "\n" + " ".repeat(marker.length())));
    }
    return list.toString();
  }

  private String words(int most) {
    return some(1, most, () -> inline(0), random.nextInt(8) == 0 ? "" : " ");
  }

  private String inline(int depth) {
    if (depth > 2) {
      return pick(WORDS);
    }
    return switch (random.nextInt(16)) {
      case 0 -> "**" + some(1, 3, () -> inline(depth + 1), " ") + "**";
      case 1 -> "*" + some(1, 3, () -> inline(depth + 1), " ") + "*";
      case 2 -> "~~" + some(1, 3, () -> inline(depth + 1), " ") + "~~";
      case 3 -> "`" + raw() + "`";
      case 4 -> "`` " + raw() + " ``";
      case 5 -> pick(HOSTILE);
      case 6 -> simple ? pick(WORDS) : "[" + inline(depth + 1) + "](" + pick(TARGETS) + ")";
      case 7 ->
          simple
              ? pick(WORDS)
              : random.nextBoolean()
                  ? "![" + pick(WORDS) + "](https://example.org/i.png)"
                  : "https://example.org/x_" + random.nextInt(99) + "_y";
      default -> pick(WORDS);
    };
  }

  private <T> T pick(List<T> from) {
    return from.get(random.nextInt(from.size()));
  }

  private String some(int least, int most, Supplier<String> one, String between) {
    return IntStream.range(0, least + random.nextInt(most - least + 1))
        .mapToObj(i -> one.get())
        .collect(Collectors.joining(between));
  }
}
