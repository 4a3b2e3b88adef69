package dev.postrider.channels.slack;

import static dev.postrider.channels.verdict.ErrorTable.broken;
import static dev.postrider.channels.verdict.ErrorTable.notSent;
import static dev.postrider.channels.verdict.ErrorTable.rejected;
import static dev.postrider.channels.verdict.ErrorTable.unknown;

import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.channels.http.HttpResult;
import dev.postrider.channels.http.HttpResult.Response;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.slack.SlackApi.Answer;
import dev.postrider.channels.verdict.ErrorTable;
import dev.postrider.channels.verdict.ForeignAnswer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * Reads an answer. Slack says with status 200 that it failed, so its error code decides; the status
 * has a say only where something else than Slack has answered.
 */
final class SlackVerdict {
  /** A workspace on the move, or over its quota, stays so for a while. */
  private static final Duration WORKSPACE = Duration.ofHours(1);

  private static final ErrorTable ERRORS =
      ErrorTable.of(
          ErrorTable.throttled(
              ThrottleScope.ACCOUNT, WORKSPACE, "message_limit_exceeded", "team_added_to_org"),
          notSent("service_unavailable", "request_timeout"),
          // Duplicates are about a client_msg_id that Slack has seen before.
          unknown(
              "",
              "fatal_error",
              "internal_error",
              "duplicate_message_not_found",
              "duplicate_channel_not_found"),
          broken(
              "not_authed",
              "invalid_auth",
              "account_inactive",
              "token_revoked",
              "token_expired",
              "missing_scope",
              "not_allowed_token_type",
              "two_factor_setup_required",
              "accesslimited",
              "org_login_required"),
          rejected(
              Blame.TARGET,
              "channel_not_found",
              "is_archived",
              "not_in_channel",
              "cannot_reply_to_message",
              "messages_tab_disabled",
              "user_not_found",
              "no_permission",
              "ekm_access_denied",
              "access_denied",
              "app_access_restricted",
              "team_not_found"));

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
    if (response.status() == 429 || code.equals("ratelimited") || code.equals("rate_limited")) {
      return throttled(response, cause);
    }
    Outcome known = ERRORS.byCode(code, cause);
    Blame otherwise = code.startsWith("restricted_action") ? Blame.TARGET : Blame.MESSAGE;
    return known == null ? new Outcome.Rejected(otherwise, cause) : known;
  }

  Outcome notSlack(Response response) {
    return new ForeignAnswer(clock, null, ThrottleScope.CHAT, Set.of(401, 404), "the address")
        .read(response);
  }

  Outcome throttled(Response response, String cause) {
    Duration delay = response.retryAfter(clock.instant());
    return new Outcome.Throttled(
        ThrottleScope.CHAT, delay == null ? ForeignAnswer.THROTTLE : delay, cause);
  }
}
