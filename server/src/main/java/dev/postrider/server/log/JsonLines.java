package dev.postrider.server.log;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.logging.Formatter;
import java.util.logging.LogRecord;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * One object a line: {@code time, level, logger, thread, message, error}; and of a {@link Line}
 * also {@code event} and its values.
 */
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
      if (record instanceof Line told) {
        told.values().forEach((name, value) -> write(json, name, value));
      }
      if (record.getThrown() != null) {
        json.writeStringProperty("error", error(record.getThrown()));
      }
      json.writeEndObject();
    }
    return line.append('\n').toString();
  }

  private static String error(Throwable thrown) {
    if (Causes.needsNoTrace(thrown)) {
      return Causes.sentence(thrown);
    }
    StringWriter trace = new StringWriter();
    thrown.printStackTrace(new PrintWriter(trace, true));
    return trace.toString();
  }

  private static void write(JsonGenerator json, String name, Object value) {
    json.writeName(name);
    switch (value) {
      case Integer number -> json.writeNumber(number);
      case Long number -> json.writeNumber(number);
      case List<?> list -> {
        json.writeStartArray();
        list.forEach(each -> json.writeString(String.valueOf(each)));
        json.writeEndArray();
      }
      default -> json.writeString(value.toString());
    }
  }
}
