package dev.postrider.testkit.platform;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** What the fake platform does with one request. */
public sealed interface Reply {

  /**
   * A whole answer.
   *
   * @param beforeHead how long to wait before the first byte
   * @param midBody how long to wait in the middle of the body
   */
  record Answer(
      int status, Map<String, String> headers, byte[] body, Duration beforeHead, Duration midBody)
      implements Reply {

    public Answer header(String name, String value) {
      Map<String, String> all = new LinkedHashMap<>(headers);
      all.put(name, value);
      return new Answer(status, all, body, beforeHead, midBody);
    }

    public Answer after(Duration delay) {
      return new Answer(status, headers, body, delay, midBody);
    }

    public Answer pausingMidBody(Duration pause) {
      return new Answer(status, headers, body, beforeHead, pause);
    }
  }

  /** The head and half of the body of an answer, then the connection is closed. */
  record HalfAnswer(Answer whole) implements Reply {}

  /** A body that goes on until the client has had enough. */
  record EndlessBody(int status) implements Reply {}

  /** A body that is written as things happen, such as server-sent events; ends the connection. */
  record Live(String type, Writer body) implements Reply {

    /** Writes until there is no more, flushing what is to arrive at once. */
    @FunctionalInterface
    public interface Writer {
      void to(OutputStream client) throws IOException, InterruptedException;
    }
  }

  /** Reads and records the request, then closes the connection without a word. */
  record HangUp() implements Reply {}

  /** Reads and records the request, then resets the connection. */
  record Reset() implements Reply {}

  /** Reads and records the request and never answers; the connection stays open. */
  record Silence() implements Reply {}

  /**
   * Closes the connection after the head of the request; the body stays unread and nothing is
   * recorded. Works from the queue only: rules see whole requests.
   */
  record Slam() implements Reply {}

  static Answer json(int status, String body) {
    return text(status, "application/json", body);
  }

  static Answer html(int status, String body) {
    return text(status, "text/html", body);
  }

  static Answer text(int status, String type, String body) {
    return new Answer(
        status,
        Map.of("Content-Type", type),
        body.getBytes(StandardCharsets.UTF_8),
        Duration.ZERO,
        Duration.ZERO);
  }
}
