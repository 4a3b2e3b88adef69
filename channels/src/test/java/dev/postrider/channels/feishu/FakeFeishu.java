package dev.postrider.channels.feishu;

import dev.postrider.channels.http.Json;
import dev.postrider.config.AccountConfig;
import dev.postrider.testkit.platform.FakePlatform;
import dev.postrider.testkit.platform.Reply;
import dev.postrider.testkit.platform.Request;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;

/** Feishu as far as an app sees it: it gives tokens, takes messages, and drops repeats by uuid. */
final class FakeFeishu implements AutoCloseable {
  static final String APP_SECRET = "app-s3cret-of-ours";

  final FakePlatform platform = FakePlatform.start();
  private final AtomicInteger tokens = new AtomicInteger();
  private final Map<String, String> ids = new LinkedHashMap<>();
  private final List<JsonNode> messages = new ArrayList<>();
  private volatile String valid = "";

  FakeFeishu() {
    platform.when(
        request -> request.path().equals("/open-apis/auth/v3/tenant_access_token/internal"),
        this::token);
    platform.when(request -> !isAuthorised(request), error(400, 99991663, "Invalid access token"));
    platform.when(
        request -> request.path().equals("/open-apis/bot/v3/info"),
        Reply.json(
            200,
            "{\"code\":0,\"msg\":\"ok\",\"bot\":{\"activate_status\":2,\"app_name\":\"Rider\","
                + "\"open_id\":\"ou_bot\"}}"));
    platform.when(
        request -> request.path().equals("/open-apis/im/v1/images"),
        Reply.json(200, "{\"code\":0,\"data\":{\"image_key\":\"img_v3_1\"}}"));
    platform.when(
        request -> request.path().equals("/open-apis/im/v1/files"),
        Reply.json(200, "{\"code\":0,\"data\":{\"file_key\":\"file_v3_1\"}}"));
    platform.when(request -> request.path().startsWith("/open-apis/im/v1/messages"), this::message);
  }

  AccountConfig account() {
    return AccountConfig.of("fs", "feishu")
        .set("appId", "cli_a1")
        .set("appSecret", APP_SECRET)
        .set("baseUrl", platform.baseUrl());
  }

  /** From now on nobody is let in with the tokens that were given so far. */
  void revokeTokens() {
    valid = "";
  }

  int tokensGiven() {
    return tokens.get();
  }

  private Reply token(Request request) {
    JsonNode body = Objects.requireNonNull(Json.readObject(request.text()));
    if (!body.path("app_secret").asString("").equals(APP_SECRET)) {
      return error(200, 10014, "app secret invalid");
    }
    valid = "t-token-" + tokens.incrementAndGet();
    return Reply.json(
        200,
        "{\"code\":0,\"msg\":\"ok\",\"expire\":7200,\"tenant_access_token\":\"" + valid + "\"}");
  }

  private boolean isAuthorised(Request request) {
    return ("Bearer " + valid).equals(request.headers().get("authorization"));
  }

  private synchronized Reply message(Request request) {
    JsonNode body = Objects.requireNonNull(Json.readObject(request.text()));
    String id = ids.get(body.path("uuid").asString(""));
    if (id == null) {
      id = "om_" + (ids.size() + 1);
      ids.put(body.path("uuid").asString(""), id);
      messages.add(body);
    }
    return success(id);
  }

  /** What people see: each message once. */
  synchronized List<JsonNode> messages() {
    return List.copyOf(messages);
  }

  /** The requests about messages, in order. */
  List<Request> sends() {
    return platform.requests().stream()
        .filter(request -> request.path().startsWith("/open-apis/im/v1/messages"))
        .toList();
  }

  /** The last request about a message. */
  JsonNode sent() {
    return Objects.requireNonNull(Json.readObject(sends().getLast().text()));
  }

  /** What the last message said. */
  JsonNode content() {
    return Objects.requireNonNull(Json.readObject(sent().path("content").asString("")));
  }

  static Reply.Answer success(String id) {
    return Reply.json(
        200, "{\"code\":0,\"msg\":\"success\",\"data\":{\"message_id\":\"" + id + "\"}}");
  }

  static Reply.Answer error(int status, int code, String message) {
    return Reply.json(status, Json.write(Map.of("code", code, "msg", message)));
  }

  @Override
  public void close() {
    platform.close();
  }
}
