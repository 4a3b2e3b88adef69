package dev.postrider.reminder.csv;

import java.io.BufferedReader;
import java.io.IOException;

/** Looks at the first row of a table before it is read. */
final class FirstRow {
  private static final char BYTE_ORDER_MARK = '\uFEFF';
  private static final int LONGEST = 65_536;
  private static final String SEPARATORS = ",;\t";

  private FirstRow() {}

  /** Steps over a byte order mark, and finds what separates cells: what there is most of. */
  static char separator(BufferedReader table) throws IOException {
    table.mark(1);
    if (table.read() != BYTE_ORDER_MARK) {
      table.reset();
    }
    table.mark(LONGEST);
    int[] counts = new int[SEPARATORS.length()];
    boolean quoted = false;
    for (int i = 0; i < LONGEST; i++) {
      int c = table.read();
      if (c < 0 || !quoted && (c == '\n' || c == '\r')) {
        break;
      }
      quoted ^= c == '"';
      int separator = SEPARATORS.indexOf(c);
      if (separator >= 0 && !quoted) {
        counts[separator]++;
      }
    }
    table.reset();
    int most = 0;
    for (int i = 1; i < counts.length; i++) {
      most = counts[i] > counts[most] ? i : most;
    }
    return SEPARATORS.charAt(most);
  }
}
