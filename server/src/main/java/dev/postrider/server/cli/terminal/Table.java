package dev.postrider.server.cli.terminal;

import dev.postrider.server.log.Visible;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Rows under headings, each column as wide as it needs to be. On a terminal the rows fit its width
 * without losing a word: the last column is broken into lines, and columns for which there is no
 * room follow on lines of their own.
 */
public final class Table {
  private static final String GAP = "  ";
  private static final String INDENT = "    ";
  private static final int LEAST = 24;
  private static final Set<String> STATES = Set.of("STATUS", "HEALTH", "STATE", "HEAD", "OUTCOME");

  private final List<String> headings;
  private final List<List<String>> rows = new ArrayList<>();

  public Table(String... headings) {
    this.headings = List.of(headings);
  }

  public void row(Object... cells) {
    List<String> row = new ArrayList<>();
    for (Object cell : cells) {
      row.add(plain(String.valueOf(cell)));
    }
    rows.add(row);
  }

  public void print(Screen out, String nothing) {
    if (rows.isEmpty()) {
      out.println(nothing);
    } else {
      new Layout(out).print();
    }
  }

  /** How the columns are laid out on one screen. */
  private final class Layout {
    private final Screen out;
    private final int[] widths;
    private final List<Integer> beside = new ArrayList<>();
    private final List<Integer> below = new ArrayList<>();
    private final int used;

    Layout(Screen out) {
      this.out = out;
      this.widths =
          IntStream.range(0, headings.size())
              .map(column -> Math.max(Cells.count(headings.get(column)), widest(column)))
              .toArray();
      List<Integer> shown =
          IntStream.range(0, headings.size())
              .filter(column -> out.width() == Screen.ENDLESS || widest(column) > 0)
              .boxed()
              .toList();
      int taken = 0;
      for (int column : shown) {
        boolean last = column == shown.getLast();
        boolean fits = taken + widths[column] <= out.width();
        boolean breaks = last && out.width() - taken >= LEAST;
        if (below.isEmpty() && (fits || breaks || beside.isEmpty())) {
          beside.add(column);
          if (last) {
            widths[column] = Math.max(1, Math.min(widths[column], out.width() - taken));
          } else {
            taken += widths[column] + GAP.length();
          }
        } else {
          below.add(column);
        }
      }
      used = taken;
    }

    private int widest(int column) {
      return rows.stream().mapToInt(row -> Cells.count(row.get(column))).max().orElse(0);
    }

    void print() {
      line(headings, true);
      for (List<String> row : rows) {
        line(row, false);
        for (int column : below) {
          if (!row.get(column).isEmpty()) {
            note(headings.get(column).toLowerCase(Locale.ROOT) + ": " + row.get(column));
          }
        }
      }
    }

    private void line(List<String> cells, boolean heading) {
      for (int column : beside) {
        List<String> pieces = Cells.wrapped(cells.get(column), widths[column]);
        Style style =
            heading
                ? Style.HEADING
                : STATES.contains(headings.get(column)) ? Style.of(cells.get(column)) : Style.PLAIN;
        out.print(style, pieces.getFirst());
        if (column == beside.getLast()) {
          pieces.stream().skip(1).forEach(piece -> next(" ".repeat(used) + piece));
        } else if (!blankAfter(cells, column)) {
          out.print(" ".repeat(widths[column] - Cells.count(pieces.getFirst())) + GAP);
        }
      }
      out.println();
    }

    private void next(String text) {
      out.println();
      out.print(text);
    }

    private boolean blankAfter(List<String> cells, int column) {
      return beside.stream().filter(each -> each > column).allMatch(at -> cells.get(at).isEmpty());
    }

    private void note(String text) {
      String indent = INDENT;
      for (String piece : Cells.wrapped(text, out.width() - 2 * INDENT.length())) {
        out.println(indent + piece);
        indent = INDENT.repeat(2);
      }
    }
  }

  /** What others wrote must not be able to steer a terminal. */
  public static String plain(String text) {
    return Visible.lines(text.replaceAll("[\\r\\n\\t]+", " "));
  }

  /** A field as text; empty if it is null or not there. */
  public static String text(JsonNode node, String field) {
    return node.path(field).isNull() ? "" : node.path(field).asString("");
  }

  /** A moment that is still to come; empty if it has passed. */
  public static String ahead(JsonNode node, String field) {
    String given = text(node, field);
    return given.isEmpty() || Instant.parse(given).isBefore(Instant.now()) ? "" : given;
  }

  /** How long ago, or in how long. */
  public static String ago(JsonNode node, String field) {
    @Nullable String given = text(node, field);
    if (given.isEmpty()) {
      return "";
    }
    long seconds = Duration.between(Instant.parse(given), Instant.now()).toSeconds();
    long amount = Math.abs(seconds);
    String span =
        amount < 120
            ? amount + " s"
            : amount < 7200
                ? amount / 60 + " min"
                : amount < 172_800 ? amount / 3600 + " h" : amount / 86_400 + " d";
    return seconds < 0 ? "in " + span : span + " ago";
  }
}
