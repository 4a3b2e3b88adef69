package dev.postrider.channels.socket;

import java.io.IOException;
import java.net.URI;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A WebSocket one can wait on: one message at a time, and the next is not asked for before, so that
 * what is not stored yet stays with the platform. Its errors name the host and never the address,
 * which may hold a ticket. For one thread; blocks in real time.
 */
public final class TextWebSocket implements AutoCloseable {
  /** What a connection that broke without a word is said to have ended with. */
  public static final int LOST = 1006;

  private static final int LONGEST = 16 << 20;
  private static final Duration TO_SAY = Duration.ofSeconds(30);

  /** What the other side did. */
  public sealed interface Heard {
    record Said(String text) implements Heard {}

    record Ended(int code, String reason) implements Heard {}
  }

  /** In order; empty for a ping or a pong, which only say that somebody is there. */
  private final BlockingQueue<Optional<Heard>> heard = new LinkedBlockingQueue<>();

  private final String host;
  private final WebSocket socket;

  private TextWebSocket(WebSocket.Builder builder, URI address)
      throws IOException, InterruptedException {
    host = String.valueOf(address.getHost());
    CompletableFuture<WebSocket> connecting = builder.buildAsync(address, new Ear());
    try {
      socket = done(connecting, null);
    } catch (InterruptedException e) {
      connecting.thenAccept(WebSocket::abort); // one that comes about too late is nobody's
      throw e;
    }
  }

  /** Connects; the builder's own limit of time applies. */
  public static TextWebSocket connect(WebSocket.Builder builder, URI address)
      throws IOException, InterruptedException {
    try {
      return new TextWebSocket(builder, address);
    } catch (IllegalArgumentException e) {
      throw new IOException("the address of the socket is none"); // nor is it repeated
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
        done(socket.sendPing(ByteBuffer.allocate(0)), TO_SAY);
      } else if (next.isPresent()) {
        return next.get();
      }
      asked = next == null;
    }
  }

  private @Nullable Optional<Heard> poll(long nanos) throws InterruptedException {
    Optional<Heard> next = heard.poll(nanos, TimeUnit.NANOSECONDS);
    if (next != null && !(next.orElse(null) instanceof Heard.Ended)) {
      socket.request(1);
    }
    return next;
  }

  public void say(String text) throws IOException, InterruptedException {
    done(socket.sendText(text, true), TO_SAY);
  }

  /** Without a farewell: to some platforms that would end more than the connection. */
  @Override
  public void close() {
    socket.abort();
    heard.add(
        Optional.of(new Heard.Ended(LOST, "closed"))); // who waits for something waits no more
  }

  private <T> T done(CompletableFuture<T> future, @Nullable Duration patience)
      throws IOException, InterruptedException {
    try {
      return patience == null
          ? future.get()
          : future.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw new IOException("the socket to " + host + " takes nothing any more");
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      String kind =
          cause instanceof WebSocketHandshakeException refused
              ? "status " + refused.getResponse().statusCode() + " instead of a socket"
              : cause.getClass().getSimpleName();
      throw new IOException("the socket to " + host + " fails: " + kind);
    }
  }

  private final class Ear implements WebSocket.Listener {
    private final StringBuilder text = new StringBuilder();

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
      text.append(data);
      if (text.length() > LONGEST) {
        heard.add(Optional.of(new Heard.Ended(LOST, "a message without an end")));
        from.abort();
      } else if (last) {
        heard.add(Optional.of(new Heard.Said(text.toString())));
        text.setLength(0);
      } else {
        from.request(1);
      }
      return null;
    }

    @Override
    public @Nullable CompletionStage<?> onPing(WebSocket from, ByteBuffer message) {
      heard.add(Optional.empty());
      return null;
    }

    @Override
    public @Nullable CompletionStage<?> onPong(WebSocket from, ByteBuffer message) {
      heard.add(Optional.empty());
      return null;
    }

    @Override
    public @Nullable CompletionStage<?> onClose(WebSocket from, int code, String reason) {
      heard.add(Optional.of(new Heard.Ended(code, reason)));
      return null;
    }

    @Override
    public void onError(WebSocket from, Throwable error) {
      heard.add(Optional.of(new Heard.Ended(LOST, error.getClass().getSimpleName())));
    }
  }
}
