package dev.postrider.channels.socket;

import dev.postrider.channels.socket.WebSocketFrames.Message;
import dev.postrider.channels.socket.WebSocketFrames.ProtocolError;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Proxy;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A WebSocket one can wait on: one message at a time, and the next is not read before, so that what
 * is not stored yet stays with the platform. Its errors name the host and never the address, which
 * may hold a ticket. For one thread; blocks in real time. ADR 53 says why it is our own.
 */
public final class TextWebSocket implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(TextWebSocket.class);

  /** What a connection that broke without a word is said to have ended with. */
  public static final int LOST = 1006;

  private static final int WITHOUT_A_CODE = 1005;
  private static final int LONGEST = 16 << 20;
  private static final Duration TO_SAY = Duration.ofSeconds(30);

  /**
   * How to connect.
   *
   * @param patience how long that may take
   * @param tls whom to believe; null for those whom the system believes
   * @param headers what is told to the server
   * @param allowed which addresses may be connected to, whatever the host's name; not asked of a
   *     proxy, which looks the name up by itself
   */
  public record Terms(
      Duration patience,
      Proxy proxy,
      @Nullable SSLContext tls,
      Map<String, String> headers,
      Predicate<InetAddress> allowed) {

    public Terms(
        Duration patience, Proxy proxy, @Nullable SSLContext tls, Map<String, String> headers) {
      this(patience, proxy, tls, headers, _ -> true);
    }

    public Terms with(Map<String, String> told) {
      return new Terms(patience, proxy, tls, told, allowed);
    }

    public Terms onlyTo(Predicate<InetAddress> addresses) {
      return new Terms(patience, proxy, tls, headers, addresses);
    }
  }

  /** What the other side did. */
  public sealed interface Heard {
    record Said(String text) implements Heard {}

    record Ended(int code, String reason) implements Heard {}
  }

  /** In order; empty for a sign of life without a text, such as a ping or a pong. */
  private final BlockingQueue<Optional<Heard>> heard = new LinkedBlockingQueue<>();

  /** One for each that was taken out of the queue: only then is the next one read. */
  private final Semaphore taken = new Semaphore(0);

  private final String host;
  private final TcpConnection connection;
  private final WebSocketFrames frames;

  private TextWebSocket(String host, TcpConnection connection, InputStream in) throws IOException {
    this.host = host;
    this.connection = connection;
    frames = new WebSocketFrames(in, connection.socket().getOutputStream(), LONGEST);
  }

  /** Connects, or says why that cannot be. */
  public static TextWebSocket connect(Terms terms, URI address)
      throws IOException, InterruptedException {
    boolean secure = "wss".equals(address.getScheme());
    if (address.getHost() == null || !(secure || "ws".equals(address.getScheme()))) {
      throw new IOException("the address of the socket is none"); // nor is it repeated
    }
    String host = address.getHost();
    int port = address.getPort() >= 0 ? address.getPort() : secure ? 443 : 80;
    TcpConnection.Peer peer =
        new TcpConnection.Peer(host, port, terms.proxy, terms.patience, terms.allowed);
    TcpConnection connection = null;
    try {
      connection = secure ? TcpConnection.tls(peer, terms.tls) : TcpConnection.plain(peer);
      InputStream in = new BufferedInputStream(connection.socket().getInputStream());
      shakeHands(new WebSocketHandshake(address, terms.headers), connection, in, terms.patience);
      TextWebSocket socket = new TextWebSocket(host, connection, in);
      Thread.ofVirtual().name("websocket " + host).start(socket::follow);
      return socket;
    } catch (IOException e) {
      if (connection != null) {
        connection.close();
      }
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
      throw new IOException("the socket to " + host + " fails: " + e.getMessage());
    }
  }

  private static void shakeHands(
      WebSocketHandshake handshake, TcpConnection connection, InputStream in, Duration patience)
      throws IOException {
    connection.socket().setSoTimeout(Math.toIntExact(patience.toMillis()));
    connection.socket().getOutputStream().write(handshake.request());
    handshake.readAnswer(in);
    connection.socket().setSoTimeout(0);
  }

  /** Reads until the connection ends. */
  private void follow() {
    try {
      while (true) {
        Message message = frames.read();
        if (message.opcode() == WebSocketFrames.CLOSE) {
          frames.write(WebSocketFrames.CLOSE, message.payload());
          end(message.payload());
          return;
        }
        if (message.opcode() == WebSocketFrames.PING) {
          frames.write(WebSocketFrames.PONG, message.payload());
        }
        heard.add(
            message.opcode() == WebSocketFrames.TEXT
                ? Optional.of(new Heard.Said(text(message.payload())))
                : Optional.empty());
        taken.acquireUninterruptibly();
      }
    } catch (EOFException e) {
      heard.add(Optional.of(new Heard.Ended(LOST, "")));
    } catch (IOException e) {
      heard.add(Optional.of(new Heard.Ended(LOST, String.valueOf(e.getMessage()))));
    } finally {
      drop();
    }
  }

  private void end(byte[] payload) {
    ByteBuffer close = ByteBuffer.wrap(payload);
    int code = close.remaining() < 2 ? WITHOUT_A_CODE : Short.toUnsignedInt(close.getShort());
    String reason = StandardCharsets.UTF_8.decode(close).toString();
    heard.add(Optional.of(new Heard.Ended(code, reason)));
  }

  private static String text(byte[] payload) throws IOException {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(payload)).toString();
    } catch (CharacterCodingException e) {
      throw new ProtocolError("a text that is none");
    }
  }

  /** What comes next, or null if nothing does in this time. */
  public @Nullable Heard next(Duration patience) throws InterruptedException {
    long until = System.nanoTime() + patience.toNanos();
    while (true) {
      Optional<Heard> next = poll(until - System.nanoTime());
      if (next == null) {
        return null;
      }
      if (next.isPresent()) {
        return next.get();
      }
    }
  }

  /**
   * What comes next, however long it takes. A connection that is quiet for so long is pinged; one
   * that stays quiet then is lost.
   */
  public Heard nextKeptAlive(Duration idle) throws IOException, InterruptedException {
    boolean asked = false;
    while (true) {
      Optional<Heard> next = poll(idle.toNanos());
      if (next == null && asked) {
        return new Heard.Ended(LOST, "it has fallen silent");
      }
      if (next == null) {
        write(WebSocketFrames.PING, new byte[0]);
      } else if (next.isPresent()) {
        return next.get();
      }
      asked = next == null;
    }
  }

  private @Nullable Optional<Heard> poll(long nanos) throws InterruptedException {
    Optional<Heard> next = heard.poll(nanos, TimeUnit.NANOSECONDS);
    if (next != null && !(next.orElse(null) instanceof Heard.Ended)) {
      taken.release();
    }
    return next;
  }

  public void say(String text) throws IOException, InterruptedException {
    write(WebSocketFrames.TEXT, text.getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Writes on a thread that may be left behind: who does not read can make a write last for ever.
   */
  private void write(int opcode, byte[] payload) throws IOException, InterruptedException {
    CompletableFuture<Void> written = new CompletableFuture<>();
    Thread.ofVirtual()
        .name("websocket " + host)
        .start(
            () -> {
              try {
                frames.write(opcode, payload);
                written.complete(null);
              } catch (IOException e) {
                written.completeExceptionally(e);
              }
            });
    try {
      written.get(TO_SAY.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      drop();
      throw new IOException("the socket to " + host + " takes nothing any more");
    } catch (ExecutionException e) {
      throw new IOException(
          "the socket to " + host + " fails: " + Objects.requireNonNull(e.getCause()).getMessage());
    }
  }

  /** Whether the connection has ended on our side. */
  public boolean isOver() {
    return connection.raw().isClosed();
  }

  /** Without a farewell: to some platforms that would end more than the connection. */
  @Override
  public void close() {
    drop();
    heard.add(
        Optional.of(new Heard.Ended(LOST, "closed"))); // who waits for something waits no more,
    taken.release(); // nor does who reads
  }

  private void drop() {
    try {
      connection.close();
    } catch (IOException e) {
      log.debug("{}: {}", host, e.getMessage()); // it is gone all the same
    }
  }
}
