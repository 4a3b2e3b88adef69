package dev.postrider.reminder.csv;

import dev.postrider.problem.InvalidInput;
import dev.postrider.problem.Problems;
import dev.postrider.reminder.Reminder;
import dev.postrider.reminder.Target;
import dev.postrider.reminder.time.OwnHours;
import dev.postrider.reminder.time.WindowDraft;
import dev.postrider.reminder.time.Zones;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.commons.csv.CSVException;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;
import org.jspecify.annotations.Nullable;

/**
 * Reads targets from a table. Its first row names the columns: {@code to}, and if wanted {@code
 * account}, {@code name}, {@code timezone} and {@code window}; every other column is a variable,
 * but for what a run has added. Cells are separated by commas, semicolons or tabs, whichever the
 * first row has most of. An empty cell is no value, an empty row no target.
 *
 * <p>Errors name the line of the file, as editors count them, and the column.
 */
public final class TargetsCsv {
  /** What spreadsheets make of long numbers. */
  private static final Pattern SHORTENED = Pattern.compile("[-+]?\\d([.,]\\d+)?E\\+\\d+");

  private final Problems problems = new Problems();
  private final List<Target> targets = new ArrayList<>();
  private final Map<Target, Long> lines = new HashMap<>();

  private TargetsCsv() {}

  /**
   * Reads a table to its end.
   *
   * @throws InvalidInput naming every line and column that is wrong
   * @throws IOException if it cannot be read at all
   */
  public static List<Target> read(Reader table) throws IOException {
    TargetsCsv reading = new TargetsCsv();
    BufferedReader buffered = new BufferedReader(table);
    CSVFormat format =
        CSVFormat.RFC4180
            .builder()
            .setDelimiter(FirstRow.separator(buffered))
            .setIgnoreSurroundingSpaces(true)
            .setIgnoreEmptyLines(false) // they count as lines
            .get();
    try (CSVParser parser = format.parse(buffered)) {
      reading.rows(parser);
    }
    reading.problems.refuse();
    return reading.targets;
  }

  private void rows(CSVParser parser) throws IOException {
    Columns columns = null;
    Iterator<CSVRecord> rows = parser.iterator();
    for (long line = 1; ; line = parser.getCurrentLineNumber() + 1) {
      CSVRecord row = next(rows, line);
      if (row == null) {
        break;
      }
      if (columns == null) {
        columns = Columns.read(row.toList(), problems);
      } else if (targets.size() == Reminder.MOST_TARGETS) {
        problems.add(line(line), "is one target too many; a reminder holds at most 100,000");
        break;
      } else if (!row.stream().allMatch(String::isBlank)) {
        row(columns, row, line);
      }
    }
    if (columns == null && problems.isEmpty()) {
      problems.add(line(1), "the table is empty; its first row names the columns, such as to,name");
    }
  }

  /** The next row; null at the end, or where the table cannot be read any further. */
  private @Nullable CSVRecord next(Iterator<CSVRecord> rows, long line) throws IOException {
    try {
      return rows.hasNext() ? rows.next() : null;
    } catch (UncheckedIOException e) {
      if (!(e.getCause() instanceof CSVException)) {
        throw e.getCause();
      }
      problems.add(
          line(line),
          "a quote is left open, or more follows a closed one; write a quote inside a cell twice");
      return null;
    }
  }

  private void row(Columns columns, CSVRecord row, long line) {
    String to = "";
    String account = null;
    String name = null;
    String zone = null;
    String window = null;
    Map<String, String> variables = new LinkedHashMap<>();
    for (int i = 0; i < row.size(); i++) {
      String cell = FormulaGuard.without(row.get(i));
      if (cell.isBlank() || columns.isResult(i)) {
        continue;
      }
      switch (columns.at(i)) {
        case Columns.TO -> to = cell;
        case Columns.ACCOUNT -> account = cell;
        case Columns.NAME -> name = cell;
        case Columns.ZONE -> zone = cell;
        case Columns.WINDOW -> window = cell.strip();
        case "" -> problems.add(place(line, String.valueOf(i + 1)), "'" + cell + "' has no header");
        case String other -> variables.put(Columns.variable(other), cell);
      }
    }
    address(to, line);
    Target target = new Target(to, account, variables, name, hours(zone, window, line));
    duplicate(target, line);
    targets.add(target);
  }

  private @Nullable OwnHours hours(@Nullable String zone, @Nullable String window, long line) {
    Problems own = new Problems();
    ZoneId read = zone == null ? null : Zones.read(Columns.ZONE, zone, own);
    try {
      own.refuse();
      boolean anyHour = Columns.ANY_HOUR.equals(window);
      return OwnHours.of(
          read, window == null || anyHour ? null : WindowDraft.parse(window), anyHour);
    } catch (InvalidInput e) {
      String field = e.first().field();
      String column = field.startsWith(Columns.ZONE) ? Columns.ZONE : Columns.WINDOW;
      problems.add(place(line, column), e.first().message());
    } catch (IllegalArgumentException e) {
      problems.add(place(line, Columns.WINDOW), String.valueOf(e.getMessage()));
    }
    return null;
  }

  private void address(String to, long line) {
    if (to.isEmpty()) {
      problems.add(place(line, Columns.TO), "is empty; name the chat");
    } else if (SHORTENED.matcher(to).matches()) {
      problems.add(
          place(line, Columns.TO),
          "'" + to + "' is a number that a spreadsheet has shortened; format the column as text");
    }
  }

  private void duplicate(Target target, long line) {
    Long first = lines.putIfAbsent(Target.to(target.to()).by(target.account()), line);
    if (first != null && !target.to().isEmpty()) {
      problems.add(
          place(line, Columns.TO),
          "'" + target.to() + "' is on line " + first + " too; keep one of them");
    }
  }

  private static String line(long line) {
    return "line " + line;
  }

  private static String place(long line, String column) {
    return "line " + line + ", column " + column;
  }
}
