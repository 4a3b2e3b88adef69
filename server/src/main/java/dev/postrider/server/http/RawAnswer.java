package dev.postrider.server.http;

import dev.postrider.server.api.HttpProblem;
import dev.postrider.server.api.Json;
import io.helidon.http.Status;
import java.nio.charset.StandardCharsets;

/** A problem as it goes over the wire where nobody else writes answers. */
final class RawAnswer {
  private RawAnswer() {}

  static byte[] of(HttpProblem problem) {
    byte[] body = Json.object(problem::write);
    StringBuilder head = new StringBuilder("HTTP/1.1 ");
    head.append(Status.create(problem.status())).append("\r\n");
    problem
        .answer()
        .headers()
        .forEach((name, value) -> head.append(name).append(": ").append(value).append("\r\n"));
    head.append("Content-Type: application/problem+json\r\nContent-Length: ").append(body.length);
    head.append("\r\n\r\n");
    byte[] first = head.toString().getBytes(StandardCharsets.US_ASCII);
    byte[] all = new byte[first.length + body.length];
    System.arraycopy(first, 0, all, 0, first.length);
    System.arraycopy(body, 0, all, first.length, body.length);
    return all;
  }
}
