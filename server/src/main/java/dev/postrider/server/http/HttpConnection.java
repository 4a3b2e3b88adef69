package dev.postrider.server.http;

import dev.postrider.server.api.ConnectionLimits;
import dev.postrider.server.api.ConnectionTraffic;
import dev.postrider.server.api.HttpProblem;
import io.helidon.common.buffers.BufferData;
import io.helidon.common.buffers.DataReader;
import io.helidon.common.concurrency.limits.Limit;
import io.helidon.common.socket.HelidonSocket;
import io.helidon.common.socket.SocketWriter;
import io.helidon.common.task.InterruptableTask;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.http1.Http1Config;
import io.helidon.webserver.spi.ServerConnection;
import io.helidon.webserver.spi.ServerConnectionSelector;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A connection that speaks HTTP/1.1 or HTTP/1.0, whichever the first request does. Helidon speaks
 * only the former; a request in HTTP/1.0 is handed to it as one in HTTP/1.1 that says {@code
 * Connection: close}, each to a conversation of its own, and the answer is translated back.
 */
final class HttpConnection implements ServerConnection, InterruptableTask<Void> {
  private final TranslatedContext context;
  private final ConnectionLimits limits;
  private final @Nullable InetAddress address;
  private final HelidonSocket socket;
  private final ConnectionTraffic traffic;
  private final Http1Config config;
  private final ServerConnectionSelector http11;
  private final DataReader reader;
  private final Thread thread = Thread.currentThread();
  private volatile @Nullable ServerConnection spoken;
  private volatile long idleSince = System.nanoTime();
  private volatile boolean closed;

  HttpConnection(
      ConnectionContext context,
      HelidonSocket socket,
      Http1Config config,
      ServerConnectionSelector http11,
      ConnectionLimits limits,
      @Nullable InetAddress address) {
    this.config = config;
    this.http11 = http11;
    this.limits = limits;
    this.address = address;
    this.socket = socket;
    traffic = new ConnectionTraffic(limits, socket);
    reader = DataReader.create(traffic::next);
    this.context =
        new TranslatedContext(
            context, socket, reader, new TimedWriter(SocketWriter.create(socket), traffic));
  }

  @Override
  public void handle(Limit limit) throws InterruptedException {
    limits.watch(traffic);
    try {
      ScopedValue.where(ConnectionTraffic.CURRENT, traffic)
          .<@Nullable Void, InterruptedException>call(
              () -> {
                talk(limit);
                return null;
              });
    } catch (TlsSocket.NotTls e) {
      byte[] answer = RawAnswer.of(HttpProblem.httpsOnly());
      traffic.write(() -> context.context().serverSocket().write(BufferData.create(answer)));
    } finally {
      TlsSocket.end(socket, traffic);
      limits.ended(traffic);
      limits.leave(address);
    }
  }

  private void talk(Limit limit) throws InterruptedException {
    if (!beginsWithHttp10()) {
      speak(context, limit);
      return;
    }
    boolean another = true;
    while (another && !closed) {
      Http10Request request = Http10Request.read(reader, context, config);
      Http10Answer answer = new Http10Answer(context.dataWriter(), request);
      try {
        speak(new TranslatedContext(context, request.reader(), answer), limit);
      } catch (CloseConnectionException e) {
        if (!answer.keepsAlive()) {
          throw e;
        }
      }
      spoken = null;
      idleSince = System.nanoTime();
      another = answer.keepsAlive() && beginsWithHttp10();
    }
  }

  private void speak(ConnectionContext with, Limit limit) throws InterruptedException {
    ServerConnection connection = http11.connection(with);
    spoken = connection;
    if (!closed) {
      connection.handle(limit);
    }
  }

  /** Looks at the request's first line and leaves it where it is. */
  private boolean beginsWithHttp10() {
    try {
      int end = reader.findNewLine(config.maxPrologueLength());
      return end < config.maxPrologueLength()
          && reader
              .getBuffer(end)
              .readString(end, StandardCharsets.US_ASCII)
              .endsWith(Http10Request.VERSION);
    } catch (DataReader.IncorrectNewLineException e) {
      return false; // Helidon finds the right words for it
    } catch (DataReader.InsufficientDataAvailableException e) {
      throw new CloseConnectionException("The other side has gone.", e);
    }
  }

  @Override
  public boolean canInterrupt() {
    ServerConnection now = spoken;
    return now == null || now instanceof InterruptableTask<?> task && task.canInterrupt();
  }

  @Override
  public Duration idleTime() {
    ServerConnection now = spoken;
    return now == null ? Duration.ofNanos(System.nanoTime() - idleSince) : now.idleTime();
  }

  @Override
  public void close(boolean interrupt) {
    closed = true;
    ServerConnection now = spoken;
    if (now == null) {
      thread.interrupt();
    } else {
      now.close(interrupt);
    }
  }
}
