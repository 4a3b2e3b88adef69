package dev.postrider.channels.signal;

import dev.postrider.channel.Outcome;
import java.io.IOException;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/** A way to a signal-cli that runs. Thread-safe. */
interface Daemon extends AutoCloseable {

  /** What a question came to. */
  sealed interface Reply {
    record Said(JsonNode result) implements Reply {}

    /** signal-cli refused, and said why. */
    record Refused(int code, String message, JsonNode data) implements Reply {}

    /** signal-cli said nothing that could be read. */
    record Failed(Outcome outcome) implements Reply {}
  }

  /** Who listens. */
  interface Ear {
    void connected();

    /** Something came: an envelope and whose account it is for. */
    void heard(JsonNode received);
  }

  Reply ask(String method, Map<String, ?> params);

  /** The same where nobody listens: over a connection of its own, if it takes one. */
  Reply askOnce(String method, Map<String, ?> params);

  /** Listens over one connection, until it ends. */
  void listen(Ear ear) throws IOException, InterruptedException;

  @Override
  void close();
}
