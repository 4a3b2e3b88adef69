package dev.postrider.channels.msteams;

import dev.postrider.channels.http.Json;
import dev.postrider.config.AccountConfig;
import dev.postrider.testkit.platform.FakePlatform;
import dev.postrider.testkit.platform.Reply;
import dev.postrider.testkit.platform.Request;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;

/** Entra ID, and the Bot Connector, each on a server of its own. */
final class FakeTeams implements AutoCloseable {
  static final String APP = "11111111-2222-4333-8444-555555555555";
  static final String TENANT = "99999999-8888-4777-8666-555555555555";
  static final String PASSWORD = "very-secret-value~8Q";

  final FakePlatform login = FakePlatform.start();
  final FakePlatform connector = FakePlatform.start();
  private final AtomicInteger tokens = new AtomicInteger();
  private final AtomicInteger ids = new AtomicInteger();

  FakeTeams() {
    login.otherwise(_ -> token("token-" + tokens.incrementAndGet(), 3600));
    connector.when(
        request -> request.path().equals("/v3/conversations"),
        _ -> Reply.json(201, "{\"id\":\"a:opened\",\"activityId\":null}"));
    connector.otherwise(_ -> sent("1700000000" + (100 + ids.incrementAndGet())));
  }

  static Reply.Answer token(String value, int seconds) {
    return Reply.json(
        200,
        Json.write(Map.of("token_type", "Bearer", "expires_in", seconds, "access_token", value)));
  }

  static Reply.Answer sent(String id) {
    return Reply.json(201, Json.write(Map.of("id", id)));
  }

  static Reply.Answer error(int status, String code, String message) {
    return Reply.json(
        status, Json.write(Map.of("error", Map.of("code", code, "message", message))));
  }

  /** As a bot of one tenant. */
  AccountConfig account() {
    return AccountConfig.of("teams", "msteams")
        .set("appId", APP)
        .set("appPassword", PASSWORD)
        .set("tenantId", TENANT)
        .set("baseUrl", connector.baseUrl())
        .set("loginUrl", login.baseUrl())
        .set("timeout", "5m");
  }

  List<Request> posts() {
    return connector.requests();
  }

  Request post() {
    return connector.onlyRequest();
  }

  static JsonNode body(Request request) {
    return java.util.Objects.requireNonNull(Json.readObject(request.text()));
  }

  static String path(Request request) {
    return URLDecoder.decode(request.path(), StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    login.close();
    connector.close();
  }
}
