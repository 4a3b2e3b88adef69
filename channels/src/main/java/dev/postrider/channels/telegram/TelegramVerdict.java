package dev.postrider.channels.telegram;

import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.PartFile;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.channels.http.HttpResult.Response;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.PermanentErrors;
import dev.postrider.channels.verdict.ForeignAnswer;
import dev.postrider.message.Fix;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * Reads an answer. Codes and parameters decide first, then Telegram's own error texts; the
 * permanent-error patterns have a say only where those leave it open.
 */
final class TelegramVerdict {
  private final PermanentErrors permanent;
  private final InstantSource clock;

  TelegramVerdict(PermanentErrors permanent, InstantSource clock) {
    this.permanent = permanent;
    this.clock = clock;
  }

  /** The result of a part that brought these files. */
  Outcome of(Response response, List<PartFile> files) {
    JsonNode body = Json.readObject(response.body());
    if (body == null || !body.path("ok").isBoolean()) {
      return notTelegram(response);
    }
    if (body.path("ok").booleanValue()) {
      return TelegramReceipt.of(body.path("result"), files);
    }
    int code = body.path("error_code").asInt(response.status());
    String description = body.path("description").asString("");
    String cause = code + " " + description;
    JsonNode parameters = body.path("parameters");
    if (parameters.path("migrate_to_chat_id").isIntegralNumber()) {
      String chat = parameters.path("migrate_to_chat_id").asString();
      return new Outcome.Repairable(new Fix.NewChat(chat), cause);
    }
    if (code == 429) {
      return throttled(parameters.path("retry_after"), response, cause);
    }
    return byCode(code, description, response, cause);
  }

  private Outcome byCode(int code, String description, Response response, String cause) {
    return switch (code) {
      case 401, 404, 421 -> new Outcome.AccountBroken(cause);
      case 408 -> permanent.or(new Outcome.Unknown(cause), cause);
      case 425 -> permanent.or(new Outcome.NotSent(cause), cause);
      default -> {
        if (code >= 500) {
          yield permanent.or(serverError(code, response, cause), cause);
        }
        Outcome known = TelegramErrors.outcome(description, cause);
        if (known != null) {
          yield known;
        }
        yield switch (code) {
          case 403 -> new Outcome.Rejected(Blame.TARGET, cause);
          default ->
              code >= 400
                  ? new Outcome.Rejected(Blame.MESSAGE, cause)
                  : permanent.or(new Outcome.Unknown(cause), cause);
        };
      }
    };
  }

  private Outcome notTelegram(Response response) {
    return new ForeignAnswer(
            clock,
            permanent,
            ThrottleScope.CHAT,
            Set.of(401, 404, 421),
            "whether baseUrl is a Bot API server")
        .read(response);
  }

  private Outcome serverError(int code, Response response, String cause) {
    Duration later = code == 503 ? response.retryAfter(clock.instant()) : null;
    return later == null ? new Outcome.Unknown(cause) : new Outcome.Unreachable(cause, later);
  }

  private Outcome throttled(JsonNode seconds, Response response, String cause) {
    Duration delay =
        seconds.isNumber()
            ? Duration.ofMillis((long) Math.ceil(seconds.doubleValue() * 1000))
            : response.retryAfter(clock.instant());
    return new Outcome.Throttled(
        ThrottleScope.CHAT, delay == null ? ForeignAnswer.THROTTLE : delay, cause);
  }
}
