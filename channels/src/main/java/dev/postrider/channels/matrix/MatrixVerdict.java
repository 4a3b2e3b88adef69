package dev.postrider.channels.matrix;

import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.channels.http.HttpResult.Response;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.PermanentErrors;
import java.time.Duration;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Reads a refusal. The {@code errcode} decides, except of a server that is in trouble itself. */
final class MatrixVerdict {
  /** For a 429 that does not say how long. */
  private static final Duration THROTTLE = Duration.ofSeconds(5);

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
              ? open(cause, new Outcome.Unknown(cause))
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
              : open(cause, new Outcome.Unknown(cause));
    };
  }

  /** Not the homeserver's voice: a proxy, a firewall, half an answer. Only the status counts. */
  private Outcome notMatrix(Response response) {
    int status = response.status();
    String cause = status + " without a readable answer: " + response.excerpt();
    return switch (status) {
      case 401, 404, 405 -> new Outcome.AccountBroken(cause);
      case 408 -> open(cause, new Outcome.Unknown(cause));
      case 413 -> new Outcome.Rejected(Blame.MESSAGE, cause);
      case 429 -> throttled(response, null, cause);
      default ->
          switch (status / 100) {
            case 3 ->
                new Outcome.AccountBroken(
                    status + " sends us elsewhere; check whether baseUrl is a homeserver");
            // Refused, so certainly not processed, but nobody said what for.
            case 4 -> open(cause, new Outcome.NotSent(cause));
            default -> open(cause, new Outcome.Unknown(cause));
          };
    };
  }

  /** A homeserver limits its users, not their rooms. */
  private Outcome throttled(Response response, @Nullable JsonNode millis, String cause) {
    Duration delay = response.retryAfter(clock.instant());
    if (delay == null && millis != null && millis.isIntegralNumber()) {
      delay = Duration.ofMillis(Math.max(0, millis.asLong(0)));
    }
    return new Outcome.Throttled(ThrottleScope.ACCOUNT, delay == null ? THROTTLE : delay, cause);
  }

  /** What no code decides: the patterns may. */
  private Outcome open(String cause, Outcome otherwise) {
    Blame blame = permanent.blame(cause);
    return blame == null ? otherwise : new Outcome.Rejected(blame, cause);
  }
}
