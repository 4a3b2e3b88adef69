package dev.postrider.channels.slack;

import dev.postrider.channel.InboundSink;
import dev.postrider.channel.Outcome;
import dev.postrider.channels.Settings;
import dev.postrider.channels.http.HttpSender;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.slack.SlackApi.Answer;
import dev.postrider.inbound.InboundMessage;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * Socket Mode: what would come to a webhook comes over a WebSocket that we open. One message is
 * read at a time, and acknowledged when it is stored; until then Slack keeps it, and delivers it
 * again on the next socket.
 */
final class SlackSocket {
  private static final Logger log = LoggerFactory.getLogger(SlackSocket.class);

  private final HttpSender http;
  private final SlackApi api;
  private final Duration idle;

  SlackSocket(HttpSender http, SlackApi api, Settings settings) {
    this.http = http;
    this.api = api;
    idle = settings.duration("idle", Duration.ofSeconds(30));
  }

  /** Listens on one socket after the other until interrupted. */
  void listen(InboundSink inlet) throws IOException, InterruptedException {
    while (true) {
      switch (api.read("apps.connections.open", Map.of())) {
        case Answer.Done(JsonNode body) -> listen(address(body), inlet);
        case Answer.Failed(Outcome.Throttled(_, Duration delay, String cause)) -> {
          inlet.failing("Slack gives no socket yet: " + cause);
          if (!inlet.pause(delay)) {
            return;
          }
        }
        case Answer.Failed(Outcome outcome) ->
            throw new IOException("Slack gives no socket: " + outcome);
      }
    }
  }

  private static URI address(JsonNode body) throws IOException {
    try {
      return new URI(body.path("url").asString(""));
    } catch (URISyntaxException e) {
      throw new IOException("Slack names no address for a socket");
    }
  }

  /** Listens on one socket until Slack asks for another one. */
  private void listen(URI address, InboundSink inlet) throws IOException, InterruptedException {
    Ear ear = new Ear();
    WebSocket socket = done(http.webSocket().buildAsync(address, ear));
    try {
      boolean asked = false;
      while (true) {
        switch (ear.heard.poll(idle.toMillis(), TimeUnit.MILLISECONDS)) {
          case null -> {
            if (asked) {
              throw new IOException("Slack's socket has fallen silent");
            }
            done(socket.sendPing(ByteBuffer.allocate(0)));
            asked = true;
          }
          case Heard.End(String cause) -> throw new IOException("Slack's socket ended: " + cause);
          case Heard.Text(String text) when !take(text, socket, inlet) -> {
            return;
          }
          case Heard.Text _, Heard.Sign _ -> {
            asked = false;
            socket.request(1);
          }
        }
      }
    } finally {
      socket.abort();
    }
  }

  /** Returns false if it is time for another socket. */
  private static boolean take(String text, WebSocket socket, InboundSink inlet)
      throws IOException, InterruptedException {
    JsonNode envelope = Json.readObject(text);
    if (envelope == null) {
      throw new IOException("Slack's socket speaks no JSON");
    }
    if (envelope.path("type").asString("").equals("hello")) {
      inlet.connected();
    }
    if (envelope.path("type").asString("").equals("disconnect")) {
      String reason = envelope.path("reason").asString("");
      if (reason.equals("warning") || reason.equals("refresh_requested")) {
        return false;
      }
      throw new IOException("Slack ended the socket: " + reason);
    }
    String id = envelope.path("envelope_id").asString("");
    if (!id.isEmpty()) {
      List<InboundMessage> arrivals = SlackEvents.read(envelope.path("payload"));
      if (arrivals == null) {
        log.warn("Slack's envelope {} holds nothing that can be read; it is passed by", id);
      } else if (!arrivals.isEmpty()) {
        inlet.take(arrivals, List.of(), null);
      }
      done(socket.sendText(Json.write(Map.of("envelope_id", id)), true));
    }
    return true;
  }

  private static <T> T done(CompletableFuture<T> future) throws IOException, InterruptedException {
    try {
      return future.get();
    } catch (ExecutionException e) {
      // By its kind alone: its message may quote the address, which holds a ticket.
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new IOException("Slack's socket fails: " + cause.getClass().getSimpleName());
    }
  }

  /** What the socket says, in order. */
  private sealed interface Heard {
    record Text(String text) implements Heard {}

    /** A ping or a pong: a sign of life. */
    record Sign() implements Heard {}

    record End(String cause) implements Heard {}
  }

  private static final class Ear implements WebSocket.Listener {
    final BlockingQueue<Heard> heard = new LinkedBlockingQueue<>();
    private final StringBuilder text = new StringBuilder();

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
      text.append(data);
      if (last) {
        heard.add(new Heard.Text(text.toString()));
        text.setLength(0);
      } else {
        socket.request(1);
      }
      return null;
    }

    @Override
    public @Nullable CompletionStage<?> onPing(WebSocket socket, ByteBuffer message) {
      heard.add(new Heard.Sign());
      return null;
    }

    @Override
    public @Nullable CompletionStage<?> onPong(WebSocket socket, ByteBuffer message) {
      heard.add(new Heard.Sign());
      return null;
    }

    @Override
    public @Nullable CompletionStage<?> onClose(WebSocket socket, int status, String reason) {
      heard.add(new Heard.End(status + " " + reason));
      return null;
    }

    @Override
    public void onError(WebSocket socket, Throwable error) {
      heard.add(new Heard.End(error.getClass().getSimpleName()));
    }
  }
}
