package dev.postrider.server.config;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sizes as people write them: {@code 512kb, 1mb}, or plain bytes. A kilobyte has 1024 bytes. */
public final class Sizes {
  private static final Pattern SHAPE = Pattern.compile("(\\d{1,12})\\s?(b|kb|mb|gb)?");

  private Sizes() {}

  /**
   * Reads a size in bytes.
   *
   * @throws IllegalArgumentException with a sentence about what is wrong
   */
  public static long parse(String text) {
    Matcher matcher = SHAPE.matcher(text.strip().toLowerCase(Locale.ROOT));
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "'" + text + "' is not a size; write one like 512kb or 1mb");
    }
    long amount = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "kb" -> amount << 10;
      case "mb" -> amount << 20;
      case "gb" -> amount << 30;
      case null, default -> amount;
    };
  }

  /** A size in the largest unit that leaves a readable number: {@code 1.5 GB}. */
  public static String format(long bytes) {
    String[] units = {"bytes", "KB", "MB", "GB", "TB"};
    double amount = bytes;
    int unit = 0;
    while (amount >= 1024 && unit < units.length - 1) {
      amount /= 1024;
      unit++;
    }
    return amount == Math.rint(amount)
        ? "%d %s".formatted((long) amount, units[unit])
        : "%.1f %s".formatted(amount, units[unit]);
  }
}
