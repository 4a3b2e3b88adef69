package dev.postrider.server.log;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.logging.Formatter;
import java.util.logging.LogRecord;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/** One object a line: {@code time, level, logger, thread, message, error}. */
final class JsonLines extends Formatter {
  private static final JsonFactory JSON = new JsonFactory();

  @Override
  public String format(LogRecord record) {
    StringWriter line = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), line)) {
      json.writeStartObject();
      json.writeStringProperty("time", record.getInstant().toString());
      json.writeStringProperty("level", Logging.name(record.getLevel()));
      json.writeStringProperty("logger", String.valueOf(record.getLoggerName()));
      json.writeNumberProperty("thread", record.getLongThreadID());
      json.writeStringProperty("message", formatMessage(record));
      if (record.getThrown() != null) {
        StringWriter trace = new StringWriter();
        record.getThrown().printStackTrace(new PrintWriter(trace, true));
        json.writeStringProperty("error", trace.toString());
      }
      json.writeEndObject();
    }
    return line.append('\n').toString();
  }
}
