package dev.postrider.channels.matrix;

import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.channels.http.HttpResult.Response;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.PermanentErrors;
import dev.postrider.channels.verdict.ForeignAnswer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads a refusal. The {@code errcode} decides, except of a server that is in trouble itself. */
final class MatrixVerdict {
  private final PermanentErrors permanent;
  private final InstantSource clock;

  MatrixVerdict(PermanentErrors permanent, InstantSource clock) {
    this.permanent = permanent;
    this.clock = clock;
  }

  /** What an answer means that is not the one hoped for. */
  Outcome of(Response response) {
    JsonNode body = Json.readObject(response.body());
    String code = body == null ? "" : body.path("errcode").asString("");
    if (body == null || code.isEmpty()) {
      return notMatrix(response);
    }
    String cause = code + " " + body.path("error").asString("");
    return switch (code) {
      case "M_LIMIT_EXCEEDED" -> throttled(response, body.path("retry_after_ms"), cause);
      case "M_UNKNOWN_TOKEN" ->
          new Outcome.AccountBroken(
              body.path("soft_logout").asBoolean(false)
                  ? cause + " (soft logout: get a new token for the same device)"
                  : cause);
      case "M_MISSING_TOKEN",
          "M_USER_LOCKED",
          "M_USER_SUSPENDED",
          "M_USER_DEACTIVATED",
          "M_CONSENT_NOT_GIVEN",
          "M_RESOURCE_LIMIT_EXCEEDED",
          "M_USER_LIMIT_EXCEEDED" ->
          new Outcome.AccountBroken(cause);
      case "M_UNRECOGNIZED" ->
          new Outcome.AccountBroken(cause + " (check whether baseUrl is a homeserver)");
      case "M_DUPLICATE_ANNOTATION" -> Outcome.delivered("");
      case "M_FORBIDDEN", "M_NOT_FOUND", "M_GUEST_ACCESS_FORBIDDEN" ->
          response.status() >= 500
              ? permanent.or(new Outcome.Unknown(cause), cause)
              : new Outcome.Rejected(Blame.TARGET, cause);
      default -> byStatus(response, cause);
    };
  }

  private Outcome byStatus(Response response, String cause) {
    return switch (response.status()) {
      case 401 -> new Outcome.AccountBroken(cause);
      case 429 -> throttled(response, null, cause);
      default ->
          response.status() / 100 == 4
              ? new Outcome.Rejected(Blame.MESSAGE, cause)
              : permanent.or(new Outcome.Unknown(cause), cause);
    };
  }

  private Outcome notMatrix(Response response) {
    return new ForeignAnswer(
            clock,
            permanent,
            ThrottleScope.ACCOUNT,
            Set.of(401, 404, 405),
            "whether baseUrl is a homeserver")
        .read(response);
  }

  /** A homeserver limits its users, not their rooms. */
  private Outcome throttled(Response response, @Nullable JsonNode millis, String cause) {
    Duration delay = response.retryAfter(clock.instant());
    if (delay == null && millis != null && millis.isIntegralNumber()) {
      delay = Duration.ofMillis(Math.max(0, millis.asLong(0)));
    }
    return new Outcome.Throttled(
        ThrottleScope.ACCOUNT, delay == null ? ForeignAnswer.THROTTLE : delay, cause);
  }
}
