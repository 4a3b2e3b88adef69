package dev.postrider.store;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Part of a list.
 *
 * @param next where the list goes on, or null at its end. A page may hold fewer items than asked
 *     for, even none, and still go on: the work done for one page is bounded, whatever the filter
 */
public record Page<T>(List<T> items, @Nullable String next) {
  public Page {
    items = List.copyOf(items);
  }
}
