package dev.postrider.server.cli;

import java.util.ArrayList;
import java.util.List;

/**
 * A QR code drawn with half blocks, two rows of squares in one line of text. Terminals get black on
 * white, whatever colours they have themselves; elsewhere light squares are the ink, as on a dark
 * ground.
 */
final class QrText {
  private static final int EDGE = 2; // quiet squares around it
  private static final String BLACK_ON_WHITE = "\u001b[38;5;16;48;5;231m";
  private static final String RESET = "\u001b[0m";

  private QrText() {}

  /**
   * @param rows of {@code 1} for dark and {@code 0} for light
   */
  static List<String> draw(List<String> rows, boolean coloured) {
    List<String> lines = new ArrayList<>();
    for (int y = -EDGE; y < rows.size() + EDGE; y += 2) {
      StringBuilder line = new StringBuilder(coloured ? BLACK_ON_WHITE : "");
      for (int x = -EDGE; x < rows.size() + EDGE; x++) {
        boolean upper = dark(rows, x, y) == coloured;
        boolean lower = dark(rows, x, y + 1) == coloured;
        line.append(upper ? (lower ? '█' : '▀') : (lower ? '▄' : ' '));
      }
      lines.add(line + (coloured ? RESET : ""));
    }
    return lines;
  }

  private static boolean dark(List<String> rows, int x, int y) {
    return y >= 0 && y < rows.size() && x >= 0 && x < rows.size() && rows.get(y).charAt(x) == '1';
  }
}
