package dev.postrider.jdbc.session;

import dev.postrider.store.message.Page;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A place in a list that has the newest first: goes before whatever was made then, and has that id.
 */
public record NewestFirst(long time, UUID id) implements Comparable<NewestFirst> {
  private static final NewestFirst END = new NewestFirst(Long.MAX_VALUE, new UUID(-1, -1));

  /** What is listed, from the far end down. */
  @FunctionalInterface
  public interface Index<T> {
    PagePortion<T> before(long time, UUID id, int limit) throws SQLException;
  }

  /** Tells the place of an item. */
  @FunctionalInterface
  public interface Place<T> {
    NewestFirst of(T item);
  }

  public static NewestFirst of(Instant createdAt, UUID id) {
    return new NewestFirst(Values.micros(createdAt), id);
  }

  public static <T> Page<T> page(Index<T> index, Place<T> place, @Nullable String cursor, int limit)
      throws SQLException {
    NewestFirst from = cursor == null ? END : parse(cursor);
    PagePortion<T> found = index.before(from.time, from.id, limit);
    List<T> items = found.items();
    return new Page<>(items, found.mayGoOn(limit) ? place.of(items.getLast()).toString() : null);
  }

  private static NewestFirst parse(String cursor) {
    int split = cursor.indexOf('-', 1);
    try {
      return new NewestFirst(
          Long.parseLong(cursor, 0, Math.max(split, 0), 10),
          UUID.fromString(cursor.substring(split + 1)));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("'" + cursor + "' is not a cursor of this list", e);
    }
  }

  /** The newest comes first; ids as they are written, as databases compare them. */
  @Override
  public int compareTo(NewestFirst other) {
    int byTime = Long.compare(other.time, time);
    return byTime == 0 ? other.id.toString().compareTo(id.toString()) : byTime;
  }

  @Override
  public String toString() {
    return time + "-" + id;
  }
}
