package dev.postrider.server.cli;

import dev.postrider.server.cli.terminal.Terminal;
import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Runs commands as a shell would, and keeps what the last one said. */
final class Shell {
  final Map<String, String> environment = new HashMap<>();
  boolean interactive;
  String input = "";
  String out = "";
  String err = "";

  int run(String... args) {
    StringWriter outWriter = new StringWriter();
    StringWriter errWriter = new StringWriter();
    int code =
        Main.run(
            new Terminal(
                environment,
                new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)),
                new PrintWriter(outWriter),
                new PrintWriter(errWriter),
                interactive),
            args);
    out = outWriter.toString();
    err = errWriter.toString();
    return code;
  }

  JsonNode json() {
    return new JsonMapper().readTree(out);
  }
}
