package dev.postrider.channels.socket;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.function.Supplier;
import javax.net.ServerSocketFactory;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** The other end of WebSockets, frame by frame (RFC 6455). A test plays the server itself. */
public final class WebSocketPeer implements AutoCloseable {
  private static final int TEXT = 1;
  private static final int PING = 9;
  private static final int PONG = 10;

  private final ServerSocket listener;
  private final String base;

  public WebSocketPeer() throws IOException {
    this(0);
  }

  /** On a port of one's own: for coming back after a restart. */
  public WebSocketPeer(int port) throws IOException {
    this(ServerSocketFactory.getDefault(), port, "ws://127.0.0.1:");
  }

  /** One that speaks TLS. */
  WebSocketPeer(SSLContext tls) throws IOException {
    this(tls.getServerSocketFactory(), 0, "wss://localhost:");
  }

  private WebSocketPeer(ServerSocketFactory sockets, int port, String base) throws IOException {
    listener = sockets.createServerSocket();
    listener.setReceiveBufferSize(1 << 16); // what is not read is soon felt
    listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 8);
    this.base = base;
    listener.setSoTimeout(300_000);
  }

  /** With a path, and something that nobody may show. */
  public String address() {
    return url() + "/link?ticket=very-secret";
  }

  public int port() {
    return listener.getLocalPort();
  }

  public String url() {
    return base + listener.getLocalPort();
  }

  /** Waits for the next client and shakes hands. */
  public Connection accept() throws Exception {
    Connection connection = new Connection(listener.accept());
    connection.shakeHands(connection.readHead());
    return connection;
  }

  /**
   * The same with clients that only want to read a page.
   *
   * @param page what they get
   * @return null if it was one of those
   */
  public @Nullable Connection acceptOrAnswer(Supplier<String> page) throws Exception {
    Connection connection = new Connection(listener.accept());
    List<String> head = connection.readHead();
    if (head.stream().anyMatch(line -> line.toLowerCase(Locale.ROOT).startsWith("upgrade:"))) {
      connection.shakeHands(head);
      return connection;
    }
    try (connection) {
      byte[] body = page.get().getBytes(StandardCharsets.UTF_8);
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: " + body.length + "\r\n\r\n");
      connection.write(body);
    }
    return null;
  }

  /** Waits for the next client and takes it, as somebody who does not know the protocol. */
  void pretend() throws Exception {
    try (Connection connection = new Connection(listener.accept())) {
      connection.readHead();
      connection.write("HTTP/1.1 101 Whatever You Say\r\n\r\n");
    }
  }

  /** Waits for the next client and turns it away. */
  public void refuse() throws Exception {
    try (Connection connection = new Connection(listener.accept())) {
      connection.readHead();
      connection.write("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n");
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }

  public static final class Connection implements AutoCloseable {
    private final Socket socket;
    private final DataInputStream in;
    private final OutputStream out;
    private String path = "";
    private boolean begun;

    private Connection(Socket socket) throws IOException {
      this.socket = socket;
      socket.setSoTimeout(300_000);
      in = new DataInputStream(socket.getInputStream());
      out = socket.getOutputStream();
    }

    /** The path and query that the client asked for. */
    public String path() {
      return path;
    }

    private List<String> readHead() throws IOException {
      List<String> lines = new ArrayList<>();
      StringBuilder line = new StringBuilder();
      while (true) {
        int c = in.readUnsignedByte();
        if (c != '\n') {
          line.append((char) c);
        } else if (line.toString().isBlank()) {
          return lines;
        } else {
          lines.add(line.toString().strip());
          line.setLength(0);
        }
      }
    }

    private void shakeHands(List<String> head) throws Exception {
      path = head.getFirst().split(" ")[1];
      String key =
          head.stream()
              .filter(line -> line.toLowerCase(Locale.ROOT).startsWith("sec-websocket-key:"))
              .findFirst()
              .orElseThrow()
              .substring(18)
              .strip();
      byte[] hash =
          MessageDigest.getInstance("SHA-1")
              .digest(
                  (key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11")
                      .getBytes(StandardCharsets.US_ASCII));
      write(
          "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
              + "Sec-WebSocket-Accept: "
              + Base64.getEncoder().encodeToString(hash)
              + "\r\n\r\n");
    }

    private void write(String text) throws IOException {
      write(text.getBytes(StandardCharsets.US_ASCII));
    }

    private void write(byte[] bytes) throws IOException {
      out.write(bytes);
      out.flush();
    }

    private void frame(int first, byte[] payload) throws IOException {
      out.write(first);
      if (payload.length < 126) {
        out.write(payload.length);
      } else {
        out.write(new byte[] {126, (byte) (payload.length >> 8), (byte) payload.length});
      }
      write(payload);
    }

    public void say(String text) throws IOException {
      frame(0x80 | TEXT, text.getBytes(StandardCharsets.UTF_8));
    }

    /** The same in two frames. */
    public void sayInPieces(String text) throws IOException {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      frame(TEXT, Arrays.copyOf(bytes, 10));
      frame(0x80, Arrays.copyOfRange(bytes, 10, bytes.length));
    }

    /** A piece of a message that goes on. */
    public void sayOn(String text) throws IOException {
      frame(begun ? 0 : TEXT, text.getBytes(StandardCharsets.UTF_8));
      begun = true;
    }

    public void pong() throws IOException {
      frame(0x80 | PONG, new byte[0]);
    }

    public void hangUp(int code, String reason) throws IOException {
      byte[] text = reason.getBytes(StandardCharsets.UTF_8);
      frame(0x88, ByteBuffer.allocate(2 + text.length).putShort((short) code).put(text).array());
    }

    /** The next text or ping the client sends; null once it is gone. */
    public @Nullable String hear() throws IOException {
      try {
        while (true) {
          int opcode = in.readUnsignedByte() & 0xf;
          int length = in.readUnsignedByte() & 0x7f;
          length = length == 126 ? in.readUnsignedShort() : length;
          byte[] mask = in.readNBytes(4);
          byte[] payload = in.readNBytes(length);
          for (int i = 0; i < payload.length; i++) {
            payload[i] ^= mask[i % 4];
          }
          if (opcode == TEXT) {
            return new String(payload, StandardCharsets.UTF_8);
          }
          if (opcode == PING) {
            return "ping";
          }
        }
      } catch (EOFException | SocketException e) {
        return null;
      }
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }
}
