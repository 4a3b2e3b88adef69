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
import java.util.function.IntFunction;

/**
 * Posts messages over keep-alive connections with as little client as possible: the server shares
 * the machine.
 */
final class HttpLoad {
  static final String HOOK_SECRET = "bench";

  private HttpLoad() {}

  /** Accepted messages per second. */
  static double run(int port, int connections, int messages, int chats)
      throws InterruptedException {
    return run(port, connections, messages, 202, n -> message(port, n % chats));
  }

  /** Webhooks of a platform taken in per second; each tells of another event. */
  static double hooks(int port, int connections, int from, int count) throws InterruptedException {
    return run(port, connections, count, 200, n -> hook(port, from + n));
  }

  private static double run(
      int port, int connections, int messages, int expected, IntFunction<byte[]> request)
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
                    out.write(request.apply(n));
                    if (status(in) == expected) {
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

  private static byte[] message(int port, int chat) {
    return post(
        port,
        "/v1/messages",
        "",
        "{\"account\":\"sandbox\",\"to\":\"chat-%d\",\"text\":\"%s\"}"
            .formatted(chat, "x".repeat(160)));
  }

  /** What Telegram would tell, one of 1,000 chats after the other. */
  private static byte[] hook(int port, int update) {
    int chat = 1 + update % 1_000;
    return post(
        port,
        "/hooks/telegram",
        "X-Telegram-Bot-Api-Secret-Token: " + HOOK_SECRET + "\r\n",
        """
        {"update_id":%d,"message":{"message_id":%d,"date":1700000000,"text":"%s",\
        "chat":{"id":%d,"type":"private","first_name":"Ann"},\
        "from":{"id":%d,"is_bot":false,"first_name":"Ann","language_code":"en"}}}"""
            .formatted(update, update, "x".repeat(160), chat, chat));
  }

  private static byte[] post(int port, String path, String headers, String body) {
    return ("POST %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n%sContent-Type: application/json\r\n"
            + "Content-Length: %d\r\n\r\n%s")
        .formatted(path, port, headers, body.length(), body)
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
