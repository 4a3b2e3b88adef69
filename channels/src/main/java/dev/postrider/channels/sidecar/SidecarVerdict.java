package dev.postrider.channels.sidecar;

import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.process.JsonRpc;
import dev.postrider.channels.verdict.ErrorTable;
import dev.postrider.message.Fix;
import java.time.Duration;
import tools.jackson.databind.JsonNode;

/** What a sidecar's answer to {@code send} means. */
final class SidecarVerdict {
  static final String LOGGED_OUT = "loggedOut";
  private static final String NOT_CONNECTED = "the sidecar is not connected";
  private static final Duration THROTTLE = Duration.ofMinutes(1);

  /** By {@code error.data.kind}; JSON-RPC's own codes say that the sidecar is another's. */
  static final ErrorTable KINDS =
      ErrorTable.of(
          ErrorTable.rejected(Blame.MESSAGE, "rejectedMessage"),
          ErrorTable.rejected(Blame.TARGET, "rejectedChat"),
          ErrorTable.repairable(new Fix.DropReply(), "replyGone"),
          ErrorTable.notSent("notSent"),
          ErrorTable.row(Outcome.Unreachable::new, "unreachable", LOGGED_OUT),
          ErrorTable.throttled(ThrottleScope.ACCOUNT, THROTTLE, "throttled"),
          ErrorTable.broken("broken", -32601, -32602, -32600, -32700),
          ErrorTable.unknown("unknown"));

  private SidecarVerdict() {}

  static Outcome notConnected() {
    return new Outcome.Unreachable(NOT_CONNECTED);
  }

  static Outcome read(JsonRpc.Answer answer) {
    return switch (answer) {
      case JsonRpc.Answer.Result(JsonNode result) -> {
        String id = Json.text(result, "messageId");
        yield id == null
            ? new Outcome.Unknown("taken, but without an id")
            : Outcome.accepted(id); // its receipts come later, if ever
      }
      case JsonRpc.Answer.Refused(int code, String message, JsonNode data) ->
          refused(code, message, data);
      case JsonRpc.Answer.NotAsked _ -> notConnected();
      case JsonRpc.Answer.Unknown(String cause) -> new Outcome.Unknown(cause);
    };
  }

  static boolean isLoggedOut(JsonRpc.Answer answer) {
    return answer instanceof JsonRpc.Answer.Refused(_, _, JsonNode data)
        && LOGGED_OUT.equals(Json.text(data, "kind"));
  }

  private static Outcome refused(int code, String message, JsonNode data) {
    String kind = Json.text(data, "kind");
    Outcome known = KINDS.byCode(kind == null ? code : kind, message);
    if (known instanceof Outcome.Throttled) {
      boolean chat = "chat".equals(Json.text(data, "scope"));
      double seconds = data.path("retryAfter").asDouble(0);
      return new Outcome.Throttled(
          chat ? ThrottleScope.CHAT : ThrottleScope.ACCOUNT,
          seconds > 0 ? Duration.ofMillis((long) (1000 * seconds)) : THROTTLE,
          message);
    }
    return known == null ? new Outcome.Unknown(message) : known;
  }
}
