package dev.postrider.store.message;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Part of a list, full as long as there is more: it holds as many items as were asked for, or so
 * many that with the last one it has {@link #MOST_BYTES}. Only where things were looked for that no
 * index knows may it hold fewer items, even none, and still go on: the work for one page is
 * bounded.
 *
 * @param next where the list goes on, or null at its end
 * @param scanned how far that search went; null where an index gave the answer
 */
public record Page<T>(List<T> items, @Nullable String next, @Nullable Scanned scanned) {

  /** A page ends with the item that brings its contents, as they are stored, to so many bytes. */
  public static final int MOST_BYTES = 4 << 20;

  /**
   * A search among things themselves.
   *
   * @param count how many were looked at
   * @param until when the last of them, the oldest, was made; null if there was none
   */
  public record Scanned(int count, @Nullable Instant until) {}

  public Page {
    items = List.copyOf(items);
  }

  public Page(List<T> items, @Nullable String next) {
    this(items, next, null);
  }
}
