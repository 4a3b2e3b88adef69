package dev.postrider.channels.slack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.channels.StillTime;
import dev.postrider.channels.http.HttpResult.Response;
import dev.postrider.channels.http.Json;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every line of Slack's errors, and what is made of it. All of them come with status 200. */
class SlackErrorTableTest {
  private final SlackVerdict verdict = new SlackVerdict(new StillTime());

  private Outcome error(String code) {
    return answer(200, Map.of(), Json.write(Map.of("ok", false, "error", code)));
  }

  private Outcome answer(int status, Map<String, String> headers, String body) {
    return ((SlackApi.Answer.Failed) verdict.of(new Response(status, headers, body))).outcome();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "channel_not_found",
        "is_archived",
        "not_in_channel",
        "restricted_action",
        "restricted_action_read_only_channel",
        "restricted_action_thread_only_channel",
        "restricted_action_non_threadable_channel",
        "restricted_action_thread_locked",
        "cannot_reply_to_message",
        "messages_tab_disabled",
        "user_not_found",
        "no_permission",
        "ekm_access_denied",
        "access_denied",
        "app_access_restricted",
        "team_not_found"
      })
  void a_chat_that_cannot_be_reached_is_rejected_as_target(String code) {
    assertThat(error(code)).isEqualTo(new Outcome.Rejected(Blame.TARGET, code));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "msg_too_long",
        "msg_blocks_too_long",
        "no_text",
        "invalid_blocks",
        "invalid_blocks_format",
        "too_many_attachments",
        "attachment_payload_limit_exceeded",
        "invalid_metadata_format",
        "invalid_metadata_schema",
        "metadata_too_large",
        "markdown_text_conflict",
        "invalid_arguments",
        "invalid_arg_name",
        "invalid_charset",
        "file_type_not_allowed",
        "file_uploads_disabled",
        "file_upload_size_restricted",
        "storage_limit_reached",
        "something_new"
      })
  void a_message_that_cannot_pass_is_rejected_as_message(String code) {
    assertThat(error(code)).isEqualTo(new Outcome.Rejected(Blame.MESSAGE, code));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "not_authed",
        "invalid_auth",
        "account_inactive",
        "token_revoked",
        "token_expired",
        "missing_scope",
        "not_allowed_token_type",
        "two_factor_setup_required",
        "accesslimited",
        "org_login_required"
      })
  void a_refused_app_is_broken(String code) {
    assertThat(error(code)).isEqualTo(new Outcome.AccountBroken(code));
  }

  @ParameterizedTest
  @ValueSource(strings = {"ratelimited", "rate_limited"})
  void a_limit_holds_the_chat_for_as_long_as_slack_says(String code) {
    String body = Json.write(Map.of("ok", false, "error", code));
    assertThat(answer(429, Map.of("retry-after", "30"), body))
        .isEqualTo(
            new Outcome.Throttled(ThrottleScope.CHAT, Duration.ofSeconds(30), "429 " + code));
    assertThat(answer(200, Map.of("retry-after", "30"), body))
        .isEqualTo(new Outcome.Throttled(ThrottleScope.CHAT, Duration.ofSeconds(30), code));
    assertThat(error(code))
        .isInstanceOfSatisfying(Outcome.Throttled.class, it -> assertThat(it.delay()).isPositive());
  }

  @ParameterizedTest
  @ValueSource(strings = {"message_limit_exceeded", "team_added_to_org"})
  void a_workspace_in_trouble_holds_the_account_for_long(String code) {
    assertThat(error(code))
        .isEqualTo(new Outcome.Throttled(ThrottleScope.ACCOUNT, Duration.ofHours(1), code));
  }

  @ParameterizedTest
  @ValueSource(strings = {"service_unavailable", "request_timeout"})
  void what_slack_says_it_did_not_process_is_not_sent(String code) {
    assertThat(error(code)).isEqualTo(new Outcome.NotSent(code));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "fatal_error",
        "internal_error",
        "duplicate_message_not_found",
        "duplicate_channel_not_found",
        ""
      })
  void what_slack_may_have_processed_is_unknown(String code) {
    assertThat(error(code)).isEqualTo(new Outcome.Unknown(code));
  }

  @Test
  void warnings_are_ignored() {
    String body = "{\"ok\":true,\"ts\":\"1.1\",\"warning\":\"missing_charset\"}";
    assertThat(verdict.of(new Response(200, Map.of(), body)))
        .isInstanceOf(SlackApi.Answer.Done.class);
  }

  @ParameterizedTest
  @CsvSource({
    "302,AccountBroken",
    "400,NotSent",
    "401,AccountBroken",
    "403,NotSent",
    "404,AccountBroken",
    "408,Unknown",
    "413,Rejected",
    "429,Throttled",
    "500,Unknown",
    "502,Unknown",
    "503,Unknown",
    "504,Unknown",
    "522,Unknown"
  })
  void of_a_page_that_is_not_slacks_only_the_status_counts(int status, String outcome) {
    assertThat(answer(status, Map.of(), "<h1>Oops</h1>").getClass().getSimpleName())
        .isEqualTo(outcome);
  }

  @Test
  void a_503_that_says_when_to_come_back_was_not_processed() {
    assertThat(answer(503, Map.of("retry-after", "5"), "<h1>Oops</h1>"))
        .isInstanceOf(Outcome.Unreachable.class);
  }
}
