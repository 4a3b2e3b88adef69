package dev.postrider.channels.twitch;

import dev.postrider.channel.InboundSink;
import dev.postrider.channel.ListeningRefused;
import dev.postrider.channel.Outcome;
import dev.postrider.channels.Settings;
import dev.postrider.channels.http.HttpCall;
import dev.postrider.channels.http.HttpResult.Response;
import dev.postrider.channels.http.HttpSender;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.socket.TextWebSocket;
import dev.postrider.channels.socket.TextWebSocket.Heard;
import dev.postrider.channels.twitch.TwitchApi.Answer;
import dev.postrider.channels.twitch.TwitchApi.User;
import dev.postrider.channels.twitch.TwitchLogin.Session;
import dev.postrider.channels.twitch.TwitchLogin.State;
import dev.postrider.inbound.InboundMessage;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;

/**
 * Listens over EventSub's WebSocket. Whoever says anything there but pong is thrown out, so a
 * connection is watched by what Twitch says: something at least every so many seconds. What is said
 * while no connection stands is gone; Twitch has no history.
 */
final class TwitchSocket {
  private static final Logger log = LoggerFactory.getLogger(TwitchSocket.class);

  private static final Duration TO_WELCOME = Duration.ofSeconds(10);

  /** How long the old connection may be quiet before it is left for the new one. */
  private static final Duration LAST_WORDS = Duration.ofSeconds(1);

  private final HttpSender http;
  private final TwitchLogin login;
  private final TwitchApi api;
  private final TwitchVerdict verdict;
  private final List<String> chats;
  private final URI address;

  /** Chats that are not heard, and why. */
  private final Map<String, String> deaf = new ConcurrentHashMap<>();

  TwitchSocket(
      HttpSender http, TwitchLogin login, TwitchApi api, TwitchVerdict verdict, Settings settings) {
    this.http = http;
    this.login = login;
    this.api = api;
    this.verdict = verdict;
    chats = TwitchChannel.listenTo(settings);
    address = address(settings);
  }

  private static URI address(Settings settings) {
    String url = settings.text("eventsubUrl", "wss://eventsub.wss.twitch.tv/ws");
    Duration keepalive = settings.duration("keepalive", Duration.ofSeconds(30));
    if (keepalive.toSeconds() < 10 || keepalive.toSeconds() > 600) {
      throw settings.wrong("keepalive", "is not between 10s and 10m");
    }
    if (!url.matches("wss?://[^?#]+")) {
      throw settings.wrong("eventsubUrl", "is not an address such as wss://example.org/ws");
    }
    return URI.create(url + "?keepalive_timeout_seconds=" + keepalive.toSeconds());
  }

  boolean listens() {
    return !chats.isEmpty();
  }

  /** Which chats are not heard; empty if all are. */
  String trouble() {
    StringBuilder text = new StringBuilder();
    new TreeMap<>(deaf)
        .forEach(
            (chat, why) -> text.append(", does not hear ").append(chat).append(": ").append(why));
    return text.toString();
  }

  /** Listens until the connection ends, or Twitch takes back what it was asked for. */
  void listen(InboundSink inlet) throws IOException, InterruptedException {
    Session session = session();
    Map<String, String> wanted = wanted();
    Ear ear = new Ear(inlet, session, wanted);
    TextWebSocket socket = http.webSocket(address);
    try {
      Welcome welcome = welcome(socket);
      ear.subscribe(welcome.id());
      inlet.connected();
      while (true) {
        String elsewhere = ear.follow(socket, welcome.quiet());
        Moved moved = move(elsewhere);
        if (moved != null) {
          try (TextWebSocket old = socket) {
            socket = moved.socket; // whichever is in use is closed at the end
            welcome = moved.welcome;
            ear.lastWords(old);
          }
        }
      }
    } finally {
      socket.close();
    }
  }

  /** A connection that stands in place of another. */
  private record Moved(TextWebSocket socket, Welcome welcome) {}

  /**
   * Goes on where Twitch says. Null if nobody welcomes us there: then the old connection, which
   * Twitch keeps for half a minute, is heard to its end, and the engine makes another.
   */
  private @Nullable Moved move(String elsewhere) throws InterruptedException {
    TextWebSocket next = null;
    Moved moved = null;
    try {
      next = http.webSocket(uri(elsewhere));
      moved = new Moved(next, welcome(next));
    } catch (IOException e) {
      log.info("Twitch sends us to where we cannot go on: {}", e.getMessage());
    } finally {
      if (moved == null && next != null) {
        next.close();
      }
    }
    return moved;
  }

  private Session session() throws IOException {
    return switch (login.state()) {
      case State.Out(Outcome.AccountBroken(String cause)) -> throw new ListeningRefused(cause);
      case State.Out(Outcome outcome) ->
          throw new IOException("Twitch does not say who we are: " + outcome);
      case State.In(Session session) when session.isApp() ->
          throw new ListeningRefused("Twitch's socket takes no app's token: give refreshToken");
      case State.In(Session session) -> {
        String missing = session.lacks(TwitchLogin.READ);
        if (missing != null) {
          throw new ListeningRefused(missing);
        }
        yield session;
      }
    };
  }

  /** The users whose chats are to be heard, by what the configuration calls them. */
  private Map<String, String> wanted() throws IOException {
    deaf.clear();
    Map<String, String> users = new LinkedHashMap<>();
    for (String chat : chats) {
      switch (api.broadcaster(chat)) {
        case User.Found(String id) -> users.put(chat, id);
        case User.Not(Outcome.Rejected(_, String cause)) -> deafTo(chat, cause);
        case User.Not(Outcome outcome) ->
            throw new IOException("Twitch does not say whose chat " + chat + " is: " + outcome);
      }
    }
    return users;
  }

  private void deafTo(String chat, String cause) {
    deaf.put(chat, cause);
    log.warn("Twitch does not let us hear {}: {}", chat, cause);
  }

  /**
   * A connection that stands.
   *
   * @param quiet how long nothing may be said before it is lost
   */
  private record Welcome(String id, Duration quiet) {}

  private static Welcome welcome(TextWebSocket socket) throws IOException, InterruptedException {
    JsonNode message =
        switch (socket.next(TO_WELCOME)) {
          case null -> throw new IOException("Twitch's socket says nothing");
          case Heard.Ended(int code, String reason) -> throw ended(code, reason);
          case Heard.Said(String text) -> Json.readObject(text);
        };
    if (message == null || !type(message).equals("session_welcome")) {
      throw new IOException("this is not EventSub's socket: it does not welcome us");
    }
    JsonNode session = message.path("payload").path("session");
    String id = session.path("id").asString("");
    long seconds = Math.clamp(session.path("keepalive_timeout_seconds").asLong(10), 1, 600);
    return new Welcome(id, Duration.ofMillis(seconds * 1500));
  }

  private static String type(JsonNode message) {
    return message.path("metadata").path("message_type").asString("");
  }

  private static URI uri(String address) throws IOException {
    try {
      return new URI(address);
    } catch (URISyntaxException e) {
      throw new IOException("Twitch names no address to go on at");
    }
  }

  private static IOException ended(int code, String reason) {
    String why =
        switch (code) {
          case 4000 -> "trouble at Twitch";
          case 4001 -> "we said something";
          case 4002 -> "we did not answer a ping";
          case 4003 -> "nothing was subscribed to in time";
          case 4004 -> "we did not go on elsewhere in time";
          case 4005, 4006 -> "trouble in the network";
          case 4007 -> "the address to go on at was wrong";
          default -> reason;
        };
    return new IOException("Twitch's socket ended: " + code + " " + why);
  }

  /** What is done with what is heard, over one connection after the other. */
  private final class Ear {
    private final InboundSink inlet;
    private final Session session;
    private final Map<String, String> wanted;

    Ear(InboundSink inlet, Session session, Map<String, String> wanted) {
      this.inlet = inlet;
      this.session = session;
      this.wanted = wanted;
    }

    /** Twitch ends a connection for which nothing is subscribed to within ten seconds. */
    void subscribe(String socket) throws IOException, InterruptedException {
      for (Map.Entry<String, String> chat : Map.copyOf(wanted).entrySet()) {
        for (String type : TwitchEvents.TYPES) {
          String refused = subscribe(socket, type, chat.getValue());
          if (refused != null && type.equals(TwitchEvents.MESSAGE)) {
            deafTo(chat.getKey(), refused);
            wanted.remove(chat.getKey());
            break;
          }
        }
      }
      anyLeft();
    }

    /** Gives why it is refused, or null. */
    private @Nullable String subscribe(String socket, String type, String broadcaster)
        throws IOException, InterruptedException {
      while (true) {
        Answer answer =
            api.ask(
                TwitchLogin.READ,
                (base, who) ->
                    HttpCall.post(URI.create(base + "/eventsub/subscriptions"))
                        .json(
                            TwitchEvents.subscription(
                                type,
                                broadcaster,
                                who.user(),
                                Map.of("method", "websocket", "session_id", socket))));
        switch (answer) {
          case Answer.Came(Response response, _)
              when response.status() == 202 || response.status() == 409 -> {
            return null;
          }
          case Answer.Came(Response response, _) -> {
            Outcome refusal = verdict.refusal(response);
            if (refusal instanceof Outcome.Throttled(_, Duration delay, String cause)) {
              pause(delay, cause);
            } else if (response.status() / 100 == 4) {
              return TwitchVerdict.cause(response);
            } else {
              throw new IOException("Twitch does not subscribe us: " + refusal);
            }
          }
          case Answer.None(Outcome.Throttled(_, Duration delay, String cause)) ->
              pause(delay, cause);
          case Answer.None(Outcome.AccountBroken(String cause)) ->
              throw new ListeningRefused(cause);
          case Answer.None(Outcome outcome) ->
              throw new IOException("Twitch does not subscribe us: " + outcome);
        }
      }
    }

    private void pause(Duration delay, String cause) throws InterruptedException {
      inlet.failing("Twitch does not subscribe us yet: " + cause);
      if (!inlet.pause(delay)) {
        throw new InterruptedException();
      }
    }

    private void anyLeft() throws ListeningRefused {
      if (wanted.isEmpty()) {
        throw new ListeningRefused("Twitch lets us hear no chat" + trouble());
      }
    }

    /** Hands in what comes, until Twitch sends us elsewhere. */
    String follow(TextWebSocket socket, Duration quiet) throws IOException, InterruptedException {
      while (true) {
        switch (socket.next(quiet)) {
          case null -> throw new IOException("Twitch's socket has fallen silent");
          case Heard.Ended(int code, String reason) -> throw ended(code, reason);
          case Heard.Said(String text) -> {
            String elsewhere = take(text);
            if (elsewhere != null) {
              return elsewhere;
            }
          }
        }
      }
    }

    /** The new connection stands: what the old one still has to say is heard, and no more comes. */
    void lastWords(TextWebSocket old) throws IOException, InterruptedException {
      while (old.next(LAST_WORDS) instanceof Heard.Said(String text)) {
        take(text);
      }
    }

    private @Nullable String take(String text) throws IOException {
      JsonNode message = Json.readObject(text);
      if (message == null) {
        throw new IOException("Twitch's socket speaks no JSON");
      }
      JsonNode payload = message.path("payload");
      switch (type(message)) {
        case "notification" -> store(message, payload);
        case "revocation" -> revoked(payload.path("subscription"));
        case "session_reconnect" -> {
          return payload.path("session").path("reconnect_url").asString("");
        }
        default -> {} // a keepalive, or something new
      }
      return null;
    }

    private void store(JsonNode message, JsonNode payload) {
      Instant at = TwitchEvents.time(Json.text(message.path("metadata"), "message_timestamp"));
      String type = payload.path("subscription").path("type").asString("");
      InboundMessage read =
          TwitchEvents.read(type, payload.path("event"), Set.of(session.user()), at);
      if (read != null) {
        inlet.take(List.of(read), List.of(), null);
      }
    }

    private void revoked(JsonNode subscription) throws ListeningRefused {
      String why = subscription.path("status").asString("");
      if (why.equals("authorization_revoked")) {
        throw new ListeningRefused(
            "the bot's authorisation was withdrawn, or its password changed; authorise it again");
      }
      if (!subscription.path("type").asString("").equals(TwitchEvents.MESSAGE)) {
        return;
      }
      String user = subscription.path("condition").path("broadcaster_user_id").asString("");
      for (Map.Entry<String, String> chat : Map.copyOf(wanted).entrySet()) {
        if (chat.getValue().equals(user)) {
          wanted.remove(chat.getKey());
          deafTo(chat.getKey(), "Twitch has taken back what was subscribed to: " + why);
        }
      }
      anyLeft();
    }
  }
}
