package dev.postrider.server.cli;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** The options of every command that speaks to a server. */
final class Remote {
  private static final JsonMapper PRETTY =
      JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

  private final Terminal terminal;

  @Option(names = "--url", paramLabel = "URL", description = "The server; http://127.0.0.1:8080.")
  private @Nullable String url;

  @Option(
      names = "--token",
      paramLabel = "SECRET",
      description = "Needed if the server has tokens.")
  private @Nullable String token;

  @Option(
      names = "--ca",
      paramLabel = "FILE",
      description = "Trust only certificates of this PEM file, such as a private authority's.")
  private @Nullable Path ca;

  @Option(names = "--json", description = "Print the server's answer as JSON.")
  private boolean json;

  Remote(Terminal terminal) {
    this.terminal = terminal;
  }

  PrintWriter out() {
    return terminal.out();
  }

  Client client() {
    @Nullable String where = url != null ? url : terminal.environment().get("POSTRIDER_URL");
    @Nullable String secret = token != null ? token : terminal.environment().get("POSTRIDER_TOKEN");
    @Nullable String trusted = terminal.environment().get("POSTRIDER_CA");
    return new Client(
        where == null ? "http://127.0.0.1:8080" : where,
        secret,
        ca != null || trusted == null ? ca : Path.of(trusted));
  }

  boolean wantsJson() {
    return json;
  }

  /** Prints an answer: as it is with {@code --json}, else in words. */
  void print(JsonNode answer, Consumer<JsonNode> inWords) {
    if (json) {
      terminal.data().println(PRETTY.writeValueAsString(answer));
    } else {
      inWords.accept(answer);
    }
  }
}
