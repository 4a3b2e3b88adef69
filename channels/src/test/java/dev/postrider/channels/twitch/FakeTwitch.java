package dev.postrider.channels.twitch;

import dev.postrider.channels.http.Json;
import dev.postrider.config.AccountConfig;
import dev.postrider.testkit.platform.FakePlatform;
import dev.postrider.testkit.platform.Reply;
import dev.postrider.testkit.platform.Request;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Twitch with its two doors, made from its pages: Helix, which drops what is the same as the
 * message before it, and whoever gives tokens, whose refresh tokens are good once.
 */
final class FakeTwitch implements AutoCloseable {
  static final String BOT = "141981764";
  static final String ANN = "12826";
  static final String CLIENT = "wbmytr93xzw8zbg0p1izqyzzc5mbiz";
  static final String TOKEN = "2gbdx6oar67tqtcmt49t3wpcgycthx";

  final FakePlatform helix = FakePlatform.start();
  final FakePlatform id = FakePlatform.start();
  final List<JsonNode> said = new CopyOnWriteArrayList<>();
  final List<JsonNode> subscriptions = new CopyOnWriteArrayList<>();
  final AtomicInteger renewals = new AtomicInteger();

  /** Broadcasters whose events are refused. */
  final List<String> closed = new CopyOnWriteArrayList<>();

  volatile List<String> scopes = List.of("user:read:chat", "user:write:chat");
  volatile boolean moderator;
  volatile @Nullable String revoked;
  private final InstantSource clock;
  private final Map<String, Last> last = new HashMap<>();

  private record Last(String text, java.time.Instant at) {}

  FakeTwitch(InstantSource clock) {
    this.clock = clock;
    helix.otherwise(this::helix);
    id.otherwise(this::id);
  }

  /** With a token as it stands. */
  AccountConfig account() {
    return bare().set("token", TOKEN);
  }

  /** With a token that is renewed. */
  AccountConfig renewed() {
    return bare().set("clientSecret", "client-secret-1").set("refreshToken", "refresh-0");
  }

  /** With the app's own token. */
  AccountConfig app() {
    return bare().set("clientSecret", "client-secret-1").set("senderId", BOT);
  }

  private AccountConfig bare() {
    return AccountConfig.of("tw", "twitch")
        .set("clientId", CLIENT)
        .set("baseUrl", helix.baseUrl() + "/helix")
        .set("oauthUrl", id.baseUrl())
        .set("timeout", "5m");
  }

  static Reply.Answer json(int status, Object body) {
    return Reply.json(status, Json.write(body));
  }

  static Reply.Answer error(int status, String message) {
    return json(status, Map.of("error", "No", "status", status, "message", message));
  }

  static Reply.Answer sent(String id) {
    return json(200, Map.of("data", List.of(Map.of("message_id", id, "is_sent", true))));
  }

  static Reply.Answer dropped(String code, String text) {
    return json(
        200,
        Map.of(
            "data",
            List.of(
                Map.of(
                    "message_id",
                    "",
                    "is_sent",
                    false,
                    "drop_reason",
                    Map.of("code", code, "message", text)))));
  }

  Reply helix(Request request) {
    String token = request.headers().getOrDefault("authorization", "").replace("Bearer ", "");
    if (token.equals(revoked) || token.isEmpty()) {
      return error(401, "Invalid OAuth token");
    }
    if (!CLIENT.equals(request.headers().get("client-id"))) {
      return error(401, "Client ID and OAuth token do not match");
    }
    return switch (request.path().replaceFirst("\\?.*", "")) {
      case "/helix/chat/messages" -> chat(Json.readObject(request.text()));
      case "/helix/eventsub/subscriptions" -> subscribe(Json.readObject(request.text()));
      case "/helix/users" ->
          json(
              200,
              Map.of(
                  "data",
                  request.path().endsWith("=ann")
                      ? List.of(Map.of("id", ANN, "login", "ann"))
                      : List.of()));
      default -> error(404, "Not Found");
    };
  }

  private Reply subscribe(JsonNode body) {
    if (closed.contains(body.path("condition").path("broadcaster_user_id").asString())) {
      return error(403, "subscription missing proper authorization");
    }
    subscriptions.add(body);
    return json(202, Map.of("data", List.of(Map.of("status", "enabled")), "total", 1));
  }

  private synchronized Reply chat(JsonNode body) {
    String chat = body.path("broadcaster_id").asString();
    String text = body.path("message").asString();
    if (text.length() > 500) {
      return error(422, "The message is too large");
    }
    Last before = last.get(chat);
    if (!moderator
        && before != null
        && before.text().equals(text)
        && clock.instant().isBefore(before.at().plus(TwitchLink.SAME_TEXT))) {
      return dropped(
          "msg_duplicate",
          "Your message was not sent because it is identical to the previous one you sent,"
              + " less than 30 seconds ago.");
    }
    said.add(body);
    last.put(chat, new Last(text, clock.instant()));
    return sent("message-" + said.size());
  }

  private Reply id(Request request) {
    if (request.path().equals("/oauth2/token")) {
      return token(request.text());
    }
    String token = request.headers().getOrDefault("authorization", "").replace("OAuth ", "");
    if (token.equals(revoked) || token.isEmpty()) {
      return json(401, Map.of("status", 401, "message", "invalid access token"));
    }
    Map<String, Object> who = new LinkedHashMap<>();
    who.put("client_id", CLIENT);
    who.put("expires_in", 5_000);
    if (!token.startsWith("app-")) {
      who.put("login", "rider");
      who.put("user_id", BOT);
      who.put("scopes", scopes);
    }
    return json(200, who);
  }

  private Reply token(String form) {
    if (form.contains("grant_type=client_credentials")) {
      return json(
          200,
          Map.of("access_token", "app-" + renewals.incrementAndGet(), "expires_in", 5_000_000));
    }
    if (!form.contains("refresh_token=refresh-" + renewals.get())) {
      return json(400, Map.of("status", 400, "message", "Invalid refresh token"));
    }
    int number = renewals.incrementAndGet();
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("access_token", "access-token-" + number);
    answer.put("refresh_token", "refresh-" + number);
    answer.put("expires_in", 14_400);
    answer.put("scope", new ArrayList<>(scopes));
    return json(200, answer);
  }

  @Override
  public void close() {
    helix.close();
    id.close();
  }
}
