package dev.postrider.server.log;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.logging.Formatter;
import java.util.logging.LogRecord;

/** {@code 2026-11-15 09:27:35.567 WARN Engine: message}, and a stack trace below if one helps. */
final class TextLines extends Formatter {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSS").withZone(ZoneId.systemDefault());

  @Override
  public String format(LogRecord record) {
    StringWriter line = new StringWriter();
    line.append(TIME.format(record.getInstant())).append(' ');
    line.append("%-5s ".formatted(Logging.name(record.getLevel())));
    line.append(Logging.shortName(String.valueOf(record.getLoggerName()))).append(": ");
    // Whatever a platform or a sender wrote must not be able to forge a line of its own.
    line.append(Visible.line(formatMessage(record)));
    if (Causes.needsNoTrace(record.getThrown())) {
      line.append(": ").append(Visible.line(Causes.sentence(record.getThrown())));
    }
    line.append(System.lineSeparator());
    if (record.getThrown() != null && !Causes.needsNoTrace(record.getThrown())) {
      StringWriter trace = new StringWriter();
      record.getThrown().printStackTrace(new PrintWriter(trace, true));
      line.append(Visible.lines(trace.toString()));
    }
    return line.toString();
  }
}
