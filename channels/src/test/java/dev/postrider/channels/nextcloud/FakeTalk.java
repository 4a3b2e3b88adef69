package dev.postrider.channels.nextcloud;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.VendorSchema;
import dev.postrider.testkit.platform.FakePlatform;
import dev.postrider.testkit.platform.Reply;
import dev.postrider.testkit.platform.Request;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A Nextcloud with Talk, after its BotController: it recomputes every signature over the random
 * value and the text of the message, and answers as the controller does, in its order.
 */
final class FakeTalk implements AutoCloseable {
  static final String SECRET = "a-secret-of-more-than-forty-characters-00";
  static final String USER = "reader";
  static final String PASSWORD = "xxxxx-yyyyy-zzzzz";
  private static final String API = "/ocs/v2.php/apps/spreed/api/v1";

  /** What Talk describes of a bot's requests, and of its answers. */
  private static final VendorSchema CONTRACT = new VendorSchema(FakeTalk.class, "bots.schema.json");

  final FakePlatform platform = FakePlatform.start();

  /** What a bot asked otherwise than Talk describes. */
  final List<String> breaches = new CopyOnWriteArrayList<>();

  /** Where the bot is enabled. */
  final Set<String> conversations = new HashSet<>(Set.of("n3xtc10ud", "room2345"));

  final List<Map<String, Object>> messages = new ArrayList<>();
  final Map<String, byte[]> files = new HashMap<>();
  String secret = SECRET;
  boolean mayRespond = true;
  boolean tellsFeatures;
  int refusals;

  FakeTalk() {
    platform.when(request -> request.path().startsWith(API + "/bot/"), this::bot);
    platform.when(request -> request.path().startsWith(API + "/chat/"), this::history);
    platform.when(
        request -> request.path().equals("/ocs/v2.php/cloud/capabilities"), _ -> capabilities());
    platform.when(
        request -> request.path().equals("/ocs/v2.php/apps/dav/api/v1/direct"), this::direct);
    platform.when(
        request -> request.path().startsWith("/remote.php/direct/"),
        request -> Reply.text(200, "text/plain", "the bytes"));
    platform.otherwise(_ -> ocs(404, 998, null));
  }

  String baseUrl() {
    return platform.baseUrl();
  }

  static Reply.Answer ocs(int status, @Nullable Object data) {
    return ocs(status, status, data);
  }

  static Reply.Answer ocs(int status, int code, @Nullable Object data) {
    Map<String, Object> meta = new LinkedHashMap<>();
    meta.put("status", status < 300 ? "ok" : "failure");
    meta.put("statuscode", code);
    meta.put("message", null);
    Map<String, Object> ocs = new LinkedHashMap<>();
    ocs.put("meta", meta);
    ocs.put("data", data);
    assertThat(CONTRACT.validate("answer", Json.tree(Map.of("ocs", ocs)))).isEmpty();
    return Reply.json(status, Json.write(Map.of("ocs", ocs)));
  }

  private Reply bot(Request request) {
    if (!"true".equals(request.headers().get("ocs-apirequest"))) {
      return ocs(412, null);
    }
    String[] path = request.path().substring((API + "/bot/").length()).split("/");
    JsonNode body = Json.readObject(request.text());
    boolean features = path[0].equals("ask-features");
    hold(features ? "features" : path[1], body);
    if (!features && !path[0].matches("[a-z0-9]{4,30}")) {
      breaches.add("the token of the conversation " + path[0]);
    }
    if (features) {
      String token = body.path("token").asString("");
      return !tellsFeatures
          ? ocs(404, 998, null)
          : isGenuine(request, token, token)
              ? ocs(200, Map.of("features", mayRespond ? 3 : 1))
              : refused();
    }
    boolean post = path[1].equals("message");
    String signed = body.path(post ? "message" : "reaction").asString("");
    if (signed.isBlank()) {
      return ocs(400, null);
    }
    if (!mayRespond || !isGenuine(request, signed, path[0])) {
      return refused();
    }
    return post ? post(path[0], body) : ocs(400, null); // there is no message 0 to react to
  }

  private void hold(String schema, JsonNode body) {
    CONTRACT.validate(schema, body).forEach(error -> breaches.add(schema + error));
  }

  private Reply refused() {
    refusals++;
    return ocs(401, null);
  }

  private boolean isGenuine(Request request, String signed, String conversation) {
    String random = request.headers().getOrDefault("x-nextcloud-talk-bot-random", "");
    return random.length() >= 32
        && conversations.contains(conversation)
        && hmac(secret, random + signed)
            .equals(request.headers().get("x-nextcloud-talk-bot-signature"));
  }

  static String hmac(String secret, String signed) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(secret.getBytes(UTF_8), "HmacSHA256"));
      return HexFormat.of().formatHex(mac.doFinal(signed.getBytes(UTF_8)));
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private Reply post(String conversation, JsonNode body) {
    JsonNode reply = body.path("replyTo");
    boolean known =
        reply.isMissingNode()
            || messages.stream().anyMatch(each -> each.get("id").equals(reply.asInt()));
    if (!known) {
      return ocs(400, null);
    }
    if (body.path("message").asString().length() > 32_000) {
      return ocs(413, null);
    }
    add(conversation, body.path("referenceId").asString(""), 1_772_366_400L);
    return ocs(201, null);
  }

  void add(String conversation, String referenceId, long timestamp) {
    Map<String, Object> message = new LinkedHashMap<>();
    message.put("id", messages.size() + 1);
    message.put("token", conversation);
    message.put("referenceId", referenceId);
    message.put("timestamp", timestamp);
    messages.add(message);
  }

  private Reply capabilities() {
    List<String> features =
        tellsFeatures ? List.of("bots-v1", "bot-features-api") : List.of("bots-v1");
    return ocs(
        200,
        Map.of(
            "version",
            Map.of("string", "31.0.5"),
            "capabilities",
            Map.of("spreed", Map.of("features", features, "version", "21.1.0"))));
  }

  /** Newest first, a page at a time. */
  private Reply history(Request request) {
    if (!isUser(request)) {
      return ocs(401, 997, null);
    }
    String path = request.path();
    int before =
        path.contains("lastKnownMessageId=")
            ? Integer.parseInt(path.replaceAll(".*lastKnownMessageId=", ""))
            : Integer.MAX_VALUE;
    List<Map<String, Object>> page =
        messages.reversed().stream()
            .filter(each -> (int) each.get("id") < before)
            .filter(each -> path.startsWith(API + "/chat/" + each.get("token") + "?"))
            .limit(2)
            .toList();
    return page.isEmpty()
        ? Reply.text(304, "text/plain", "")
        : ocs(200, page).header("X-Chat-Last-Given", "" + page.getLast().get("id"));
  }

  private Reply direct(Request request) {
    return !isUser(request)
        ? ocs(401, 997, null)
        : request.text().equals("fileId=77")
            ? ocs(200, Map.of("url", baseUrl() + "/remote.php/direct/once"))
            : ocs(404, null);
  }

  private static boolean isUser(Request request) {
    String expected =
        "Basic " + Base64.getEncoder().encodeToString((USER + ":" + PASSWORD).getBytes(UTF_8));
    return expected.equals(request.headers().get("authorization"));
  }

  /** What the posts said, in order. */
  List<JsonNode> posts() {
    return platform.requests().stream()
        .filter(request -> request.path().endsWith("/message"))
        .map(request -> Json.readObject(request.text()))
        .toList();
  }

  @Override
  public void close() {
    platform.close();
    assertThat(breaches).as("as Talk describes it").isEmpty();
  }
}
