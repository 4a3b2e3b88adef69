package dev.postrider.channels.mattermost;

import static dev.postrider.channels.verdict.ErrorTable.broken;
import static dev.postrider.channels.verdict.ErrorTable.notSent;
import static dev.postrider.channels.verdict.ErrorTable.rejected;
import static dev.postrider.channels.verdict.ErrorTable.repairable;
import static dev.postrider.channels.verdict.ErrorTable.throttled;
import static dev.postrider.channels.verdict.ErrorTable.unknown;

import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.channels.http.HttpResult.Response;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.RetryAfter;
import dev.postrider.channels.verdict.ErrorTable;
import dev.postrider.channels.verdict.ForeignAnswer;
import dev.postrider.message.Fix;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Reads a refusal. Mattermost's error id decides; its status where the id is not known; a limit is
 * told in plain text.
 */
final class MattermostVerdict {
  /** The first request with the same key is still being worked on. */
  private static final Duration PENDING = Duration.ofSeconds(2);

  private static final ErrorTable ERRORS =
      ErrorTable.of(
          throttled(ThrottleScope.CHAT, PENDING, "api.post.deduplicate_create_post.pending"),
          notSent("api.post.error_get_post_id.pending", "api.context.server_busy.app_error"),
          // The post may be there: what failed is to remember it, or to read it back.
          unknown(
              "api.post.deduplicate_create_post.cache_error",
              "api.post.deduplicate_create_post.failed_to_get",
              "app.post.save.app_error"),
          broken(
              "api.context.session_expired.app_error",
              "api.context.token_provided.app_error",
              "api.context.mfa_required.app_error",
              "api.context.404.app_error",
              "app.user_access_token.invalid_or_missing",
              "app.user_access_token.expired"),
          repairable(
              new Fix.DropReply(),
              "api.post.create_post.root_id.app_error",
              "api.post.create_post.channel_root_id.app_error",
              "api.post.create_post.parent_id.app_error",
              "api.post.create_post.burn_on_read.app_error",
              "model.post.is_valid.root_id.app_error",
              "model.post.is_valid.parent_id.app_error"),
          rejected(
              Blame.TARGET,
              "api.context.permissions.app_error",
              "api.post.create_post.can_not_post_to_deleted.error",
              "api.post.create_post.can_not_post_in_restricted_dm.error",
              "api.post.create_post.town_square_read_only",
              "app.post.create_post.shared_dm_or_gm.app_error",
              "app.channel.get.existing.app_error",
              "app.user.missing_account.const",
              "api.channel.create_direct_channel.invalid_user.app_error",
              "api.file.upload_file.get_channel.app_error",
              "api.file.upload_file.restricted_dm.error",
              "model.post.is_valid.channel_id.app_error"),
          // Refused by their status as if somebody else were to blame.
          rejected(
              Blame.MESSAGE,
              "api.post.create_post.silent_notification.app_error",
              "api.post.post_priority.priority_post_not_allowed_for_user.request_error",
              "api.post.post_priority.persistent_notification_validation_error.request_error",
              "license_error.feature_unavailable",
              "api.file.attachments.disabled.app_error",
              "api.file.upload_file.abac_denied.app_error",
              "api.file.upload_file.storage.app_error"));

  /** What to do about errors that a person has to mend. */
  private static final Map<String, String> REMEDIES =
      Map.of(
          "api.context.session_expired.app_error",
          "the token is wrong, revoked or expired, or its bot or person is disabled; a person's"
              + " token works only while personal access tokens are enabled in the System Console",
          "api.context.404.app_error",
          "there is no Mattermost API at this address: give baseUrl as the site's own address,"
              + " with its path if it has one, and without /api/v4 or a team",
          "api.context.permissions.app_error",
          "add the bot to the team and to the channel, and check that the id is right",
          "api.file.attachments.disabled.app_error",
          "files are switched off in the System Console");

  private final InstantSource clock;

  MattermostVerdict(InstantSource clock) {
    this.clock = clock;
  }

  /**
   * Why something was not done.
   *
   * @param otherwise what is to blame if Mattermost refuses for a reason that is not listed
   */
  Outcome refusal(Response response, Blame otherwise) {
    if (response.status() == 429) {
      return limit(response);
    }
    JsonNode error = Json.readObject(response.body());
    String id = error == null ? null : Json.text(error, "id");
    if (error == null || id == null && !error.has("status_code")) {
      return notMattermost(response);
    }
    String cause = cause(response.status(), id, error);
    Outcome known = id == null ? null : ERRORS.byCode(id, cause);
    return known == null ? byStatus(response.status(), cause, otherwise) : known;
  }

  private static Outcome byStatus(int status, String cause, Blame otherwise) {
    return switch (status) {
      case 401, 501 -> new Outcome.AccountBroken(cause);
      case 403, 404 -> new Outcome.Rejected(Blame.TARGET, cause);
      default ->
          status / 100 == 4 ? new Outcome.Rejected(otherwise, cause) : new Outcome.Unknown(cause);
    };
  }

  private static String cause(int status, @Nullable String id, JsonNode error) {
    String said = (status + " " + (id == null ? "" : id)).strip();
    String message = Json.text(error, "message");
    String remedy = id == null ? null : REMEDIES.get(id);
    return said
        + (message == null || message.equals(id) ? "" : ": " + message)
        + (remedy == null ? "" : " (" + remedy + ")");
  }

  /** Counted by the token, or by our address: in both cases the account has to wait. */
  private Outcome limit(Response response) {
    Duration asked = response.retryAfter(clock.instant());
    String reset = response.headers().get("x-ratelimit-reset");
    if (asked == null && reset != null) {
      asked = RetryAfter.parse(reset, clock.instant());
    }
    return new Outcome.Throttled(
        ThrottleScope.ACCOUNT,
        asked == null ? ForeignAnswer.THROTTLE : asked,
        "429 " + response.excerpt());
  }

  Outcome notMattermost(Response response) {
    return new ForeignAnswer(
            clock,
            null,
            ThrottleScope.ACCOUNT,
            Set.of(401, 404),
            "whether the address is the site's own")
        .read(response);
  }
}
