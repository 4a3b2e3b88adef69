package dev.postrider.testkit.platform;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;

/**
 * One request, read to its last byte.
 *
 * @param connection number of the connection it came on, to see whether connections are reused
 * @param arrived when the last byte was read
 * @param headers by lower-case name
 */
public record Request(
    long connection,
    Instant arrived,
    String method,
    String path,
    Map<String, String> headers,
    byte[] body) {

  public String text() {
    return new String(body, StandardCharsets.UTF_8);
  }
}
