package dev.postrider.channels.googlechat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.channels.StillTime;
import dev.postrider.channels.http.HttpResult.Response;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.PermanentErrors;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every status of google.rpc and every reason that is about an account, and what is made of it. */
class GoogleChatErrorTableTest {
  private final StillTime time = new StillTime();
  private final GoogleChatVerdict verdict =
      new GoogleChatVerdict(new PermanentErrors(List.of(Pattern.compile("never again"))), time);

  private Outcome error(int code, String status, String message, Object... details) {
    return verdict.refusal(
        new Response(
            code,
            Map.of(),
            Json.write(
                Map.of(
                    "error",
                    Map.of(
                        "code",
                        code,
                        "status",
                        status,
                        "message",
                        message,
                        "details",
                        List.of(details))))),
        "spaces/A");
  }

  private static Map<String, ?> reason(String reason) {
    return Map.of(
        "@type",
        "type.googleapis.com/google.rpc.ErrorInfo",
        "reason",
        reason,
        "domain",
        "googleapis.com");
  }

  @ParameterizedTest
  @CsvSource({
    "400, INVALID_ARGUMENT, MESSAGE",
    "400, FAILED_PRECONDITION, MESSAGE",
    "400, OUT_OF_RANGE, MESSAGE",
    "403, PERMISSION_DENIED, TARGET",
    "404, NOT_FOUND, TARGET",
    "418, SOMETHING_NEW, MESSAGE"
  })
  void what_can_never_pass_is_rejected(int code, String status, Blame blame) {
    assertThat(error(code, status, "Oops"))
        .isEqualTo(new Outcome.Rejected(blame, code + " " + status + ": Oops"));
  }

  @ParameterizedTest
  @CsvSource({"401, UNAUTHENTICATED", "501, UNIMPLEMENTED"})
  void an_account_that_is_refused_stands_still(int code, String status) {
    assertThat(error(code, status, "Oops"))
        .isEqualTo(new Outcome.AccountBroken(code + " " + status + ": Oops"));
  }

  @ParameterizedTest
  @CsvSource({
    "499, CANCELLED",
    "500, UNKNOWN",
    "500, INTERNAL",
    "500, DATA_LOSS",
    "503, UNAVAILABLE",
    "504, DEADLINE_EXCEEDED",
    "599, SOMETHING_NEW"
  })
  void what_may_have_been_posted_is_unknown(int code, String status) {
    assertThat(error(code, status, "Oops"))
        .isEqualTo(new Outcome.Unknown(code + " " + status + ": Oops"));
  }

  @Test
  void a_conflict_is_tried_again() {
    assertThat(error(409, "ABORTED", "Oops")).isEqualTo(new Outcome.NotSent("409 ABORTED: Oops"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SERVICE_DISABLED",
        "API_KEY_INVALID",
        "CONSUMER_INVALID",
        "CONSUMER_SUSPENDED",
        "BILLING_DISABLED",
        "ACCOUNT_STATE_INVALID",
        "ACCESS_TOKEN_SCOPE_INSUFFICIENT",
        "ACCESS_TOKEN_TYPE_UNSUPPORTED",
        "CREDENTIALS_MISSING",
        "USER_PROJECT_DENIED",
        "SECURITY_POLICY_VIOLATED",
        "API_KEY_SERVICE_BLOCKED"
      })
  void a_reason_that_is_about_the_project_or_the_key_is_the_accounts(String reason) {
    assertThat(error(403, "PERMISSION_DENIED", "Oops", reason(reason)))
        .isInstanceOfSatisfying(
            Outcome.AccountBroken.class,
            it -> assertThat(it.cause()).startsWith("403 PERMISSION_DENIED: Oops"));
  }

  @Test
  void the_usual_mistakes_are_told_with_the_remedy() {
    assertThat(error(403, "PERMISSION_DENIED", "Oops", reason("SERVICE_DISABLED")))
        .asString()
        .contains("turn on the Google Chat API");
    assertThat(error(404, "NOT_FOUND", "Google Chat app not found. To create a Chat app, …"))
        .isInstanceOf(Outcome.AccountBroken.class)
        .asString()
        .contains("Google Chat API > Configuration");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Google Chat API has not been used in project 1 before or it is disabled.",
        "Google Chat is turned off. An administrator can turn it on.",
        "This Chat app is disabled.",
        "Request had insufficient authentication scopes.",
        "The API is called without service account credentials."
      })
  void a_403_whose_text_is_about_the_account_is_the_accounts(String text) {
    assertThat(error(403, "PERMISSION_DENIED", text)).isInstanceOf(Outcome.AccountBroken.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "This Chat app is not a member of this space.",
        "The caller is not allowed to access this space",
        "The caller does not have permission"
      })
  void any_other_403_is_about_the_space(String text) {
    assertThat(error(403, "PERMISSION_DENIED", text))
        .isEqualTo(new Outcome.Rejected(Blame.TARGET, "403 PERMISSION_DENIED: " + text));
  }

  @Test
  void a_limit_without_a_delay_holds_the_space() {
    assertThat(error(429, "RESOURCE_EXHAUSTED", "Oops"))
        .isEqualTo(
            new Outcome.Throttled(
                ThrottleScope.CHAT, Duration.ofSeconds(5), "429 RESOURCE_EXHAUSTED: Oops"));
  }

  @Test
  void a_limit_of_the_project_holds_the_account() {
    assertThat(
            error(
                429,
                "RESOURCE_EXHAUSTED",
                "Oops",
                Map.of(
                    "reason",
                    "RATE_LIMIT_EXCEEDED",
                    "metadata",
                    Map.of("quota_limit", "MessageWritesPerMinutePerProject"))))
        .isEqualTo(
            new Outcome.Throttled(
                ThrottleScope.ACCOUNT, Duration.ofSeconds(30), "429 RESOURCE_EXHAUSTED: Oops"));
  }

  @Test
  void several_spaces_that_are_turned_away_at_once_are_the_accounts_limit() {
    String body = "{\"error\":{\"code\":429,\"status\":\"RESOURCE_EXHAUSTED\",\"message\":\"\"}}";
    List<Outcome> outcomes =
        List.of("spaces/A", "spaces/B", "spaces/C").stream()
            .map(space -> verdict.refusal(new Response(429, Map.of(), body), space))
            .toList();
    assertThat(outcomes)
        .extracting(it -> ((Outcome.Throttled) it).scope())
        .containsExactly(ThrottleScope.CHAT, ThrottleScope.CHAT, ThrottleScope.ACCOUNT);
  }

  @Test
  void a_text_that_somebody_called_permanent_ends_what_is_open() {
    assertThat(error(500, "INTERNAL", "never again"))
        .isEqualTo(new Outcome.Rejected(Blame.MESSAGE, "500 INTERNAL: never again"));
  }

  @Test
  void a_page_of_somebody_elses_is_judged_by_its_status() {
    assertThat(verdict.refusal(new Response(401, Map.of(), "<h1>Who?</h1>"), "spaces/A"))
        .isInstanceOf(Outcome.AccountBroken.class);
    assertThat(verdict.refusal(new Response(403, Map.of(), "<h1>No</h1>"), "spaces/A"))
        .isInstanceOf(Outcome.NotSent.class);
  }
}
