package dev.postrider.channels.discord;

import dev.postrider.channel.InboundSink;
import dev.postrider.channels.discord.GatewaySocket.Heard;
import dev.postrider.channels.http.HttpCall;
import dev.postrider.channels.http.HttpResult;
import dev.postrider.channels.http.Json;
import dev.postrider.inbound.InboundMessage;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
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
 * beats: Discord hangs up, and the session is resumed afterwards if it still lives.
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

  /** Whoever was refused needs a person; hammering would only have him locked out. */
  private static final Duration AFTER_REFUSAL = Duration.ofHours(1);

  private final DiscordApi api;
  private final BiFunction<String, String, HttpCall> calls;
  private final String token;
  private final int intents;

  /**
   * @param calls makes a request of the bot from a method and a path
   */
  Gateway(DiscordApi api, BiFunction<String, String, HttpCall> calls, String token, int intents) {
    this.api = api;
    this.calls = calls;
    this.token = token;
    this.intents = intents;
  }

  /** The account is refused, and will be until somebody changes something. */
  private static final class Refused extends Exception {
    private static final long serialVersionUID = 1L;

    Refused(String reason) {
      super(reason);
    }
  }

  /** Listens until interrupted, over one connection after another. */
  void listen(InboundSink inlet) throws IOException, InterruptedException {
    GatewaySession session = GatewaySession.parse(inlet.cursor());
    try {
      while (true) {
        try (GatewaySocket socket = connect(session, inlet)) {
          session = new Conversation(socket, inlet, session).hold();
        }
        if (session == null && !inlet.pause(Duration.ofMillis(random(1_000, 5_000)))) {
          return;
        }
      }
    } catch (Refused e) {
      inlet.failing(String.valueOf(e.getMessage()));
      inlet.pause(AFTER_REFUSAL);
    }
  }

  private GatewaySocket connect(@Nullable GatewaySession session, InboundSink inlet)
      throws IOException, InterruptedException, Refused {
    if (session != null) {
      try {
        return open(session.url());
      } catch (IOException e) {
        log.info("Discord: {}; asking for another address", e.getMessage());
      }
    }
    return open(address(inlet));
  }

  private GatewaySocket open(String url) throws IOException, InterruptedException {
    try {
      return new GatewaySocket(
          api.socket(), URI.create(url.replaceAll("/+$", "") + "/?v=10&encoding=json"));
    } catch (IllegalArgumentException e) {
      throw new IOException("the gateway's address is none");
    }
  }

  /** Where to begin, once that may be done: Discord counts beginnings by the day. */
  private String address(InboundSink inlet) throws IOException, InterruptedException, Refused {
    HttpResult result = api.send(calls.apply("GET", "/gateway/bot"));
    if (!(result instanceof HttpResult.Response response)) {
      throw new IOException("Discord cannot be asked for its gateway");
    }
    if (response.status() == 401) {
      throw new Refused("401 Discord does not know the token");
    }
    JsonNode body = Json.readObject(response.body());
    if (response.status() != 200 || body == null) {
      throw new IOException(response.status() + " instead of a gateway");
    }
    JsonNode limit = body.path("session_start_limit");
    if (limit.path("remaining").asInt(1) == 0
        && !inlet.pause(Duration.ofMillis(limit.path("reset_after").asLong(0)))) {
      throw new InterruptedException();
    }
    return body.path("url").asString("");
  }

  /** What is said over one connection. */
  private final class Conversation {
    private final GatewaySocket socket;
    private final InboundSink inlet;
    private @Nullable GatewaySession session;
    private @Nullable GatewaySession stored;
    private boolean answered = true;

    Conversation(GatewaySocket socket, InboundSink inlet, @Nullable GatewaySession session) {
      this.socket = socket;
      this.inlet = inlet;
      this.session = session;
      this.stored = session;
    }

    /** Talks until the connection ends; gives the session to resume, or null to begin anew. */
    @Nullable GatewaySession hold() throws IOException, InterruptedException, Refused {
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
            return ended(code, reason);
          }
          case Heard.Said(JsonNode message) -> {
            switch (message.path("op").asInt(-1)) {
              case DISPATCH -> dispatch(message);
              case HEARTBEAT -> sayHeartbeat();
              case HEARTBEAT_ACK -> answered = true;
              case RECONNECT -> {
                return session;
              }
              case INVALID_SESSION -> {
                return message.path("d").asBoolean(false) ? session : null;
              }
              default -> {} // something new, which nobody has asked for
            }
          }
        }
      }
    }

    private Duration hello() throws IOException, InterruptedException, Refused {
      Heard first = socket.next(PATIENCE);
      if (first instanceof Heard.Ended(int code, String reason)) {
        ended(code, reason);
      }
      if (first instanceof Heard.Said(JsonNode message)
          && message.path("op").asInt(-1) == HELLO
          && message.path("d").path("heartbeat_interval").asLong(0) > 0) {
        return Duration.ofMillis(message.path("d").path("heartbeat_interval").asLong());
      }
      throw new IOException("the gateway does not say hello");
    }

    private void begin() throws IOException, InterruptedException {
      if (session == null) {
        Map<String, String> properties =
            Map.of("os", "linux", "browser", "postrider", "device", "postrider");
        socket.say(IDENTIFY, Map.of("token", token, "intents", intents, "properties", properties));
      } else {
        socket.say(
            RESUME, Map.of("token", token, "session_id", session.id(), "seq", session.seq()));
      }
    }

    private void beat() throws IOException, InterruptedException {
      if (!answered) {
        throw new IOException("the gateway's heart has stopped");
      }
      answered = false;
      sayHeartbeat();
      if (session != null && !session.equals(stored)) {
        store(List.of(), session);
      }
    }

    private void sayHeartbeat() throws IOException, InterruptedException {
      socket.say(HEARTBEAT, session == null ? null : session.seq());
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
                data.path("user").path("id").asString("")));
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
        return;
      }
      store(List.of(arrival), then);
      if (arrival.kind() == InboundMessage.Kind.ACTION) {
        defer(data);
      }
    }

    private void store(List<InboundMessage> arrivals, GatewaySession then) {
      inlet.take(arrivals, List.of(), then.cursor());
      session = then;
      stored = then;
    }

    private @Nullable GatewaySession ended(int code, String reason) throws IOException, Refused {
      String cause = "the gateway closed with " + code + " " + reason;
      return switch (code) {
        case 4004, 4010, 4011, 4012, 4013, 4014 -> throw new Refused(cause);
        case 4007, 4009 -> null; // it does not know the session any more
        default -> throw new IOException(cause);
      };
    }
  }

  /** Asks for time to answer. If that fails, the person sees it; the event is stored anyhow. */
  private void defer(JsonNode interaction) {
    String path =
        "/interactions/%s/%s/callback"
            .formatted(interaction.path("id").asString(""), interaction.path("token").asString(""));
    Map<String, Integer> answer = Map.of("type", DiscordEvents.deferral(interaction));
    if (!(api.send(calls.apply("POST", path).json(answer)) instanceof HttpResult.Response response)
        || response.status() / 100 != 2) {
      log.warn("Discord did not take that an interaction was received");
    }
  }

  private static long random(long from, long to) {
    return ThreadLocalRandom.current().nextLong(from, to);
  }
}
