package dev.postrider.testkit.platform;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** HTTP/1.1 on one socket, as much of it as a client under test can notice. */
final class Wire {
  private static final byte[] FILLER = "All work and no play.\n".repeat(200).getBytes(UTF_8);

  private static final int TLS_HANDSHAKE = 0x16;

  private final Socket socket;
  private final InputStream in;
  private final OutputStream out;

  /** The head of a request. */
  record Head(String method, String path, Map<String, String> headers) {
    boolean wantsClose() {
      return "close".equalsIgnoreCase(headers.get("connection"));
    }
  }

  Wire(Socket socket) throws IOException {
    this.socket = socket;
    socket.setTcpNoDelay(true);
    in = new BufferedInputStream(socket.getInputStream());
    out = socket.getOutputStream();
  }

  /** The head of the next request, or null if the client is done. */
  @Nullable Head readHead() throws IOException {
    in.mark(1);
    if (in.read() == TLS_HANDSHAKE) {
      throw new IOException("somebody speaks TLS to us");
    }
    in.reset();
    String start = readLine();
    if (start == null) {
      return null;
    }
    String[] words = start.split(" ", 3);
    if (words.length < 3) {
      throw new IOException("not HTTP");
    }
    Map<String, String> headers = new HashMap<>();
    for (String line = readLine(); line != null && !line.isEmpty(); line = readLine()) {
      int colon = line.indexOf(':');
      headers.put(
          line.substring(0, Math.max(colon, 0)).toLowerCase(Locale.ROOT),
          line.substring(colon + 1).strip());
    }
    return new Head(words[0], words[1], headers);
  }

  byte[] readBody(Head head) throws IOException {
    if ("chunked".equalsIgnoreCase(head.headers().get("transfer-encoding"))) {
      return readChunks();
    }
    return exactly(Integer.parseInt(head.headers().getOrDefault("content-length", "0")));
  }

  private byte[] readChunks() throws IOException {
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    while (true) {
      String size = readLine();
      if (size == null) {
        throw new EOFException();
      }
      int length = Integer.parseInt(size.strip(), 16);
      body.write(exactly(length));
      readLine();
      if (length == 0) {
        return body.toByteArray();
      }
    }
  }

  private byte[] exactly(int length) throws IOException {
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException();
    }
    return bytes;
  }

  private @Nullable String readLine() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0) {
        return null;
      }
      if (b != '\r') {
        line.write(b);
      }
    }
    return line.toString(UTF_8);
  }

  /** Does what the reply says. Returns whether the connection can take another request. */
  boolean write(Reply reply) throws IOException, InterruptedException {
    return switch (reply) {
      case Reply.Answer answer -> {
        answer(answer);
        yield true;
      }
      case Reply.HalfAnswer(Reply.Answer whole) -> {
        out.write(head(whole));
        out.write(whole.body(), 0, whole.body().length / 2);
        yield false;
      }
      case Reply.EndlessBody(int status) -> {
        out.write(("HTTP/1.1 " + status + " Endless\r\n\r\n").getBytes(UTF_8));
        while (!Thread.interrupted()) {
          out.write(FILLER);
        }
        yield false;
      }
      case Reply.Live(String type, Reply.Live.Writer body) -> {
        out.write(("HTTP/1.1 200 Live\r\nContent-Type: " + type + "\r\n\r\n").getBytes(UTF_8));
        body.to(out);
        yield false;
      }
      case Reply.HangUp _, Reply.Slam _ -> false;
      case Reply.Reset _ -> {
        socket.setSoLinger(true, 0);
        yield false;
      }
      case Reply.Silence _ -> {
        // Ends when either side closes the connection.
        in.transferTo(OutputStream.nullOutputStream());
        yield false;
      }
    };
  }

  private void answer(Reply.Answer answer) throws IOException, InterruptedException {
    pause(answer.beforeHead());
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    bytes.write(head(answer));
    if (answer.midBody().isZero()) {
      bytes.write(answer.body());
      out.write(bytes.toByteArray());
      return;
    }
    int half = answer.body().length / 2;
    bytes.write(answer.body(), 0, half);
    out.write(bytes.toByteArray());
    pause(answer.midBody());
    out.write(answer.body(), half, answer.body().length - half);
  }

  private static void pause(Duration delay) throws InterruptedException {
    if (delay.isPositive()) {
      Thread.sleep(delay);
    }
  }

  private static byte[] head(Reply.Answer answer) {
    StringBuilder head = new StringBuilder("HTTP/1.1 " + answer.status() + " Scripted\r\n");
    answer.headers().forEach((name, value) -> head.append(name + ": " + value + "\r\n"));
    head.append("Content-Length: " + answer.body().length + "\r\n\r\n");
    return head.toString().getBytes(UTF_8);
  }
}
