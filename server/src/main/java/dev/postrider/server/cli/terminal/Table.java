package dev.postrider.server.cli.terminal;

import dev.postrider.server.log.Visible;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Rows under headings, each column as wide as it needs to be. */
public final class Table {
  private static final int WIDEST = 64;

  private final List<String> headings;
  private final List<List<String>> rows = new ArrayList<>();

  public Table(String... headings) {
    this.headings = List.of(headings);
  }

  public void row(Object... cells) {
    List<String> row = new ArrayList<>();
    for (Object cell : cells) {
      row.add(shorten(plain(String.valueOf(cell))));
    }
    rows.add(row);
  }

  public void print(PrintWriter out, String nothing) {
    if (rows.isEmpty()) {
      out.println(nothing);
      return;
    }
    line(out, headings);
    rows.forEach(row -> line(out, row));
  }

  private void line(PrintWriter out, List<String> cells) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < cells.size(); i++) {
      int column = i;
      int width =
          Math.max(
              headings.get(i).length(),
              rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0));
      text.append(cells.get(i)).repeat(" ", width - cells.get(i).length() + 2);
    }
    out.println(text.toString().stripTrailing());
  }

  private static String shorten(String text) {
    return text.length() <= WIDEST ? text : text.substring(0, WIDEST - 1) + "…";
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
