package dev.postrider.channels.slack;

import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.channels.http.HttpResult;
import dev.postrider.channels.http.HttpResult.Response;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.slack.SlackApi.Answer;
import java.time.Duration;
import java.time.InstantSource;
import tools.jackson.databind.JsonNode;

/**
 * Reads an answer. Slack says with status 200 that it failed, so its error code decides; the status
 * has a say only where something else than Slack has answered.
 */
final class SlackVerdict {
  /** For a limit that does not say how long it lasts. */
  private static final Duration THROTTLE = Duration.ofSeconds(5);

  /** A workspace on the move, or over its quota, stays so for a while. */
  private static final Duration WORKSPACE = Duration.ofHours(1);

  private final InstantSource clock;

  SlackVerdict(InstantSource clock) {
    this.clock = clock;
  }

  Answer of(HttpResult result) {
    return switch (result) {
      case HttpResult.Failed failed -> new Answer.Failed(failed.outcome());
      case Response response -> {
        JsonNode body = Json.readObject(response.body());
        if (body == null || !body.path("ok").isBoolean()) {
          yield new Answer.Failed(notSlack(response));
        }
        yield body.path("ok").booleanValue()
            ? new Answer.Done(body)
            : new Answer.Failed(error(body.path("error").asString(""), response));
      }
    };
  }

  private Outcome error(String code, Response response) {
    String cause = response.status() == 200 ? code : response.status() + " " + code;
    if (response.status() == 429) {
      return throttled(response, cause);
    }
    return switch (code) {
      case "ratelimited", "rate_limited" -> throttled(response, cause);
      case "message_limit_exceeded", "team_added_to_org" ->
          new Outcome.Throttled(ThrottleScope.ACCOUNT, WORKSPACE, cause);
      case "service_unavailable", "request_timeout" -> new Outcome.NotSent(cause);
      // Duplicates are about a client_msg_id that Slack has seen before.
      case "",
          "fatal_error",
          "internal_error",
          "duplicate_message_not_found",
          "duplicate_channel_not_found" ->
          new Outcome.Unknown(cause);
      case "not_authed",
          "invalid_auth",
          "account_inactive",
          "token_revoked",
          "token_expired",
          "missing_scope",
          "not_allowed_token_type",
          "two_factor_setup_required",
          "accesslimited",
          "org_login_required" ->
          new Outcome.AccountBroken(cause);
      case "channel_not_found",
          "is_archived",
          "not_in_channel",
          "cannot_reply_to_message",
          "messages_tab_disabled",
          "user_not_found",
          "no_permission",
          "ekm_access_denied",
          "access_denied",
          "app_access_restricted",
          "team_not_found" ->
          new Outcome.Rejected(Blame.TARGET, cause);
      default ->
          new Outcome.Rejected(
              code.startsWith("restricted_action") ? Blame.TARGET : Blame.MESSAGE, cause);
    };
  }

  /** Not Slack's voice: a proxy, a firewall, half an answer. Only the status can be trusted. */
  Outcome notSlack(Response response) {
    int status = response.status();
    String cause = status + " without a readable answer: " + response.excerpt();
    return switch (status) {
      case 429 -> throttled(response, cause);
      case 401, 404 -> new Outcome.AccountBroken(cause);
      case 408 -> new Outcome.Unknown(cause);
      case 413 -> new Outcome.Rejected(Blame.MESSAGE, cause);
      case 503 -> {
        Duration later = response.retryAfter(clock.instant());
        yield later == null ? new Outcome.Unknown(cause) : new Outcome.Unreachable(cause, later);
      }
      default ->
          switch (status / 100) {
            case 3 -> new Outcome.AccountBroken(status + " sends us elsewhere; check the address");
            // Refused, so certainly not processed, but nobody said what for.
            case 4 -> new Outcome.NotSent(cause);
            default -> new Outcome.Unknown(cause);
          };
    };
  }

  Outcome throttled(Response response, String cause) {
    Duration delay = response.retryAfter(clock.instant());
    return new Outcome.Throttled(ThrottleScope.CHAT, delay == null ? THROTTLE : delay, cause);
  }
}
