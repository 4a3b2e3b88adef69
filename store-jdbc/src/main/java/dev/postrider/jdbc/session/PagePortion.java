package dev.postrider.jdbc.session;

import dev.postrider.store.message.Page;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Rows of a list, read until they had as many bytes as a page may have.
 *
 * @param cut whether that ended them; there may be more then
 */
public record PagePortion<T>(List<Sized<T>> rows, boolean cut) {

  /** A row and how many bytes its contents have. */
  public record Sized<T>(T item, long bytes) {}

  public static <T> PagePortion<T> none() {
    return new PagePortion<>(List.of(), false);
  }

  /** Rows that are small, each of them. */
  public static <T> PagePortion<T> small(List<T> rows) {
    return new PagePortion<>(rows.stream().map(row -> new Sized<>(row, 0)).toList(), false);
  }

  /**
   * Several lists as one, each from the same place on: as far as all of them are known, and no
   * longer than a page.
   */
  public static <T> PagePortion<T> together(
      List<PagePortion<T>> lists, Comparator<T> order, int limit) {
    List<Sized<T>> rows = new ArrayList<>();
    lists.forEach(list -> rows.addAll(list.rows));
    rows.sort(Comparator.comparing(Sized::item, order));
    List<T> ends =
        lists.stream().filter(list -> list.cut).map(list -> list.items().getLast()).toList();
    List<Sized<T>> taken = new ArrayList<>();
    long bytes = 0;
    for (Sized<T> row : rows) {
      if (taken.size() == limit
          || bytes >= Page.MOST_BYTES
          || ends.stream().anyMatch(end -> order.compare(row.item(), end) > 0)) {
        return new PagePortion<>(taken, true);
      }
      taken.add(row);
      bytes += row.bytes();
    }
    return new PagePortion<>(taken, !ends.isEmpty());
  }

  public List<T> items() {
    return rows.stream().map(Sized::item).toList();
  }

  public T at(int index) {
    return rows.get(index).item();
  }

  /** Whether more may follow, after so many were asked for. */
  public boolean mayGoOn(int limit) {
    return cut || rows.size() >= limit;
  }

  /** The columns, counted from 1, that can be large; all of them hold bytes. */
  public static final class Columns {
    private final int[] numbers;

    private Columns(int[] numbers) {
      this.numbers = numbers;
    }

    public static Columns of(int... numbers) {
      return new Columns(numbers.clone());
    }

    long bytes(ResultSet row) throws SQLException {
      long sum = 0;
      for (int number : numbers) {
        byte @Nullable [] value = row.getBytes(number);
        sum += value == null ? 0 : value.length;
      }
      return sum;
    }

    /**
     * The statement for a database whose driver reads all rows before it gives the first: the
     * database itself leaves out what follows once there are bytes enough for a page.
     */
    public String bounding(String list) {
      int last = Arrays.stream(numbers).max().orElseThrow();
      return ("SELECT * FROM (SELECT l.*, sum(%s) OVER (ROWS BETWEEN UNBOUNDED PRECEDING AND 1"
              + " PRECEDING) AS before FROM (%s) AS l(%s)) AS b WHERE coalesce(b.before, 0) < %d")
          .formatted(
              Arrays.stream(numbers)
                  .mapToObj(number -> "coalesce(octet_length(l.c" + number + "), 0)")
                  .collect(Collectors.joining(" + ")),
              list,
              IntStream.rangeClosed(1, last)
                  .mapToObj(number -> "c" + number)
                  .collect(Collectors.joining(", ")),
              Page.MOST_BYTES);
    }
  }
}
