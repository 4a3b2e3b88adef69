package dev.postrider.channels.telegram;

import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.PartFile;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.channels.http.HttpResult.Response;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.PermanentErrors;
import dev.postrider.message.Fix;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Reads an answer. Codes and parameters decide first, then Telegram's own error texts; the
 * permanent-error patterns have a say only where those leave it open.
 */
final class TelegramVerdict {
  /** For a 429 that does not say how long; Telegram's always do, a proxy's may not. */
  private static final Duration THROTTLE = Duration.ofSeconds(5);

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
      case 408 -> open(cause, new Outcome.Unknown(cause));
      case 425 -> open(cause, new Outcome.NotSent(cause));
      default -> {
        if (code >= 500) {
          yield open(cause, serverError(code, response, cause));
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
                  : open(cause, new Outcome.Unknown(cause));
        };
      }
    };
  }

  /** Not Telegram's voice: a proxy, a firewall, half an answer. Only the status can be trusted. */
  private Outcome notTelegram(Response response) {
    int status = response.status();
    String cause = status + " without a readable answer: " + response.excerpt();
    if (status == 429) {
      return throttled(null, response, cause);
    }
    return switch (status / 100) {
      case 3 ->
          new Outcome.AccountBroken(
              status + " sends us elsewhere; check whether baseUrl is a Bot API server");
      case 4 ->
          switch (status) {
            case 401, 404, 421 -> new Outcome.AccountBroken(cause);
            case 413 -> new Outcome.Rejected(Blame.MESSAGE, cause);
            case 408 -> open(cause, new Outcome.Unknown(cause));
            // Refused, so certainly not processed, but nobody said what for.
            default -> open(cause, new Outcome.NotSent(cause));
          };
      case 5 -> open(cause, serverError(status, response, cause));
      default -> open(cause, new Outcome.Unknown(cause));
    };
  }

  private Outcome serverError(int code, Response response, String cause) {
    Duration later = code == 503 ? response.retryAfter(clock.instant()) : null;
    return later == null ? new Outcome.Unknown(cause) : new Outcome.Unreachable(cause, later);
  }

  private Outcome throttled(@Nullable JsonNode seconds, Response response, String cause) {
    Duration delay =
        seconds != null && seconds.isNumber()
            ? Duration.ofMillis((long) Math.ceil(seconds.doubleValue() * 1000))
            : response.retryAfter(clock.instant());
    return new Outcome.Throttled(ThrottleScope.CHAT, delay == null ? THROTTLE : delay, cause);
  }

  /** What no code decides: the patterns may. */
  private Outcome open(String cause, Outcome otherwise) {
    Blame blame = permanent.blame(cause);
    return blame == null ? otherwise : new Outcome.Rejected(blame, cause);
  }
}
