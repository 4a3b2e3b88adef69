package dev.postrider.channels.slack;

import dev.postrider.channel.InboundSink;
import dev.postrider.channel.ListeningRefused;
import dev.postrider.channel.Outcome;
import dev.postrider.channels.Settings;
import dev.postrider.channels.http.HttpSender;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.slack.SlackApi.Answer;
import dev.postrider.channels.socket.TextWebSocket;
import dev.postrider.channels.socket.TextWebSocket.Heard;
import dev.postrider.inbound.InboundMessage;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
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

  /** Listens on one socket until it ends, or Slack asks for another one. */
  void listen(InboundSink inlet) throws IOException, InterruptedException {
    switch (api.read("apps.connections.open", Map.of())) {
      case Answer.Done(JsonNode body) -> listen(address(body), inlet);
      case Answer.Failed(Outcome.Throttled(_, Duration delay, String cause)) -> {
        String said = "Slack gives no socket yet: " + cause;
        inlet.failing(said);
        inlet.pause(delay);
        throw new IOException(said);
      }
      case Answer.Failed(Outcome.AccountBroken(String cause)) ->
          throw new ListeningRefused("Slack gives no socket: " + cause + "; check appToken");
      case Answer.Failed(Outcome outcome) ->
          throw new IOException("Slack gives no socket: " + outcome);
    }
  }

  private static URI address(JsonNode body) throws IOException {
    try {
      return new URI(body.path("url").asString(""));
    } catch (URISyntaxException e) {
      throw new IOException("Slack names no address for a socket");
    }
  }

  private void listen(URI address, InboundSink inlet) throws IOException, InterruptedException {
    try (TextWebSocket socket = http.webSocket(address)) {
      while (true) {
        switch (socket.nextKeptAlive(idle)) {
          case Heard.Ended(int code, String reason) ->
              throw new IOException("Slack's socket ended: " + code + " " + reason);
          case Heard.Said(String text) -> {
            if (!take(text, socket, inlet)) {
              return;
            }
          }
        }
      }
    }
  }

  /** Returns false if it is time for another socket. */
  private static boolean take(String text, TextWebSocket socket, InboundSink inlet)
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
      if (reason.equals("link_disabled")) {
        throw new ListeningRefused("link_disabled: Socket Mode is off; switch it on for the app");
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
      socket.say(Json.write(Map.of("envelope_id", id)));
    }
    return true;
  }
}
