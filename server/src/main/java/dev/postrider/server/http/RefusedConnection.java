package dev.postrider.server.http;

import dev.postrider.server.api.ConnectionLimits;
import dev.postrider.server.api.ConnectionTraffic;
import dev.postrider.server.api.HttpProblem;
import io.helidon.common.buffers.BufferData;
import io.helidon.common.concurrency.limits.Limit;
import io.helidon.common.socket.HelidonSocket;
import io.helidon.webserver.spi.ServerConnection;
import java.io.UncheckedIOException;
import java.time.Duration;

/**
 * A connection too many. It is told so after it has said something, since whoever is cut off while
 * speaking does not hear the answer; but not many are listened to at once, nor for long.
 */
record RefusedConnection(HelidonSocket socket, ConnectionLimits limits, HttpProblem problem)
    implements ServerConnection {

  @Override
  public void handle(Limit limit) {
    if (!limits.mayListenToRefused()) {
      return;
    }
    ConnectionTraffic traffic = new ConnectionTraffic(limits, socket);
    traffic.beRefused();
    limits.watch(traffic);
    try {
      if (traffic.next() != null) {
        traffic.write(() -> socket.write(BufferData.create(RawAnswer.of(problem))));
      }
    } catch (TlsSocket.NotTls e) {
      // is told nothing
    } catch (UncheckedIOException e) {
      // has not waited for the answer
    } finally {
      TlsSocket.end(socket, traffic);
      limits.ended(traffic);
      limits.refusedLeft();
    }
  }

  @Override
  public Duration idleTime() {
    return Duration.ZERO;
  }

  @Override
  public void close(boolean interrupt) {
    // it ends by itself within seconds
  }
}
