package dev.postrider.channels.text.tree;

/**
 * Refuses tables that are mostly padding: each row is filled up to the width of the header, so a
 * wide header over many short rows would be a table far larger than its text.
 */
final class TableBudget {
  private static final int CELLS_PER_CHARACTER = 2;
  private static final int ALWAYS = 10_000;

  private TableBudget() {}

  /** Whether all tables of a text together have no more cells than text of that length may. */
  static boolean covers(String text) {
    long cells = 0;
    int columns = 0;
    for (int start = 0; start < text.length(); ) {
      int end = text.indexOf('\n', start);
      end = end < 0 ? text.length() : end;
      columns =
          text.substring(start, end).isBlank() ? 0 : Math.max(columns, columns(text, start, end));
      cells += columns;
      start = end + 1;
    }
    return cells <= (long) CELLS_PER_CHARACTER * text.length() + ALWAYS;
  }

  /** How many columns a line would give a table if it were the line under a header. */
  private static int columns(String text, int start, int end) {
    int columns = 1;
    for (int i = start; i < end; i++) {
      char c = text.charAt(i);
      if (c == '|') {
        columns++;
      } else if (" \t\r:->*+.)".indexOf(c) < 0 && !Character.isDigit(c)) {
        return 0;
      }
    }
    return columns;
  }
}
