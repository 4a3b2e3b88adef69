package dev.postrider.bench;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Posts messages over keep-alive connections with as little client as possible: the server shares
 * the machine.
 */
final class HttpLoad {
  private HttpLoad() {}

  /** Accepted messages per second. */
  static double run(int port, int connections, int messages, int chats)
      throws InterruptedException {
    AtomicInteger next = new AtomicInteger();
    AtomicLong accepted = new AtomicLong();
    CountDownLatch done = new CountDownLatch(connections);
    long start = System.nanoTime();
    for (int i = 0; i < connections; i++) {
      Thread.ofVirtual()
          .start(
              () -> {
                try (Socket socket = new Socket("127.0.0.1", port)) {
                  socket.setTcpNoDelay(true);
                  InputStream in = new BufferedInputStream(socket.getInputStream(), 4096);
                  OutputStream out = socket.getOutputStream();
                  for (int n = next.getAndIncrement(); n < messages; n = next.getAndIncrement()) {
                    out.write(request(port, n % chats));
                    if (status(in) == 202) {
                      accepted.incrementAndGet();
                    }
                  }
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                } finally {
                  done.countDown();
                }
              });
    }
    done.await();
    double seconds = (System.nanoTime() - start) / 1e9;
    if (accepted.get() != messages) {
      throw new IllegalStateException("only " + accepted.get() + " of " + messages + " accepted");
    }
    return messages / seconds;
  }

  private static byte[] request(int port, int chat) {
    String body =
        "{\"account\":\"sandbox\",\"to\":\"chat-%d\",\"text\":\"%s\"}"
            .formatted(chat, "x".repeat(160));
    return ("POST /v1/messages HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s")
        .formatted(port, body.length(), body)
        .getBytes(StandardCharsets.US_ASCII);
  }

  /** Reads one answer whole; gives its status. */
  private static int status(InputStream in) throws IOException {
    String line = line(in);
    int status = Integer.parseInt(line.substring(9, 12));
    int length = 0;
    boolean chunked = false;
    for (line = line(in); !line.isEmpty(); line = line(in)) {
      if (line.regionMatches(true, 0, "content-length:", 0, 15)) {
        length = Integer.parseInt(line.substring(15).strip());
      } else if (line.regionMatches(true, 0, "transfer-encoding: chunked", 0, 26)) {
        chunked = true;
      }
    }
    if (chunked) {
      int size;
      do {
        size = Integer.parseInt(line(in).strip(), 16);
        in.skipNBytes(size + 2L);
      } while (size > 0);
    } else {
      in.skipNBytes(length);
    }
    return status;
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder(64);
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new IOException("the server closed the connection");
      }
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }
}
