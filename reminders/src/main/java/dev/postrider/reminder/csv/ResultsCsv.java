package dev.postrider.reminder.csv;

import dev.postrider.message.MessageId;
import java.io.IOException;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;
import org.jspecify.annotations.Nullable;

/**
 * Writes the results of a run as a table, row by row, so that it need not be held in memory. Its
 * first columns are those that {@link TargetsCsv} reads. Not thread-safe.
 */
public final class ResultsCsv {
  private static final String[] HEADER = {
    Columns.TO, Columns.ACCOUNT, Columns.NAME, "status", "error", "endedAt", "messageIds"
  };

  private final CSVPrinter printer;

  /** Begins a table with its first row. */
  public ResultsCsv(Appendable out) throws IOException {
    printer = new CSVPrinter(out, CSVFormat.RFC4180);
    printer.printRecord((Object[]) HEADER);
  }

  /** Writes one row. */
  public void write(TargetResult result) throws IOException {
    String ids =
        result.messageIds().stream().map(MessageId::toString).collect(Collectors.joining(" "));
    printer.printRecord(
        Stream.of(
                result.to(),
                text(result.account()),
                text(result.name()),
                result.status().label(),
                text(result.error()),
                text(result.endedAt()),
                ids)
            .map(FormulaGuard::with));
  }

  private static String text(@Nullable Object value) {
    return value == null ? "" : value.toString();
  }
}
