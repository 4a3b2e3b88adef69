package dev.postrider.channels.discord;

import dev.postrider.channel.InboundSink;
import dev.postrider.channel.ListeningRefused;
import dev.postrider.channel.Remembered;
import dev.postrider.channels.http.HttpCall;
import dev.postrider.channels.http.HttpResult;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.socket.TextWebSocket;
import dev.postrider.channels.socket.TextWebSocket.Heard;
import dev.postrider.inbound.InboundMessage;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * Listens to Discord over its socket.
 *
 * <p>A session is begun once ({@code IDENTIFY}) and then goes on over any number of connections
 * ({@code RESUME}): whatever is not stored yet is told again. Each event is stored before its
 * number becomes the one to resume from. Events that nobody needs move the number too; it is stored
 * with the next heartbeat at the latest. While the store is away nothing is read and no heart
 * beats: Discord hangs up, and the session is resumed afterwards if it still lives. For one thread
 * at a time.
 */
final class Gateway {
  private static final Logger log = LoggerFactory.getLogger(Gateway.class);

  /** Messages of servers and of people, with what they say. */
  static final int INTENTS = 1 << 9 | 1 << 12 | 1 << 15;

  private static final int DISPATCH = 0;
  private static final int HEARTBEAT = 1;
  private static final int IDENTIFY = 2;
  private static final int RESUME = 6;
  private static final int RECONNECT = 7;
  private static final int INVALID_SESSION = 9;
  private static final int HELLO = 10;
  private static final int HEARTBEAT_ACK = 11;

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** What Discord asks for, at least, before a new session takes the place of one it dropped. */
  private static final Duration BEFORE_A_NEW_SESSION = Duration.ofSeconds(1);

  private final DiscordApi api;
  private final BiFunction<String, String, HttpCall> calls;
  private final String token;
  private final int intents;
  private final PrivateCommands commands;
  private @Nullable GatewaySession session;
  private boolean recalled;

  /**
   * @param calls makes a request of the bot from a method and a path
   */
  Gateway(
      DiscordApi api,
      BiFunction<String, String, HttpCall> calls,
      String token,
      int intents,
      PrivateCommands commands) {
    this.api = api;
    this.commands = commands;
    this.calls = calls;
    this.token = token;
    this.intents = intents;
  }

  /** Listens over one connection. Whatever ends it, the engine lets some time pass. */
  void listen(InboundSink inlet) throws IOException, InterruptedException {
    if (!recalled) {
      session = GatewaySession.parse(inlet.cursor());
      recalled = true;
    }
    try (TextWebSocket socket = connect(inlet)) {
      new Conversation(socket, inlet).hold();
    }
  }

  private TextWebSocket connect(InboundSink inlet) throws IOException, InterruptedException {
    if (session != null) {
      try {
        return open(session.url());
      } catch (IOException e) {
        log.info("Discord: {}; asking for another address", e.getMessage());
      }
    }
    return open(address(inlet));
  }

  private TextWebSocket open(String url) throws IOException, InterruptedException {
    return api.connect(versioned(url));
  }

  /** The address as it was given, with its path and whatever it asks for, in our version. */
  static URI versioned(String url) throws IOException {
    try {
      URI uri = new URI(url);
      String path = uri.getRawPath() == null || uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
      String query = uri.getRawQuery() == null ? "" : uri.getRawQuery() + "&";
      return new URI(
          uri.getScheme()
              + "://"
              + uri.getRawAuthority()
              + path
              + "?"
              + query
              + "v=10&encoding=json");
    } catch (URISyntaxException e) {
      throw new IOException("the gateway's address is none");
    }
  }

  /** Where to begin, once that may be done: Discord counts beginnings by the day. */
  private String address(InboundSink inlet) throws IOException, InterruptedException {
    HttpResult result = api.send(calls.apply("GET", "/gateway/bot"));
    if (!(result instanceof HttpResult.Response response)) {
      throw new IOException("Discord cannot be asked for its gateway");
    }
    if (response.status() == 401) {
      throw new ListeningRefused("401 Discord does not know the token; check it");
    }
    JsonNode body = Json.readObject(response.body());
    if (response.status() != 200 || body == null) {
      throw new IOException(response.status() + " instead of a gateway");
    }
    JsonNode limit = body.path("session_start_limit");
    if (limit.path("remaining").asInt(1) == 0) {
      Duration left = Duration.ofMillis(limit.path("reset_after").asLong(0));
      inlet.failing("Discord lets no session begin for " + left + ": the day's are used up");
      if (!inlet.pause(left)) {
        throw new InterruptedException();
      }
    }
    return body.path("url").asString("");
  }

  /** What is said over one connection. */
  private final class Conversation {
    private final TextWebSocket socket;
    private final InboundSink inlet;
    private @Nullable GatewaySession stored = session;
    private boolean answered = true;

    Conversation(TextWebSocket socket, InboundSink inlet) {
      this.socket = socket;
      this.inlet = inlet;
    }

    /** Talks until the connection ends. */
    void hold() throws IOException, InterruptedException {
      Duration interval = hello();
      begin();
      long beat = System.nanoTime() + random(0, interval.toNanos());
      while (true) {
        switch (socket.next(Duration.ofNanos(Math.max(beat - System.nanoTime(), 0)))) {
          case null -> {
            beat();
            beat = System.nanoTime() + interval.toNanos();
          }
          case Heard.Ended(int code, String reason) -> {
            ended(code, reason);
            return;
          }
          case Heard.Said(String text) -> {
            JsonNode message = read(text);
            switch (message.path("op").asInt(-1)) {
              case DISPATCH -> dispatch(message);
              case HEARTBEAT -> sayHeartbeat();
              case HEARTBEAT_ACK -> answered = true;
              case RECONNECT -> {
                return;
              }
              case INVALID_SESSION -> {
                if (!message.path("d").asBoolean(false)) {
                  session = null;
                  inlet.pause(BEFORE_A_NEW_SESSION);
                }
                return;
              }
              default -> {} // something new, which nobody has asked for
            }
          }
        }
      }
    }

    private static JsonNode read(String text) throws IOException {
      JsonNode message = Json.readObject(text);
      if (message == null) {
        throw new IOException("the gateway says something that is no JSON");
      }
      return message;
    }

    private void say(int op, @Nullable Object data) throws IOException, InterruptedException {
      Map<String, @Nullable Object> message = new HashMap<>();
      message.put("op", op);
      message.put("d", data);
      socket.say(Json.write(message));
    }

    private Duration hello() throws IOException, InterruptedException {
      Heard first = socket.next(PATIENCE);
      if (first instanceof Heard.Ended(int code, String reason)) {
        ended(code, reason);
      }
      JsonNode message = first instanceof Heard.Said(String text) ? read(text) : null;
      long interval = message == null ? 0 : message.path("d").path("heartbeat_interval").asLong(0);
      if (message == null || message.path("op").asInt(-1) != HELLO || interval <= 0) {
        throw new IOException("the gateway does not say hello");
      }
      return Duration.ofMillis(interval);
    }

    private void begin() throws IOException, InterruptedException {
      if (session == null) {
        Map<String, String> properties =
            Map.of("os", "linux", "browser", "postrider", "device", "postrider");
        say(IDENTIFY, Map.of("token", token, "intents", intents, "properties", properties));
      } else {
        say(RESUME, Map.of("token", token, "session_id", session.id(), "seq", session.seq()));
      }
    }

    private void beat() throws IOException, InterruptedException {
      if (!answered) {
        throw new IOException("the gateway's heart has stopped");
      }
      answered = false;
      sayHeartbeat();
    }

    private void sayHeartbeat() throws IOException, InterruptedException {
      say(HEARTBEAT, session == null ? null : session.seq());
      if (session != null && !session.equals(stored)) {
        store(List.of(), session, List.of());
      }
    }

    private void dispatch(JsonNode message) {
      JsonNode data = message.path("d");
      long seq = message.path("s").asLong(0);
      String name = message.path("t").asString("");
      if (name.equals("READY")) {
        store(
            List.of(),
            new GatewaySession(
                data.path("session_id").asString(""),
                seq,
                data.path("resume_gateway_url").asString(""),
                data.path("user").path("id").asString("")),
            List.of());
      } else if (session != null) {
        hear(name, data, session.at(seq));
      }
    }

    private void hear(String name, JsonNode data, GatewaySession then) {
      if (name.equals("RESUMED")) {
        inlet.connected();
      }
      InboundMessage arrival =
          DiscordEvents.read(name, data, then.self(), then.id() + ":" + then.seq());
      if (arrival == null) {
        session = then;
      } else {
        store(List.of(arrival), then, remembered(name, data));
      }
      if (name.equals("INTERACTION_CREATE")) {
        acknowledge(data);
      }
    }

    private List<Remembered> remembered(String name, JsonNode data) {
      return name.equals("INTERACTION_CREATE")
          ? OpenCommand.remember(data, commands.isPrivate(data))
          : List.of();
    }

    private void store(
        List<InboundMessage> arrivals, GatewaySession then, List<Remembered> memory) {
      inlet.take(arrivals, List.of(), then.cursor(), memory);
      session = then;
      stored = then;
    }

    private void ended(int code, String reason) throws IOException {
      String cause = "the gateway closed with " + code + " " + reason;
      switch (code) {
        case 4004 -> throw new ListeningRefused(cause + " Check the token");
        case 4010, 4011, 4012 -> throw new ListeningRefused(cause);
        case 4013 -> throw new ListeningRefused(cause + " Check the setting intents");
        case 4014 ->
            throw new ListeningRefused(
                cause
                    + " Switch on what intents asks for in the developer portal (page Bot), or ask"
                    + " for less");
        case 4007, 4009 -> session = null; // it does not know the session any more
        default -> throw new IOException(cause);
      }
    }
  }

  /**
   * Answers what must be answered at once. If that fails, the person sees it; the event is stored
   * anyhow.
   */
  private void acknowledge(JsonNode interaction) {
    String id = interaction.path("id").asString("");
    String ticket = interaction.path("token").asString("");
    if (!Snowflake.is(id) || !Interaction.isToken(ticket)) {
      return;
    }
    String path = "/interactions/" + id + "/" + ticket + "/callback";
    HttpCall call =
        calls
            .apply("POST", path)
            .json(DiscordEvents.acknowledgement(interaction, commands.isPrivate(interaction)));
    if (!(api.send(call) instanceof HttpResult.Response response) || response.status() / 100 != 2) {
      log.warn("Discord did not take that an interaction was received");
    }
  }

  private static long random(long from, long to) {
    return ThreadLocalRandom.current().nextLong(from, to);
  }
}
