package dev.postrider.channels.discord;

import dev.postrider.channels.http.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A WebSocket one can wait on: one message at a time, and the next is not asked for before. For one
 * thread.
 */
final class GatewaySocket implements AutoCloseable {
  private static final int LONGEST = 16 << 20;
  private static final int LOST = 1006; // what a WebSocket that broke without a word is said to be

  /** What the other side did. */
  sealed interface Heard {
    record Said(JsonNode message) implements Heard {}

    record Ended(int code, String reason) implements Heard {}
  }

  private final BlockingQueue<Heard> heard = new LinkedBlockingQueue<>();
  private final WebSocket socket;

  /** Connects; the builder's own limit of time applies. */
  GatewaySocket(WebSocket.Builder builder, URI address) throws IOException, InterruptedException {
    try {
      socket = builder.buildAsync(address, new Ear()).get();
    } catch (ExecutionException e) {
      throw new IOException("no gateway at " + address.getHost());
    }
  }

  /** What comes next, or null if nothing does in this time. */
  @Nullable Heard next(Duration patience) throws InterruptedException {
    Heard next = heard.poll(patience.toNanos(), TimeUnit.NANOSECONDS);
    if (next instanceof Heard.Said) {
      socket.request(1);
    }
    return next;
  }

  void say(int op, @Nullable Object data) throws IOException, InterruptedException {
    Map<String, @Nullable Object> message = new HashMap<>();
    message.put("op", op);
    message.put("d", data);
    try {
      socket.sendText(Json.write(message), true).get(30, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException("the gateway does not take what we say");
    }
  }

  /** Without a farewell, which would end the session. */
  @Override
  public void close() {
    socket.abort();
  }

  private final class Ear implements WebSocket.Listener {
    private final StringBuilder text = new StringBuilder();

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
      text.append(data);
      if (text.length() > LONGEST) {
        heard.add(new Heard.Ended(LOST, "a message without an end"));
        from.abort();
      } else if (last) {
        JsonNode message = Json.readObject(text.toString());
        text.setLength(0);
        heard.add(
            message == null
                ? new Heard.Ended(LOST, "a message that is no JSON")
                : new Heard.Said(message));
      } else {
        from.request(1);
      }
      return null;
    }

    @Override
    public @Nullable CompletionStage<?> onClose(WebSocket from, int code, String reason) {
      heard.add(new Heard.Ended(code, reason));
      return null;
    }

    @Override
    public void onError(WebSocket from, Throwable error) {
      heard.add(new Heard.Ended(LOST, error.getClass().getSimpleName()));
    }
  }
}
