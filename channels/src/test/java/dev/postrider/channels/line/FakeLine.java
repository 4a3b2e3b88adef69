package dev.postrider.channels.line;

import dev.postrider.channels.http.Json;
import dev.postrider.testkit.platform.FakePlatform;
import dev.postrider.testkit.platform.Reply;
import dev.postrider.testkit.platform.Request;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * LINE as its documentation has it: each push key and each reply token is taken once. What it shows
 * is recorded; scripted replies of {@link #platform} go first.
 */
final class FakeLine implements AutoCloseable {
  final FakePlatform platform = FakePlatform.start();

  private final Set<String> tokens = new HashSet<>();
  private final Map<String, Taken> keys = new HashMap<>();
  private final Set<String> strangers = new HashSet<>();
  private final List<String> received = new ArrayList<>();
  private InstantSource clock = InstantSource.system();
  private final List<JsonNode> shown = new ArrayList<>();
  private final Set<String> accessTokens = new HashSet<>();
  private int issued;
  private int lost;
  private int sent;
  private boolean webhookOn = true;
  private long limit = 200;
  private long used = 20;

  /** What came with a key: as long as LINE remembers it. */
  private record Taken(List<String> ids, String request, Instant at) {}

  FakeLine() {
    platform.otherwise(this::answer);
    accessTokens.add("long-lived-token");
  }

  /** An event has told this token. */
  synchronized void gives(String replyToken) {
    tokens.add(replyToken);
  }

  synchronized void quota(long most, long count) {
    limit = most;
    used = count;
  }

  synchronized void webhookIsOff() {
    webhookOn = false;
  }

  /** No token is good any more, before its time. */
  synchronized void revoke() {
    accessTokens.clear();
  }

  synchronized int issued() {
    return issued;
  }

  /** It forgets keys by this clock, each a day after it came. */
  synchronized void clock(InstantSource time) {
    clock = time;
  }

  /** LINE knows no such user. */
  synchronized void stranger(String user) {
    strangers.add(user);
  }

  /** Who was shown something, by pushes and multicasts, in order and as often. */
  synchronized List<String> received() {
    return List.copyOf(received);
  }

  /** How many requests of a path came, whatever they were answered. */
  long count(String path) {
    return platform.requests().stream().filter(it -> it.path().equals(path)).count();
  }

  /** The bodies of the requests that it took, each once. */
  synchronized List<JsonNode> shown() {
    return List.copyOf(shown);
  }

  /** So many messages are taken whose senders hear nothing of it. */
  synchronized void losesAnswers(int count) {
    lost = count;
  }

  private synchronized Reply answer(Request request) {
    Reply reply = honest(request);
    boolean lose = lost > 0 && request.path().startsWith("/v2/bot/message/");
    lost -= lose ? 1 : 0;
    return lose ? new Reply.HangUp() : reply;
  }

  private Reply honest(Request request) {
    if (request.path().equals("/oauth2/v3/token")) {
      return issue(request.text());
    }
    String bearer = request.headers().getOrDefault("authorization", "").replace("Bearer ", "");
    if (!accessTokens.contains(bearer)) {
      return error(401, "Authentication failed. Confirm that the access token is valid.");
    }
    return switch (request.path()) {
      case "/v2/bot/info" ->
          json(Map.of("userId", "U1", "basicId", "@216abc", "displayName", "Shop"));
      case "/v2/bot/message/quota" -> json(Map.of("type", "limited", "value", limit));
      case "/v2/bot/message/quota/consumption" -> json(Map.of("totalUsage", used));
      case "/v2/bot/channel/webhook/endpoint" ->
          json(Map.of("endpoint", "https://example.org/hooks/line", "active", webhookOn));
      case "/v2/bot/message/push", "/v2/bot/message/multicast" -> push(request);
      case "/v2/bot/message/reply" -> reply(request);
      default -> error(404, "Not found");
    };
  }

  private Reply issue(String form) {
    if (!form.contains("client_secret=channel-secret")) {
      return Reply.json(
          400, "{\"error\":\"invalid_client\",\"error_description\":\"invalid client_secret\"}");
    }
    String token = "stateless-" + ++issued;
    accessTokens.add(token);
    return json(Map.of("token_type", "Bearer", "access_token", token, "expires_in", 900));
  }

  /** To one, or to each of many or to none of them; what a multicast has sent has no ids. */
  private Reply push(Request request) {
    String key = Objects.requireNonNull(request.headers().get("x-line-retry-key"));
    Taken before = keys.get(key);
    if (before != null && clock.instant().isBefore(before.at.plus(Duration.ofHours(24)))) {
      Map<String, Object> body = new HashMap<>(sent(before.ids));
      body.put("message", "The retry key is already accepted");
      return Reply.json(409, Json.write(body)).header("x-line-accepted-request-id", before.request);
    }
    JsonNode to = Objects.requireNonNull(Json.readObject(request.text())).path("to");
    boolean many = request.path().endsWith("/multicast");
    List<String> users =
        many ? to.valueStream().map(JsonNode::asString).toList() : List.of(to.asString());
    if (many && (users.size() > 500 || users.stream().anyMatch(user -> !user.startsWith("U")))
        || users.stream().anyMatch(strangers::contains)) {
      return error(
          400,
          many ? "The property, 'to', in the request body is invalid" : "Failed to send messages");
    }
    if (used + users.size() > limit) {
      return error(429, "You have reached your monthly limit.");
    }
    List<String> ids = show(request);
    Taken taken = new Taken(many ? List.of() : ids, "request-" + sent, clock.instant());
    keys.put(key, taken);
    received.addAll(users);
    used += users.size();
    return json(sent(taken.ids)).header("x-line-request-id", taken.request);
  }

  private static Map<String, Object> sent(List<String> ids) {
    return ids.isEmpty() ? Map.of() : Map.of("sentMessages", ids(ids));
  }

  private Reply reply(Request request) {
    JsonNode body = Objects.requireNonNull(Json.readObject(request.text()));
    if (request.headers().containsKey("x-line-retry-key")) {
      return error(400, "The request header contains invalid key");
    }
    return tokens.remove(body.path("replyToken").asString(""))
        ? json(Map.of("sentMessages", ids(show(request))))
        : error(400, "Invalid reply token");
  }

  private List<String> show(Request request) {
    JsonNode body = Objects.requireNonNull(Json.readObject(request.text()));
    shown.add(body);
    return IntStream.range(0, body.path("messages").size()).mapToObj(_ -> "" + ++sent).toList();
  }

  private static List<Map<String, String>> ids(List<String> ids) {
    return ids.stream().map(id -> Map.of("id", id, "quoteToken", "q-" + id)).toList();
  }

  /** The last request of a path; null if there was none. */
  @Nullable Request last(String path) {
    return platform.requests().reversed().stream()
        .filter(it -> it.path().equals(path))
        .findFirst()
        .orElse(null);
  }

  static Reply.Answer json(Object body) {
    return Reply.json(200, Json.write(body)).header("x-line-request-id", "request-1");
  }

  static Reply.Answer error(int status, String message) {
    return Reply.json(status, Json.write(Map.of("message", message)));
  }

  @Override
  public void close() {
    platform.close();
  }
}
