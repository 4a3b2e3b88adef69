package dev.postrider.bench.scale;

import java.time.Duration;
import java.util.Locale;

/** How long things took: counts in buckets, each a twentieth wider than the one before. */
final class Durations {
  private static final double WIDTH = Math.log(1.05);
  private final long[] counts = new long[640];
  private long all;
  private long longest;

  void add(long micros) {
    counts[micros < 1 ? 0 : (int) (Math.log(micros) / WIDTH)]++;
    longest = Math.max(longest, micros);
    all++;
  }

  /** No more than this share took longer than the duration given; by 5 % too long at most. */
  String quantile(double share) {
    long rest = (long) Math.ceil(all * share);
    for (int i = 0; i < counts.length; i++) {
      rest -= counts[i];
      if (rest <= 0) {
        return all == 0 ? "–" : text(Math.min(longest, (long) Math.exp((i + 1) * WIDTH)));
      }
    }
    return text(longest);
  }

  String longest() {
    return all == 0 ? "–" : text(longest);
  }

  long count() {
    return all;
  }

  private static String text(long micros) {
    Duration duration = Duration.ofNanos(micros * 1000);
    if (duration.toMinutes() >= 10) {
      return duration.toMinutes() + " min";
    }
    double seconds = micros / 1e6;
    return seconds >= 10
        ? Math.round(seconds) + " s"
        : seconds >= 0.1
            ? String.format(Locale.ROOT, "%.1f s", seconds)
            : String.format(Locale.ROOT, "%.1f ms", micros / 1e3);
  }
}
