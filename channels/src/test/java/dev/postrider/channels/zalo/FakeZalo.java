package dev.postrider.channels.zalo;

import dev.postrider.channels.http.Json;
import dev.postrider.config.AccountConfig;
import dev.postrider.testkit.platform.FakePlatform;
import dev.postrider.testkit.platform.Reply;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;

/** Zalo with its two doors: the API, and whoever gives tokens for it. */
final class FakeZalo implements AutoCloseable {
  static final String APP = "3608465248940903967";
  static final String KEY = "oa-secret-key-1";

  final FakePlatform api = FakePlatform.start();
  final FakePlatform oauth = FakePlatform.start();

  AccountConfig bot() {
    return AccountConfig.of("zb", "zalo")
        .set("token", "1459232241454765289:very-secret")
        .set("baseUrl", api.baseUrl())
        .set("timeout", "5m");
  }

  AccountConfig oa() {
    return AccountConfig.of("zo", "zalo")
        .set("appId", APP)
        .set("appSecret", "app-secret-1")
        .set("refreshToken", "refresh-0")
        .set("baseUrl", api.baseUrl())
        .set("oauthUrl", oauth.baseUrl())
        .set("timeout", "5m");
  }

  static Reply.Answer ok(String id) {
    return Reply.json(
        200, Json.write(Map.of("ok", true, "result", Map.of("message_id", id, "date", 1))));
  }

  static Reply.Answer no(int code, String description) {
    return Reply.json(
        200, Json.write(Map.of("ok", false, "error_code", code, "description", description)));
  }

  static Reply.Answer sent(String id) {
    return Reply.json(
        200,
        Json.write(
            Map.of(
                "error",
                0,
                "message",
                "Success",
                "data",
                Map.of("message_id", id, "user_id", "1"))));
  }

  static Reply.Answer refused(int code, String message) {
    return Reply.json(200, Json.write(Map.of("error", code, "message", message)));
  }

  /** A pair of tokens, with their number; Zalo writes the time as text. */
  static Reply.Answer tokens(int number) {
    return Reply.json(
        200,
        Json.write(
            Map.of(
                "access_token", "access-token-" + number,
                "refresh_token", "refresh-token-" + number,
                "expires_in", "90000")));
  }

  static String mac(String app, String body, String time, String key) {
    try {
      byte[] text = (app + body + time + key).getBytes(StandardCharsets.UTF_8);
      return "mac=" + HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text));
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    api.close();
    oauth.close();
  }
}
