package dev.postrider.bench;

import dev.postrider.channel.Dialect;
import dev.postrider.channel.TextLimit;
import dev.postrider.channels.text.Dialects;
import dev.postrider.config.Split;
import dev.postrider.message.Format;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * How long planning a text takes, for texts of several shapes and sizes: where the time per
 * character does not grow with the size, it is linear.
 */
final class TextFigures {
  private static final int[] SIZES = {1 << 16, 1 << 18, 1 << 20};
  private static final int ROUNDS = 5;
  private static final TextLimit LIMIT =
      new TextLimit(4000, TextLimit.Unit.UTF16, false, Split.LENGTH);

  private TextFigures() {}

  public static void main(String[] args) {
    Map<String, Dialect> dialects = new LinkedHashMap<>();
    dialects.put("Telegram", Dialects.TELEGRAM_HTML);
    dialects.put("Slack", Dialects.SLACK);
    dialects.put("Mattermost", Dialects.MATTERMOST);
    dialects.put("Matrix", Dialects.MATRIX);
    shapes().values().forEach(text -> dialects.values().forEach(it -> best(it, text.apply(4096))));

    System.out.printf("%-16s %-12s", "shape", "dialect");
    for (int size : SIZES) {
      System.out.printf(" %8s KiB: ms  ns/char", size >> 10);
    }
    System.out.println();
    shapes()
        .forEach(
            (shape, text) ->
                dialects.forEach(
                    (name, dialect) -> {
                      System.out.printf("%-16s %-12s", shape, name);
                      for (int size : SIZES) {
                        long nanos = best(dialect, text.apply(size));
                        System.out.printf(" %16.1f %8.0f", nanos / 1e6, (double) nanos / size);
                      }
                      System.out.println();
                    }));
  }

  private static long best(Dialect dialect, String text) {
    long best = Long.MAX_VALUE;
    for (int round = 0; round < ROUNDS; round++) {
      long start = System.nanoTime();
      dialect.write(text, Format.MARKDOWN, LIMIT);
      best = Math.min(best, System.nanoTime() - start);
    }
    return best;
  }

  private static Map<String, IntFunction<String>> shapes() {
    Map<String, IntFunction<String>> shapes = new LinkedHashMap<>();
    shapes.put(
        "prose", size -> repeat("Some *words* and **more** of them, as people write. ", size));
    shapes.put("paragraphs", size -> repeat("Some *words* in a paragraph of their own.\n\n", size));
    shapes.put(
        "nested lists", size -> repeat("- one\n  - two **three**\n    1. four `five`\n", size));
    shapes.put("fences", size -> repeat("```java\nint a = 1; // a < b\n```\n\nand text\n\n", size));
    shapes.put("one table", size -> "|a|b|c|\n|-|-|-|\n" + repeat("| x | *y* | z |\n", size));
    shapes.put("links", size -> repeat("[a link](https://example.org/a?b=c) and words ", size));
    shapes.put("emoji", size -> repeat("👨‍👩‍👧‍👦", size));
    shapes.put("one word", size -> "x".repeat(size));
    shapes.put("signs", size -> repeat("\\*", size));
    shapes.put("open emphasis", size -> repeat("*a **b ", size / 2) + repeat("b** a*", size / 2));
    shapes.put("open brackets", size -> "[".repeat(size));
    shapes.put("lazy quote", size -> "> ".repeat(100) + "a\n" + repeat("b\n", size));
    return shapes;
  }

  private static String repeat(String text, int size) {
    return text.repeat(size / text.length());
  }
}
