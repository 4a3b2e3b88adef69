package dev.postrider.reminder.csv;

import dev.postrider.message.MessageId;
import dev.postrider.reminder.Target;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;
import org.jspecify.annotations.Nullable;

/**
 * Writes targets as a table that {@link TargetsCsv} reads, and for a run what became of each. Row
 * by row, so that it need not be held in memory. Not thread-safe.
 */
public final class TargetTable {
  private final CSVPrinter printer;
  private final List<String> variables;

  private TargetTable(Appendable out, List<String> variables, List<String> results)
      throws IOException {
    this.variables = List.copyOf(variables);
    printer = new CSVPrinter(out, CSVFormat.RFC4180);
    Stream<String> columns = variables.stream().map(Columns::column);
    print(Stream.of(Columns.OURS.stream(), columns, results.stream()).flatMap(it -> it));
  }

  /**
   * Begins a table of targets with its first row.
   *
   * @param variables the names of all that there are
   */
  public static TargetTable ofTargets(Appendable out, List<String> variables) throws IOException {
    return new TargetTable(out, variables, List.of());
  }

  /** Begins a table of results with its first row. */
  public static TargetTable ofResults(Appendable out, List<String> variables) throws IOException {
    return new TargetTable(out, variables, Columns.RESULTS);
  }

  /** Writes a target. */
  public void write(Target target) throws IOException {
    print(Columns.cells(target, target.account(), variables));
  }

  /** Writes what became of a target. */
  public void write(TargetResult result) throws IOException {
    Target target = result.target();
    String ids =
        result.messageIds().stream().map(MessageId::toString).collect(Collectors.joining(" "));
    print(
        Stream.concat(
            Columns.cells(target, target.account(), variables),
            Stream.of(result.status().label(), text(result.error()), text(result.endedAt()), ids)));
  }

  private void print(Stream<String> cells) throws IOException {
    printer.printRecord(cells.map(FormulaGuard::with));
  }

  private static String text(@Nullable Object value) {
    return value == null ? "" : value.toString();
  }
}
