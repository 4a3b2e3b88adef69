package dev.postrider.server.cli;

import dev.postrider.server.cli.terminal.Terminal;
import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Runs commands as a shell would, and keeps what the last one said. */
final class Shell {
  final Map<String, String> environment = new HashMap<>();
  boolean interactive;
  String input = "";
  String out = "";
  String err = "";

  /** Is given all that was printed so far, whenever something is. */
  Consumer<String> watching = _ -> {};

  int run(String... args) {
    StringWriter outWriter = new StringWriter();
    StringWriter errWriter = new StringWriter();
    int code = Main.run(terminal(watched(outWriter), new PrintWriter(errWriter)), args);
    Thread.interrupted(); // who watches may have ended it as Ctrl-C would
    out = outWriter.toString();
    err = errWriter.toString();
    return code;
  }

  Terminal terminal() {
    return terminal(new PrintWriter(Writer.nullWriter()), new PrintWriter(Writer.nullWriter()));
  }

  private Terminal terminal(PrintWriter outWriter, PrintWriter errWriter) {
    return new Terminal(
        environment,
        new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
        outWriter,
        errWriter,
        interactive);
  }

  private PrintWriter watched(StringWriter to) {
    return new PrintWriter(to) {
      @Override
      public void flush() {
        super.flush();
        watching.accept(to.toString());
      }
    };
  }

  JsonNode json() {
    return new JsonMapper().readTree(out);
  }
}
