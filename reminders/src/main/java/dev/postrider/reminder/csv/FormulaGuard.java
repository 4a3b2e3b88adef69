package dev.postrider.reminder.csv;

import java.util.regex.Pattern;

/**
 * Keeps spreadsheets from taking text for a formula: such a cell is written with an apostrophe
 * before it, as a person would type it. Numbers are left alone, also negative ones: chats have them
 * for names, and a number does nothing.
 */
final class FormulaGuard {
  private static final String STARTS_A_FORMULA = "=+-@\t\r\n";
  private static final Pattern NUMBER = Pattern.compile("[-+]?\\d+([.,]\\d+)?");

  private FormulaGuard() {}

  static String with(String cell) {
    return startsFormula(cell) ? "'" + cell : cell;
  }

  /** The cell as it was before it was guarded. */
  static String without(String cell) {
    return cell.startsWith("'") && startsFormula(cell.substring(1)) ? cell.substring(1) : cell;
  }

  private static boolean startsFormula(String cell) {
    return !cell.isEmpty()
        && STARTS_A_FORMULA.indexOf(cell.charAt(0)) >= 0
        && !NUMBER.matcher(cell).matches();
  }
}
