package dev.postrider.server.api;

import dev.postrider.channel.LoginState;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;

/** Where a login stands, as JSON. Its codes are secrets, so nobody on the way keeps it. */
final class LoginJson {
  private static final Map<String, String> NOT_KEPT = Map.of("Cache-Control", "no-store");

  private LoginJson() {}

  static ApiResponse answer(String account, LoginState state) {
    return secret(
        ApiResponse.json(
            200,
            json -> {
              json.writeStringProperty("account", account);
              json.writeStringProperty("state", word(state));
              members(json, state);
            }));
  }

  /** The same answer, for the caller's eyes only. */
  static ApiResponse secret(ApiResponse answer) {
    return answer instanceof ApiResponse.Whole whole
        ? new ApiResponse.Whole(whole.status(), whole.contentType(), whole.body(), NOT_KEPT)
        : answer;
  }

  static String word(LoginState state) {
    return switch (state) {
      case LoginState.NotSupported _ -> "notSupported";
      case LoginState.LoggedIn _ -> "loggedIn";
      case LoginState.ScanQr _ -> "scan";
      case LoginState.TypeCode _ -> "code";
      case LoginState.Waiting _ -> "waiting";
      case LoginState.Failed _ -> "failed";
    };
  }

  private static void members(JsonGenerator json, LoginState state) {
    switch (state) {
      case LoginState.NotSupported _ ->
          rest(json, null, null, null, "its channel has no login: its settings say all");
      case LoginState.LoggedIn(String identity) -> rest(json, identity, null, null, null);
      case LoginState.ScanQr scan -> {
        qr(json, scan);
        rest(json, null, null, scan.validUntil(), null);
      }
      case LoginState.TypeCode(String code, @Nullable Instant until) ->
          rest(json, null, code, until, null);
      case LoginState.Waiting(String forWhat) -> rest(json, null, null, null, forWhat);
      case LoginState.Failed(String cause) -> rest(json, null, null, null, cause);
    }
  }

  private static void rest(
      JsonGenerator json,
      @Nullable String identity,
      @Nullable String code,
      @Nullable Instant validUntil,
      @Nullable String cause) {
    Json.text(json, "identity", identity);
    Json.text(json, "code", code);
    Json.instant(json, "validUntil", validUntil);
    Json.text(json, "cause", cause);
  }

  /** Its squares, so that whoever shows it needs no library; its picture if it cannot be read. */
  private static void qr(JsonGenerator json, LoginState.ScanQr scan) {
    byte[] png = scan.png();
    String text = scan.text() == null && png != null ? QrCode.read(png) : scan.text();
    json.writeObjectPropertyStart("qr");
    Json.text(json, "text", text);
    if (text != null) {
      json.writeArrayPropertyStart("rows");
      QrCode.rows(text).forEach(json::writeString);
      json.writeEndArray();
    } else if (png != null) {
      Json.text(json, "png", Base64.getEncoder().encodeToString(png));
    }
    json.writeEndObject();
  }
}
