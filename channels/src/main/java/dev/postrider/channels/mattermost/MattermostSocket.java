package dev.postrider.channels.mattermost;

import dev.postrider.channel.InboundSink;
import dev.postrider.channel.ListeningRefused;
import dev.postrider.channel.Outcome;
import dev.postrider.channels.Settings;
import dev.postrider.channels.http.HttpSender;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.mattermost.MattermostApi.Answer;
import dev.postrider.channels.mattermost.MattermostEvents.Told;
import dev.postrider.channels.socket.TextWebSocket;
import dev.postrider.channels.socket.TextWebSocket.Heard;
import dev.postrider.inbound.InboundMessage.Kind;
import dev.postrider.time.Scheduler;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * Listens over Mattermost's WebSocket. Nothing is acknowledged there, and what is not delivered is
 * gone: so events are numbered, a number that is missing ends the connection, and every connection
 * begins with reading what was posted since the last post that was stored. Until that is done, live
 * events are stored too, but do not count as "read up to here".
 */
final class MattermostSocket {
  private static final Logger log = LoggerFactory.getLogger(MattermostSocket.class);

  private final HttpSender http;
  private final MattermostApi api;
  private final MattermostCatchUp catchUp;
  private final Duration idle;

  MattermostSocket(HttpSender http, MattermostApi api, Settings settings, Scheduler time) {
    this.http = http;
    this.api = api;
    catchUp = new MattermostCatchUp(api, time);
    idle = settings.duration("idle", Duration.ofSeconds(30));
  }

  /** Listens on one socket until it ends, or an event was lost. */
  void listen(InboundSink inlet) throws IOException, InterruptedException {
    MattermostEvents events = new MattermostEvents(me());
    try (TextWebSocket socket = http.webSocket(api.socket())) {
      socket.say(
          Json.write(
              Map.of(
                  "seq",
                  1,
                  "action",
                  "authentication_challenge",
                  "data",
                  Map.of("token", api.token()))));
      new Connection(socket, inlet, events).follow();
    }
  }

  /** Asked anew for every connection, to be told if the token is good no more. */
  private String me() throws IOException {
    return switch (api.whoAmI()) {
      case Answer.Done(JsonNode body, _) when Json.text(body, "id") instanceof String id -> id;
      case Answer.Failed(_, Outcome.AccountBroken(String cause)) ->
          throw new ListeningRefused("Mattermost does not know the account: " + cause);
      case Answer answer -> throw new IOException("Mattermost does not say who we are: " + answer);
    };
  }

  /** One socket, from its first event to its last. */
  private final class Connection {
    private final TextWebSocket socket;
    private final InboundSink inlet;
    private final MattermostEvents events;
    private boolean authenticated;
    private long expected;
    private long newest;

    Connection(TextWebSocket socket, InboundSink inlet, MattermostEvents events) {
      this.socket = socket;
      this.inlet = inlet;
      this.events = events;
    }

    void follow() throws IOException, InterruptedException {
      boolean whole = true;
      while (whole) {
        whole =
            switch (socket.nextKeptAlive(idle)) {
              case Heard.Ended(int code, String reason) ->
                  throw new IOException(
                      "Mattermost's socket ended%s: %d %s"
                          .formatted(
                              authenticated ? "" : " before it took the token", code, reason));
              case Heard.Said(String text) -> take(text);
            };
      }
    }

    /** Returns false if an event was lost. */
    private boolean take(String text) throws IOException, InterruptedException {
      JsonNode message = Json.readObject(text);
      if (message == null) {
        throw new IOException("Mattermost's socket speaks no JSON");
      }
      if (message.has("seq_reply")) {
        answered(message);
        return true;
      }
      long number = message.path("seq").asLong(expected);
      if (number != expected) {
        log.warn("Mattermost's event {} did not come, but {}; connecting anew", expected, number);
        return false;
      }
      expected++;
      Told told = events.read(message);
      if (told != null) {
        store(told);
      }
      return true;
    }

    private void answered(JsonNode reply) throws IOException, InterruptedException {
      if (authenticated) {
        return;
      }
      if (!reply.path("status").asString("").equals("OK")) {
        throw new ListeningRefused(
            "Mattermost's socket does not take the token: "
                + reply.path("error").path("message").asString(""));
      }
      authenticated = true;
      newest = catchUp.read(inlet, events);
      inlet.connected();
    }

    private void store(Told told) {
      Instant at = told.message().kind() == Kind.MESSAGE ? told.message().sentAt() : null;
      if (at != null) {
        newest = Math.max(newest, at.toEpochMilli());
      }
      inlet.take(
          List.of(told.message()),
          List.of(),
          authenticated ? MattermostCatchUp.cursor(newest) : null,
          List.of(),
          told.aliases());
    }
  }
}
