package dev.postrider.channels.googlechat;

import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.channels.http.FloodWatch;
import dev.postrider.channels.http.HttpResult.Response;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.PermanentErrors;
import dev.postrider.channels.verdict.ErrorTable;
import dev.postrider.channels.verdict.ForeignAnswer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Reads an answer: Google's {@code status} decides, and where that is too broad, the reason in its
 * details or the text.
 */
final class GoogleChatVerdict {
  private static final Duration SPACE = Duration.ofSeconds(5);
  private static final Duration PROJECT = Duration.ofSeconds(30);

  /** The canonical codes of google.rpc, as far as they mean one thing here. */
  private static final ErrorTable BY_STATUS =
      ErrorTable.of(
          ErrorTable.rejected(
              Blame.MESSAGE, "INVALID_ARGUMENT", "OUT_OF_RANGE", "FAILED_PRECONDITION"),
          ErrorTable.rejected(Blame.TARGET, "PERMISSION_DENIED", "NOT_FOUND"),
          ErrorTable.broken("UNAUTHENTICATED", "UNIMPLEMENTED"),
          ErrorTable.notSent("ABORTED"), // a conflict: nothing was made
          ErrorTable.unknown(
              "CANCELLED", "UNKNOWN", "DEADLINE_EXCEEDED", "INTERNAL", "UNAVAILABLE", "DATA_LOSS"));

  /** {@code reason} in the details of a 400, 401 or 403: what is wrong with the project or key. */
  private static final ErrorTable BY_REASON =
      ErrorTable.of(
          ErrorTable.row(
              cause ->
                  new Outcome.AccountBroken(
                      cause + " (turn on the Google Chat API in the key's project)"),
              "SERVICE_DISABLED"),
          ErrorTable.row(
              cause ->
                  new Outcome.AccountBroken(
                      cause + " (the webhook's address is not whole or was deleted; copy it anew)"),
              "API_KEY_INVALID"),
          ErrorTable.broken(
              "CONSUMER_INVALID",
              "CONSUMER_SUSPENDED",
              "BILLING_DISABLED",
              "ACCOUNT_STATE_INVALID",
              "ACCESS_TOKEN_SCOPE_INSUFFICIENT",
              "ACCESS_TOKEN_TYPE_UNSUPPORTED",
              "CREDENTIALS_MISSING",
              "USER_PROJECT_DENIED",
              "SECURITY_POLICY_VIOLATED",
              "API_KEY_SERVICE_BLOCKED"));

  /** What a 403 or 404 says in words alone. */
  private static final ErrorTable BY_TEXT =
      ErrorTable.of(
          ErrorTable.row(
              cause ->
                  new Outcome.AccountBroken(
                      cause + " (fill in Google Chat API > Configuration in the Cloud console)"),
              "chat app not found",
              "bot not found"),
          ErrorTable.broken(
              "has not been used in project",
              "api is disabled",
              "chat is turned off",
              "chat app is disabled",
              "insufficient authentication scopes",
              "without service account credentials"),
          ErrorTable.rejected(Blame.TARGET, "not a member", "not allowed to access this space"));

  private final PermanentErrors permanent;
  private final InstantSource clock;
  private final FloodWatch floods;

  GoogleChatVerdict(PermanentErrors permanent, InstantSource clock) {
    this.permanent = permanent;
    this.clock = clock;
    this.floods = new FloodWatch(clock);
  }

  /** The error in an answer of Google's own; null if it is none. */
  static @Nullable JsonNode error(Response response) {
    JsonNode body = Json.readObject(response.body());
    JsonNode error = body == null ? null : body.path("error");
    return error != null && error.path("status").isString() ? error : null;
  }

  /** Why something was not done in this space. */
  Outcome refusal(Response response, String space) {
    JsonNode error = error(response);
    if (error == null) {
      return new ForeignAnswer(
              clock, permanent, ThrottleScope.ACCOUNT, Set.of(401), "whether baseUrl is Google's")
          .read(response);
    }
    String status = error.path("status").asString("");
    String cause = cause(response.status(), error);
    if (status.equals("RESOURCE_EXHAUSTED")) {
      return throttled(response, error, cause, space);
    }
    Outcome known = BY_REASON.byCode(reason(error), cause);
    if (known == null && (response.status() == 403 || response.status() == 404)) {
      known = BY_TEXT.byText(error.path("message").asString(""), cause);
    }
    if (known == null) {
      known = BY_STATUS.byCode(status, cause);
    }
    if (known == null) {
      known =
          response.status() / 100 == 4
              ? new Outcome.Rejected(Blame.MESSAGE, cause)
              : new Outcome.Unknown(cause);
    }
    return known instanceof Outcome.Unknown || known instanceof Outcome.NotSent
        ? permanent.or(known, cause)
        : known;
  }

  private static String cause(int code, JsonNode error) {
    return code
        + " "
        + error.path("status").asString("")
        + ": "
        + error.path("message").asString("").strip();
  }

  private static String reason(JsonNode error) {
    for (JsonNode detail : error.path("details")) {
      String reason = detail.path("reason").asString("");
      if (!reason.isEmpty()) {
        return reason;
      }
    }
    return "";
  }

  /** Google says no delay. Whose limit it was may stand in the details; else time will tell. */
  private Outcome throttled(Response response, JsonNode error, String cause, String space) {
    Duration asked = response.retryAfter(clock.instant());
    String limit = error.path("details").toString().toLowerCase(Locale.ROOT);
    if (limit.contains("perproject") || limit.contains("per_project")) {
      return new Outcome.Throttled(ThrottleScope.ACCOUNT, asked == null ? PROJECT : asked, cause);
    }
    return floods.widen(
        new Outcome.Throttled(ThrottleScope.CHAT, asked == null ? SPACE : asked, cause), space);
  }
}
