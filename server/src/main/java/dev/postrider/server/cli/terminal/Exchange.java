package dev.postrider.server.cli.terminal;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/**
 * One request on a connection of its own, in plain HTTP/1.1. Java's client can do far more, but a
 * command that asks one question would spend most of its time on loading it.
 */
final class Exchange {
  private static final Duration CONNECT = Duration.ofSeconds(5);
  private static final Duration ANSWER = Duration.ofSeconds(90);
  private static final int LONGEST_LINE = 16 << 10;
  private static final int MOST_HEADERS = 200;

  private Exchange() {}

  /**
   * An answer, whose body is read from the connection.
   *
   * @param headers by their names in lower case
   * @param body closes the connection
   */
  record Answer(int status, Map<String, String> headers, InputStream body) {}

  /** What is sent after the headers. */
  record Content(String type, long size, InputStream bytes) {}

  /** Nobody was there to be asked: nothing was sent. */
  static final class NotConnected extends IOException {
    private static final long serialVersionUID = 1L;

    NotConnected(IOException cause) {
      super(cause.getMessage(), cause);
    }
  }

  static Answer make(
      String method,
      URI address,
      Map<String, String> headers,
      Content content,
      Supplier<SSLContext> tls)
      throws IOException {
    Socket socket = connect(address, tls);
    try {
      StringBuilder head = new StringBuilder();
      head.append(method).append(' ').append(address.getRawPath());
      head.append(address.getRawQuery() == null ? "" : "?" + address.getRawQuery());
      head.append(" HTTP/1.1\r\nHost: ").append(address.getRawAuthority());
      head.append("\r\nConnection: close\r\n");
      headers.forEach((name, value) -> head.append(line(name, value)));
      if (!method.equals("GET")) {
        head.append(line("Content-Type", content.type()));
        head.append(line("Content-Length", Long.toString(content.size())));
      }
      String text = head.append("\r\n").toString();
      if (text.lines().count() != text.chars().filter(each -> each == '\n').count()) {
        throw new ProtocolException("a header has a line break in it");
      }
      ask(socket, text, content.bytes());
      return answer(new BufferedInputStream(new Held(socket)));
    } catch (IOException | RuntimeException e) {
      socket.close();
      throw e;
    }
  }

  private static String line(String name, String value) {
    return name + ": " + value + "\r\n";
  }

  private static Socket connect(URI address, Supplier<SSLContext> tls) throws IOException {
    boolean safe = address.getScheme().equals("https");
    String host = address.getHost();
    int port = address.getPort() > 0 ? address.getPort() : safe ? 443 : 80;
    Socket socket = new Socket();
    try {
      socket.connect(new InetSocketAddress(host, port), (int) CONNECT.toMillis());
    } catch (IOException e) {
      socket.close();
      throw new NotConnected(e);
    }
    socket.setSoTimeout((int) ANSWER.toMillis());
    if (!safe) {
      return socket;
    }
    SSLSocket wrapped =
        (SSLSocket) tls.get().getSocketFactory().createSocket(socket, host, port, true);
    SSLParameters parameters = wrapped.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    wrapped.setSSLParameters(parameters);
    wrapped.startHandshake();
    return wrapped;
  }

  private static void ask(Socket socket, String head, InputStream content) throws IOException {
    OutputStream out = new BufferedOutputStream(socket.getOutputStream());
    out.write(head.getBytes(StandardCharsets.UTF_8));
    try {
      content.transferTo(out);
      out.flush();
    } catch (IOException e) {
      // The server may have answered before it had read everything, and hung up.
      if (socket.getInputStream().available() == 0) {
        throw e;
      }
    }
  }

  private static Answer answer(InputStream in) throws IOException {
    int status;
    Map<String, String> headers = new HashMap<>();
    do {
      String[] words = line(in).split(" ", 3);
      if (words.length < 2 || !words[0].startsWith("HTTP/1.") || !words[1].matches("[1-5]\\d\\d")) {
        throw new ProtocolException("what answers does not speak HTTP");
      }
      status = Integer.parseInt(words[1]);
      headers.clear();
      for (String line = line(in); !line.isEmpty(); line = line(in)) {
        int colon = line.indexOf(':');
        if (colon < 1 || headers.size() == MOST_HEADERS) {
          throw new ProtocolException("an answer whose headers cannot be read");
        }
        headers.put(
            line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).strip());
      }
    } while (status < 200); // an interim answer
    String length = headers.getOrDefault("content-length", "");
    InputStream body =
        headers.getOrDefault("transfer-encoding", "").equalsIgnoreCase("chunked")
            ? new Chunked(in)
            : length.matches("\\d{1,18}") ? new Sized(in, Long.parseLong(length)) : in;
    return new Answer(status, headers, status == 204 || status == 304 ? new Sized(in, 0) : body);
  }

  private static String line(InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = in.read(); next != '\n'; next = in.read()) {
      if (next < 0) {
        throw new EOFException("it hung up");
      }
      if (line.length() == LONGEST_LINE) {
        throw new ProtocolException("an answer whose headers are too long");
      }
      line.append((char) next);
    }
    return line.toString().stripTrailing();
  }

  /** What comes from a socket, which is closed with it. */
  private static final class Held extends FilterInputStream {
    private final Socket socket;

    Held(Socket socket) throws IOException {
      super(socket.getInputStream());
      this.socket = socket;
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  /** A body of known size; one that ends earlier is an error, not a short body. */
  private static class Sized extends FilterInputStream {
    long left;

    Sized(InputStream in, long size) {
      super(in);
      left = size;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] to, int from, int length) throws IOException {
      if (left == 0) {
        return -1;
      }
      int count = in.read(to, from, (int) Math.min(length, left));
      if (count < 0) {
        throw new EOFException("it hung up in the middle of its answer");
      }
      left -= count;
      return count;
    }
  }

  /** A body in pieces, each after its size; the last one is empty. */
  private static final class Chunked extends Sized {
    private boolean began;
    private boolean ended;

    Chunked(InputStream in) {
      super(in, 0);
    }

    @Override
    public int read(byte[] to, int from, int length) throws IOException {
      if (left == 0 && !ended) {
        next();
      }
      return super.read(to, from, length);
    }

    private void next() throws IOException {
      if (began) {
        line(in); // the end of the piece before
      }
      began = true;
      String size = line(in).split(";", 2)[0].strip();
      if (!size.matches("[0-9A-Fa-f]{1,15}")) {
        throw new ProtocolException("an answer whose pieces cannot be read");
      }
      left = Long.parseLong(size, 16);
      ended = left == 0;
    }
  }
}
