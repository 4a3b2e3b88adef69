package dev.postrider.server.http;

import io.helidon.common.buffers.DataReader;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.ConnectionContext;
import io.helidon.webserver.http1.Http1Config;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A request in HTTP/1.0, to be read as if it were one in HTTP/1.1 with nothing after it. */
final class Http10Request {
  static final String VERSION = " HTTP/1.0";

  private static final int MOST_AT_ONCE = 64 << 10;

  /** What HTTP/1.0 does not know, or what is said in its place. */
  private static final Set<String> DROPPED =
      Set.of("connection", "keep-alive", "proxy-connection", "expect", "upgrade", "te");

  private final DataReader from;
  private final boolean keepAliveAsked;
  private byte @Nullable [] head;
  private long bodyLeft;

  private Http10Request(DataReader from, byte[] head, long bodyLength, boolean keepAliveAsked) {
    this.from = from;
    this.head = head;
    bodyLeft = bodyLength;
    this.keepAliveAsked = keepAliveAsked;
  }

  /** Reads a head whose first line has been seen to be HTTP/1.0. */
  static Http10Request read(DataReader from, ConnectionContext context, Http1Config config) {
    StringBuilder head = new StringBuilder();
    String first = line(from, config.maxPrologueLength());
    head.append(first, 0, first.length() - VERSION.length()).append(" HTTP/1.1\r\n");
    long length = 0;
    boolean keepAlive = false;
    boolean host = false;
    int left = config.maxHeadersSize();
    for (String line = line(from, left); !line.isEmpty(); line = line(from, left)) {
      left -= line.length() + 2;
      int colon = line.indexOf(':');
      String name = line.substring(0, Math.max(colon, 0)).strip().toLowerCase(Locale.ROOT);
      String value = line.substring(colon + 1).strip();
      switch (name) {
        case "connection" -> keepAlive |= value.toLowerCase(Locale.ROOT).contains("keep-alive");
        case "content-length" -> length = length(value);
        case "transfer-encoding" -> length = Long.MAX_VALUE; // ends where its chunks say
        case "host" -> host = true;
        default -> {}
      }
      if (!DROPPED.contains(name)) {
        head.append(line).append("\r\n");
      }
    }
    if (!host) {
      head.append("Host: ").append(own(context)).append("\r\n");
    }
    head.append("Connection: close\r\n\r\n");
    byte[] bytes = head.toString().getBytes(StandardCharsets.ISO_8859_1);
    return new Http10Request(from, bytes, length, keepAlive);
  }

  private static String line(DataReader from, int longest) {
    try {
      int end = from.findNewLine(Math.max(longest, 0));
      if (end >= longest) {
        throw new CloseConnectionException("The head is too long.");
      }
      String line = new String(from.readBytes(end), StandardCharsets.ISO_8859_1);
      from.skip(2);
      return line;
    } catch (DataReader.IncorrectNewLineException
        | DataReader.InsufficientDataAvailableException e) {
      throw new CloseConnectionException("The head cannot be read.", e);
    }
  }

  /** Zero for what is no length; Helidon sees the same header and refuses it. */
  private static long length(String value) {
    try {
      return Math.max(0, Long.parseLong(value));
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  /** Old clients may leave out whom they speak to; browsers, for whom it is checked, never do. */
  private static String own(ConnectionContext context) {
    if (context.localPeer().address() instanceof InetSocketAddress address) {
      String host = address.getAddress().getHostAddress();
      return (host.contains(":") ? "[" + host.replaceFirst("%.*", "") + "]" : host)
          + ":"
          + address.getPort();
    }
    return "localhost";
  }

  DataReader reader() {
    return DataReader.create(this::next);
  }

  private byte @Nullable [] next() {
    byte[] begin = head;
    if (begin != null) {
      head = null;
      return begin;
    }
    if (bodyLeft == 0) {
      return null;
    }
    from.ensureAvailable();
    int size = (int) Math.min(Math.min(from.available(), bodyLeft), MOST_AT_ONCE);
    bodyLeft -= size;
    return from.readBytes(size);
  }

  /** Whether another request may follow: the client wants that, and this one has been read. */
  boolean mayBeFollowed() {
    return keepAliveAsked && bodyLeft == 0;
  }
}
