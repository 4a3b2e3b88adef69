package dev.postrider.channels.text.flow;

import dev.postrider.channels.text.tree.Block;
import dev.postrider.channels.text.tree.Inline;
import java.util.ArrayList;
import java.util.List;

/** A table drawn with characters of one width. */
final class TableDrawing {
  /** So many columns can be read on a small screen. */
  static final int READABLE = 60;

  private static final String BETWEEN = " | ";

  private final List<Block.Align> columns;
  private final List<List<String>> rows = new ArrayList<>();
  private final int[] widths;

  TableDrawing(Block.Table table) {
    columns = table.columns();
    widths = new int[columns.size()];
    add(table.header());
    table.rows().forEach(this::add);
  }

  private void add(List<List<Inline>> row) {
    List<String> cells = new ArrayList<>();
    for (int i = 0; i < widths.length; i++) {
      String cell = i < row.size() ? plain(row.get(i)) : "";
      widths[i] = Math.max(widths[i], width(cell));
      cells.add(cell);
    }
    rows.add(cells);
  }

  /** A drawing has no links, so their targets are written out. */
  private static String plain(List<Inline> cell) {
    StringBuilder all = new StringBuilder();
    for (Inline inline : cell) {
      String said = Inline.said(List.of(inline));
      all.append(said);
      if (inline instanceof Inline.Link link && !said.equals(link.target())) {
        all.append(" (").append(link.target()).append(')');
      }
    }
    return all.toString();
  }

  int width() {
    int width = BETWEEN.length() * (widths.length - 1);
    for (int column : widths) {
      width += column;
    }
    return width;
  }

  List<String> lines() {
    List<String> lines = new ArrayList<>();
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        line.append(i == 0 ? "" : BETWEEN).append(aligned(row.get(i), i));
      }
      lines.add(line.toString().stripTrailing());
    }
    StringBuilder under = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      under.append(i == 0 ? "" : "-+-").append("-".repeat(widths[i]));
    }
    lines.add(1, under.toString());
    return lines;
  }

  private String aligned(String cell, int column) {
    int room = widths[column] - width(cell);
    int left =
        switch (columns.get(column)) {
          case NONE, LEFT -> 0;
          case CENTER -> room / 2;
          case RIGHT -> room;
        };
    return " ".repeat(left) + cell + " ".repeat(room - left);
  }

  /** How many columns a text takes: ideographs and emoji take two, what combines takes none. */
  private static int width(String text) {
    return text.codePoints().map(TableDrawing::width).sum();
  }

  private static int width(int codePoint) {
    return switch (Character.getType(codePoint)) {
      case Character.NON_SPACING_MARK, Character.ENCLOSING_MARK, Character.FORMAT -> 0;
      default ->
          Character.isIdeographic(codePoint)
                  || Character.isEmojiPresentation(codePoint)
                  || (codePoint >= 0x1100 && codePoint <= 0x115F)
                  || (codePoint >= 0x3000 && codePoint <= 0x30FF)
                  || (codePoint >= 0xAC00 && codePoint <= 0xD7A3)
                  || (codePoint >= 0xFF00 && codePoint <= 0xFF60)
              ? 2
              : 1;
    };
  }
}
