package dev.postrider.channels.mattermost;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.channels.StillTime;
import dev.postrider.channels.http.HttpResult.Response;
import dev.postrider.channels.http.Json;
import dev.postrider.message.Fix;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every refusal of a post, a file or a chat in the server's source, and what is made of it. */
class MattermostErrorTableTest {
  private final MattermostVerdict verdict = new MattermostVerdict(new StillTime());

  private Outcome error(int status, String id) {
    return answer(
        status,
        Map.of(),
        Json.write(Map.of("id", id, "message", "Said in words.", "status_code", status)));
  }

  private Outcome answer(int status, Map<String, String> headers, String body) {
    return verdict.refusal(new Response(status, headers, body), Blame.MESSAGE);
  }

  @ParameterizedTest
  @CsvSource({
    "403, api.context.permissions.app_error",
    "400, api.post.create_post.can_not_post_to_deleted.error",
    "400, api.post.create_post.can_not_post_in_restricted_dm.error",
    "403, api.post.create_post.town_square_read_only",
    "400, app.post.create_post.shared_dm_or_gm.app_error",
    "404, app.channel.get.existing.app_error",
    "404, app.user.missing_account.const",
    "400, api.channel.create_direct_channel.invalid_user.app_error",
    "400, api.file.upload_file.get_channel.app_error",
    "400, api.file.upload_file.restricted_dm.error",
    "400, model.post.is_valid.channel_id.app_error",
    "404, something.new",
    "403, something.new"
  })
  void a_chat_that_cannot_be_reached_is_rejected_as_target(int status, String id) {
    assertThat(error(status, id))
        .isInstanceOfSatisfying(
            Outcome.Rejected.class,
            it -> {
              assertThat(it.blame()).isEqualTo(Blame.TARGET);
              assertThat(it.cause()).startsWith(status + " " + id + ": Said in words.");
            });
  }

  @ParameterizedTest
  @CsvSource({
    "400, model.post.is_valid.message_length.app_error",
    "400, model.post.is_valid.msg.app_error",
    "400, model.post.is_valid.props.app_error",
    "400, model.post.is_valid.file_ids.app_error",
    "400, model.post.is_valid.hashtags.app_error",
    "400, model.post.is_valid.type.app_error",
    "400, app.post.save.existing.app_error",
    "400, api.context.invalid_body_param.app_error",
    "400, api.context.invalid_param.app_error",
    "413, api.context.request_body_too_large.app_error",
    "400, api.post.create_post.silent_persistent_notification.app_error",
    "403, api.post.create_post.silent_notification.app_error",
    "403, api.post.post_priority.priority_post_not_allowed_for_user.request_error",
    "400, api.post.post_priority.priority_post_only_allowed_for_root_post.request_error",
    "400, api.post.post_priority.urgent_persistent_notification_post.request_error",
    "500, api.post.post_priority.persistent_notification_validation_error.request_error",
    "501, license_error.feature_unavailable",
    "400, api.post.create_post.card_type_disabled.app_error",
    "400, Post rejected by plugin. no swearing",
    "403, api.file.attachments.disabled.app_error",
    "403, api.file.upload_file.abac_denied.app_error",
    "501, api.file.upload_file.storage.app_error",
    "413, api.file.upload_file.too_large_detailed.app_error",
    "400, api.file.upload_file.large_image_detailed.app_error",
    "400, api.file.upload_file.read_request.app_error",
    "400, something.new"
  })
  void a_message_that_cannot_pass_is_rejected_as_message(int status, String id) {
    assertThat(error(status, id))
        .isInstanceOfSatisfying(
            Outcome.Rejected.class, it -> assertThat(it.blame()).isEqualTo(Blame.MESSAGE));
  }

  @ParameterizedTest
  @CsvSource({
    "400, api.post.create_post.root_id.app_error",
    "400, api.post.create_post.channel_root_id.app_error",
    "500, api.post.create_post.channel_root_id.app_error",
    "400, api.post.create_post.parent_id.app_error",
    "400, api.post.create_post.burn_on_read.app_error",
    "400, model.post.is_valid.root_id.app_error",
    "400, model.post.is_valid.parent_id.app_error"
  })
  void a_thread_that_is_not_there_is_left_out(int status, String id) {
    assertThat(error(status, id))
        .isEqualTo(
            new Outcome.Repairable(new Fix.DropReply(), status + " " + id + ": Said in words."));
  }

  @ParameterizedTest
  @CsvSource({
    "401, api.context.session_expired.app_error",
    "401, api.context.token_provided.app_error",
    "401, api.context.mfa_required.app_error",
    "401, app.user_access_token.invalid_or_missing",
    "401, app.user_access_token.expired",
    "404, api.context.404.app_error",
    "401, something.new",
    "501, something.new"
  })
  void a_token_or_a_site_that_does_not_work_breaks_the_account(int status, String id) {
    assertThat(error(status, id)).isInstanceOf(Outcome.AccountBroken.class);
  }

  @ParameterizedTest
  @CsvSource({
    "500, api.post.deduplicate_create_post.cache_error",
    "500, api.post.deduplicate_create_post.failed_to_get",
    "500, app.post.save.app_error",
    "500, app.channel.get.find.app_error",
    "500, something.new",
    "503, something.new"
  })
  void a_server_that_stumbled_leaves_it_open(int status, String id) {
    assertThat(error(status, id)).isInstanceOf(Outcome.Unknown.class);
  }

  @ParameterizedTest
  @CsvSource({"500, api.post.error_get_post_id.pending", "503, api.context.server_busy.app_error"})
  void a_request_that_was_turned_away_was_not_sent(int status, String id) {
    assertThat(error(status, id)).isInstanceOf(Outcome.NotSent.class);
  }

  @Test
  void a_post_whose_first_request_is_still_worked_on_is_asked_for_again_soon() {
    assertThat(error(500, "api.post.deduplicate_create_post.pending"))
        .isInstanceOfSatisfying(
            Outcome.Throttled.class,
            it -> {
              assertThat(it.scope()).isEqualTo(ThrottleScope.CHAT);
              assertThat(it.delay()).isEqualTo(Duration.ofSeconds(2));
            });
  }

  @Test
  void a_hardened_server_that_hides_its_error_leaves_it_open() {
    assertThat(
            answer(
                500,
                Map.of(),
                "{\"id\":\"\",\"message\":\"Internal Server Error\",\"status_code\":500}"))
        .isEqualTo(new Outcome.Unknown("500: Internal Server Error"));
  }

  @Test
  void a_limit_is_told_in_plain_text_and_holds_the_account() {
    Map<String, String> headers =
        Map.of(
            "x-ratelimit-limit", "101",
            "x-ratelimit-remaining", "0",
            "x-ratelimit-reset", "11",
            "retry-after", "3");
    assertThat(answer(429, headers, "limit exceeded\n"))
        .isEqualTo(
            new Outcome.Throttled(
                ThrottleScope.ACCOUNT, Duration.ofSeconds(3), "429 limit exceeded"));
  }

  @Test
  void a_limit_without_retry_after_lasts_until_the_reset() {
    assertThat(answer(429, Map.of("x-ratelimit-reset", "11"), "limit exceeded\n"))
        .isInstanceOfSatisfying(
            Outcome.Throttled.class,
            it -> assertThat(it.delay()).isEqualTo(Duration.ofSeconds(11)));
  }

  @ParameterizedTest
  @ValueSource(ints = {401, 404, 302})
  void somebody_else_at_the_address_breaks_the_account(int status) {
    assertThat(answer(status, Map.of(), "<html>nginx</html>"))
        .isInstanceOf(Outcome.AccountBroken.class);
  }

  @Test
  void what_a_person_has_to_mend_comes_with_the_remedy() {
    assertThat(error(401, "api.context.session_expired.app_error").toString())
        .contains("revoked", "disabled", "personal access tokens", "System Console");
    assertThat(error(403, "api.context.permissions.app_error").toString())
        .contains("add the bot to the team and to the channel");
    assertThat(error(404, "api.context.404.app_error").toString()).contains("baseUrl", "/api/v4");
  }
}
