package dev.postrider.channels.sidecar;

import dev.postrider.channel.LoginState;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.process.JsonRpc;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads a sidecar's answer to {@code login}. */
final class SidecarLogin {
  private SidecarLogin() {}

  static LoginState read(JsonRpc.Answer answer) {
    return switch (answer) {
      case JsonRpc.Answer.Result(JsonNode result) -> state(result);
      case JsonRpc.Answer.Refused(_, String message, _) -> new LoginState.Failed(message);
      case JsonRpc.Answer.NotAsked _ -> new LoginState.Waiting("the sidecar is being started");
      case JsonRpc.Answer.Unknown _ -> new LoginState.Waiting("the sidecar takes its time");
    };
  }

  private static LoginState state(JsonNode result) {
    String cause = result.path("cause").asString("it does not say why");
    return switch (result.path("state").asString("")) {
      case "loggedIn" -> new LoginState.LoggedIn(result.path("identity").asString(""));
      case "scan" -> scan(result);
      case "code" -> {
        String code = Json.text(result, "code");
        yield code == null
            ? new LoginState.Failed("the sidecar gives no code")
            : new LoginState.TypeCode(code, until(result));
      }
      case "waiting" -> new LoginState.Waiting(cause);
      case "failed" -> new LoginState.Failed(cause);
      default -> new LoginState.Failed("the sidecar answers with a state that is not known");
    };
  }

  private static LoginState scan(JsonNode result) {
    String text = Json.text(result, "text");
    String png = Json.text(result, "png");
    try {
      return text != null
          ? LoginState.ScanQr.text(text, until(result))
          : png != null
              ? LoginState.ScanQr.picture(Base64.getDecoder().decode(png), until(result))
              : new LoginState.Failed("the sidecar gives a QR code without text or picture");
    } catch (IllegalArgumentException e) {
      return new LoginState.Failed("the sidecar's picture of the QR code is no base64");
    }
  }

  private static @Nullable Instant until(JsonNode result) {
    String given = Json.text(result, "validUntil");
    try {
      return given == null ? null : Instant.parse(given);
    } catch (DateTimeException e) {
      return null;
    }
  }
}
