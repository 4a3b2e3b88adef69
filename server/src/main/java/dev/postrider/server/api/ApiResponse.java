package dev.postrider.server.api;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Map;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;

/** What a request is answered with. */
public sealed interface ApiResponse {

  String contentType();

  Map<String, String> headers();

  /** Everything at once. */
  record Whole(int status, String contentType, byte[] body, Map<String, String> headers)
      implements ApiResponse {}

  /** Bit by bit, as long as the other side listens. */
  record Streamed(String contentType, Map<String, String> headers, Body body)
      implements ApiResponse {}

  /**
   * A file, or a piece of one. Whoever answers with it closes it, also if it is not wanted.
   *
   * @param length how many bytes; below zero if it is not known
   */
  record Bytes(
      int status, String contentType, Map<String, String> headers, long length, InputStream bytes)
      implements ApiResponse {}

  /** Writes an answer's body. */
  @FunctionalInterface
  interface Body {
    void writeTo(OutputStream out) throws IOException;
  }

  /** An object; the writer fills in its members. */
  static ApiResponse json(int status, Consumer<JsonGenerator> members) {
    return new Whole(status, Json.TYPE, Json.object(members), Map.of());
  }

  static ApiResponse nothing() {
    return new Whole(204, "", new byte[0], Map.of());
  }
}
