package dev.postrider.channels.googlechat;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postrider.channels.http.Json;
import dev.postrider.config.AccountConfig;
import dev.postrider.testkit.platform.FakePlatform;
import dev.postrider.testkit.platform.Reply;
import dev.postrider.testkit.platform.Request;
import java.net.URI;
import java.net.URLDecoder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;

/**
 * Google Chat as an app sees it: tokens at one address, spaces at another. What is posted can be
 * read back, by Google's name for it or by ours, and is there once.
 */
final class FakeGoogle implements AutoCloseable {
  static final String SPACE = "spaces/AAAAroom";
  static final String DIRECT = "spaces/AAAAdm";

  final FakePlatform login = FakePlatform.start();
  final FakePlatform chat = FakePlatform.start();

  /** By Google's name. */
  final Map<String, JsonNode> messages = new LinkedHashMap<>();

  private final Map<String, String> byRequest = new LinkedHashMap<>();
  private final Map<String, String> byOurName = new LinkedHashMap<>();
  private final AtomicInteger tokens = new AtomicInteger();

  FakeGoogle() {
    login.otherwise(_ -> token("ya29.token-" + tokens.incrementAndGet(), 3599));
    chat.when(request -> path(request).equals("/v1/spaces"), _ -> spaces(SPACE));
    chat.when(
        request -> path(request).equals("/v1/spaces:findDirectMessage"),
        request ->
            "users/12345".equals(query(request).get("name"))
                ? Reply.json(200, Json.write(Map.of("name", DIRECT)))
                : error(404, "NOT_FOUND", "Space not found."));
    chat.when(
        request -> request.method().equals("POST") && path(request).endsWith("/messages"),
        this::post);
    chat.when(request -> path(request).contains("/messages/"), this::read);
    chat.otherwise(request -> Reply.json(200, Json.write(Map.of("name", path(request)))));
  }

  static Reply.Answer token(String value, int seconds) {
    return Reply.json(
        200,
        Json.write(Map.of("access_token", value, "expires_in", seconds, "token_type", "Bearer")));
  }

  static Reply.Answer spaces(String... names) {
    return Reply.json(
        200,
        Json.write(
            Map.of("spaces", List.of(names).stream().map(name -> Map.of("name", name)).toList())));
  }

  static Reply.Answer error(int code, String status, String message) {
    return error(code, status, message, List.of());
  }

  static Reply.Answer error(int code, String status, String message, List<?> details) {
    return Reply.json(
        code,
        Json.write(
            Map.of(
                "error",
                Map.of("code", code, "status", status, "message", message, "details", details))));
  }

  AccountConfig app() {
    return AccountConfig.of("gc", "googlechat")
        .set("serviceAccount", GoogleKeys.file(login.baseUrl() + "/token"))
        .set("baseUrl", chat.baseUrl())
        .set("timeout", "5m");
  }

  String webhookUrl() {
    return chat.baseUrl() + "/v1/" + SPACE + "/messages?key=AIza-s3cret&token=t0ken-s3cret";
  }

  static String path(Request request) {
    return URI.create(request.path()).getPath();
  }

  static Map<String, String> query(Request request) {
    Map<String, String> all = new LinkedHashMap<>();
    String query = URI.create(request.path()).getRawQuery();
    for (String pair : query == null ? new String[0] : query.split("&")) {
      String[] field = pair.split("=", 2);
      all.put(field[0], URLDecoder.decode(field[1], UTF_8));
    }
    return all;
  }

  /** The requests that wanted to post, in order. */
  List<Request> posts() {
    return chat.requests().stream().filter(request -> request.method().equals("POST")).toList();
  }

  static JsonNode body(Request request) {
    return Objects.requireNonNull(Json.readObject(request.text()));
  }

  /** Posts as if the request had come, whatever becomes of the answer. */
  synchronized Reply post(Request request) {
    Map<String, String> query = query(request);
    String known = byRequest.get(query.getOrDefault("requestId", ""));
    if (known != null) {
      return Reply.json(200, Json.write(messages.get(known)));
    }
    String space = path(request).replaceFirst("/v1/(.*)/messages", "$1");
    String ours = space + "/messages/" + query.get("messageId");
    if (query.containsKey("messageId") && byOurName.containsKey(ours)) {
      return error(409, "ALREADY_EXISTS", "Message already exists");
    }
    String id = "M" + (messages.size() + 1);
    return add(space + "/messages/" + id + "." + id, body(request), query, ours);
  }

  private Reply add(String name, JsonNode said, Map<String, String> query, String ours) {
    Map<String, Object> message = new LinkedHashMap<>(Json.map(said));
    message.put("name", name);
    message.put("createTime", "2026-03-01T11:00:00.123456Z");
    message.putIfAbsent(
        "thread", Map.of("name", name.replaceFirst("/messages/(.*)\\..*", "/threads/$1")));
    messages.put(name, Json.tree(message));
    byRequest.put(query.getOrDefault("requestId", name), name);
    byOurName.put(ours, name);
    return Reply.json(200, Json.write(message));
  }

  private synchronized Reply read(Request request) {
    String name = path(request).replaceFirst("^/v1/", "");
    JsonNode found = messages.get(byOurName.getOrDefault(name, name));
    return found == null
        ? error(404, "NOT_FOUND", "Message not found.")
        : Reply.json(200, Json.write(found));
  }

  /** Another day: what was asked before is forgotten, the names are not. */
  synchronized void forgetRequests() {
    byRequest.clear();
  }

  int tokensGiven() {
    return tokens.get();
  }

  @Override
  public void close() {
    login.close();
    chat.close();
  }
}
