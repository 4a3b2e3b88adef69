package dev.postrider.channels.zalo;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.channels.http.HttpResult.Response;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.PermanentErrors;
import dev.postrider.channels.verdict.ErrorTable;
import dev.postrider.channels.verdict.ForeignAnswer;
import dev.postrider.message.Fix;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads an answer to a bot. The error's number decides, whatever the status. */
record BotVerdict(PermanentErrors permanent, InstantSource clock) {
  /** For a limit that does not say how long it lasts. */
  static final Duration THROTTLE = Duration.ofSeconds(30);

  static final ErrorTable ERRORS =
      ErrorTable.of(
          ErrorTable.row(
              cause -> new Outcome.AccountBroken(cause + " (check token: is it the bot's?)"), 401),
          ErrorTable.rejected(Blame.TARGET, 403),
          ErrorTable.rejected(Blame.MESSAGE, 400, 404, 413),
          ErrorTable.throttled(ThrottleScope.CHAT, THROTTLE, 429),
          ErrorTable.unknown(408, 500, 502, 503, 504));

  /**
   * The result.
   *
   * @param dispatch the part; null if it was a question
   */
  Outcome of(Response response, @Nullable Dispatch dispatch) {
    JsonNode body = Json.readObject(response.body());
    if (body == null || !body.path("ok").isBoolean()) {
      return new ForeignAnswer(
              clock, permanent, ThrottleScope.ACCOUNT, Set.of(401, 404), "whether baseUrl is right")
          .read(response);
    }
    if (!body.path("ok").asBoolean()) {
      return refusal(response, body, dispatch);
    }
    String id = body.path("result").path("message_id").asString("");
    // An action leaves nothing behind that could have an id.
    boolean message = dispatch != null && !dispatch.channelData().containsKey("action");
    return response.status() / 100 != 2 || (message && id.isEmpty())
        ? new Outcome.Unknown(response.status() + " " + response.excerpt())
        : Outcome.delivered(id);
  }

  private Outcome refusal(Response response, JsonNode body, @Nullable Dispatch dispatch) {
    int code = code(body, response.status());
    String cause = code + " " + body.path("description").asString("");
    Duration asked = response.retryAfter(clock.instant());
    if (code == 429 && asked != null) {
      return new Outcome.Throttled(ThrottleScope.CHAT, asked, cause);
    }
    if (code == 400 && dispatch != null && !dispatch.styles().isEmpty()) {
      return new Outcome.Repairable(new Fix.PlainText(), cause);
    }
    Outcome known = ERRORS.byCode(code, cause);
    if (known instanceof Outcome.AccountBroken || known instanceof Outcome.Throttled) {
      return known;
    }
    if (known != null) {
      return permanent.or(known, cause);
    }
    return permanent.or(
        code / 100 == 4 ? new Outcome.Rejected(Blame.MESSAGE, cause) : new Outcome.Unknown(cause),
        cause);
  }

  /** The error's number, under either of its names; without one, the status. */
  static int code(JsonNode body, int status) {
    return body.path("error_code").asInt(body.path("errorCode").asInt(status));
  }
}
