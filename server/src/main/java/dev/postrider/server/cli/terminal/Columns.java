package dev.postrider.server.cli.terminal;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import tools.jackson.databind.JsonNode;

/** The columns in which a kind of thing is listed. */
public final class Columns {
  private static final int BRIEF = 60;

  private record Column(String heading, Function<JsonNode, Object> cell) {}

  private final List<Column> columns = new ArrayList<>();

  public Columns with(String heading, String field) {
    return with(heading, item -> Table.text(item, field));
  }

  /** A moment, as how long ago it was. */
  public Columns age(String heading, String field) {
    return with(heading, item -> Table.ago(item, field));
  }

  /** A text of any length, of which the beginning will do. */
  public Columns brief(String heading, String field) {
    return with(heading, item -> Cells.brief(Table.plain(Table.text(item, field)), BRIEF));
  }

  public Columns with(String heading, Function<JsonNode, Object> cell) {
    columns.add(new Column(heading, cell));
    return this;
  }

  /**
   * Prints a table.
   *
   * @param nothing what to say if there are no items
   */
  public void print(Screen out, Iterable<JsonNode> items, String nothing) {
    Table table = new Table(columns.stream().map(Column::heading).toArray(String[]::new));
    for (JsonNode item : items) {
      table.row(columns.stream().map(column -> column.cell().apply(item)).toArray());
    }
    table.print(out, nothing);
  }

  /** Prints a table after an empty line, or nothing if there are no items. */
  public void printBelow(Screen out, JsonNode items) {
    if (!items.isEmpty()) {
      out.println();
      print(out, items, "");
    }
  }

  /** Prints a page of a list, and how to get the next one. */
  void printPage(Screen out, JsonNode page, String nothing) {
    print(out, page.path("items"), nothing);
    String next = Table.text(page, "next");
    if (!next.isEmpty() && page.has("scanned")) {
      out.println(
          "Looked at %d messages, back to %s."
              .formatted(page.path("scanned").asInt(), Table.text(page, "scannedUntil")));
    }
    if (!next.isEmpty()) {
      out.println("There are more: --cursor " + next);
    }
  }
}
