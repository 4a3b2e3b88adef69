package dev.postrider.server.http;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.concurrency.limits.Limit;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.spi.ServerConnection;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/**
 * A connection too many. It is told so after it has said something, since whoever is cut off while
 * speaking does not hear the answer; but not many are listened to at once, nor for long.
 */
record RefusedConnection(ConnectionContext context, ConnectionLimits limits, HttpProblem problem)
    implements ServerConnection {

  @Override
  public void handle(Limit limit) {
    if (!limits.mayListenToRefused()) {
      return;
    }
    Traffic traffic = new Traffic(limits, context.serverSocket());
    traffic.beRefused();
    limits.watch(traffic);
    try {
      if (traffic.next() != null) {
        traffic.write(() -> context.dataWriter().writeNow(BufferData.create(answer())));
      }
    } finally {
      limits.ended(traffic);
      limits.refusedLeft();
    }
  }

  private byte[] answer() {
    byte[] body = Json.object(problem::write);
    StringBuilder head = new StringBuilder("HTTP/1.1 503 Service Unavailable\r\n");
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

  @Override
  public Duration idleTime() {
    return Duration.ZERO;
  }

  @Override
  public void close(boolean interrupt) {
    // it ends by itself within a second
  }
}
