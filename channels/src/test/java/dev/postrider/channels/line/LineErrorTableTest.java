package dev.postrider.channels.line;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.channels.StillTime;
import dev.postrider.channels.http.HttpResult.Response;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.PermanentErrors;
import dev.postrider.message.Fix;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every status and text that LINE documents, and what is made of it. */
class LineErrorTableTest {
  private final LineVerdict verdict =
      new LineVerdict(
          new PermanentErrors(List.of(Pattern.compile("never again"))), new StillTime());

  private Outcome error(int status, String message) {
    return verdict.of(new Response(status, Map.of(), Json.write(Map.of("message", message))));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          400 | The request body has 2 error(s)                                      | MESSAGE
          400 | The property, 'text', in the request body is invalid (line: -, column: -) | MESSAGE
          400 | The request body could not be parsed as JSON (line: 1, column: 2)    | MESSAGE
          400 | The content type, text/plain, is not supported                       | MESSAGE
          400 | The request header contains invalid key                              | MESSAGE
          400 | The property, 'to', in the request body is invalid (line: -, column: -)   | TARGET
          400 | Failed to send messages                                              | TARGET
          400 | The user hasn't added the LINE Official Account as a friend.         | TARGET
          403 | The bot is not a member of the group                                 | TARGET
          405 | Method not allowed                                                   | MESSAGE
          410 | Gone                                                                 | MESSAGE
          413 | Request exceeds the max size of 2MB.                                 | MESSAGE
          415 | Unsupported media type                                               | MESSAGE
          """)
  void what_can_never_pass_is_rejected(int status, String message, Blame blame) {
    assertThat(error(status, message))
        .isEqualTo(new Outcome.Rejected(blame, status + " " + message));
  }

  @Test
  void what_is_wrong_is_told_in_detail() {
    Response answer =
        new Response(
            400,
            Map.of(),
            """
            {"message":"The request body has 1 error(s)","details":[
            {"message":"May not be empty","property":"messages[0].text"}]}""");
    assertThat(verdict.of(answer))
        .isEqualTo(
            new Outcome.Rejected(
                Blame.MESSAGE,
                "400 The request body has 1 error(s) (messages[0].text: May not be empty)"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Invalid quoteToken",
        "The quote token is invalid",
        "messages[0].quoteToken: invalid"
      })
  void what_cannot_be_quoted_is_sent_without(String message) {
    assertThat(error(400, message))
        .isEqualTo(new Outcome.Repairable(new Fix.DropReply(), "400 " + message));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          401 | Authentication failed. Confirm that the access token is valid. | new token
          403 | Access to this API is not available for your account           | plan
          404 | Not found                                                      | baseUrl
          """)
  void what_is_wrong_with_the_account_stops_it_with_a_remedy(
      int status, String message, String remedy) {
    assertThat(error(status, message))
        .isInstanceOfSatisfying(
            Outcome.AccountBroken.class,
            it -> assertThat(it.cause()).startsWith(status + " " + message).contains(remedy));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "The API rate limit has been exceeded. Try again later.",
        "Too many concurrent requests"
      })
  void too_many_requests_hold_up_the_account_for_a_moment(String message) {
    assertThat(error(429, message))
        .isEqualTo(
            new Outcome.Throttled(ThrottleScope.ACCOUNT, Duration.ofSeconds(5), "429 " + message));
    assertThat(LineVerdict.isQuota(error(429, message))).isFalse();
  }

  @Test
  void a_used_up_month_is_told_from_too_many_requests() {
    assertThat(LineVerdict.isQuota(error(429, "You have reached your monthly limit."))).isTrue();
  }

  @Test
  void a_reply_that_came_too_late_is_told_from_other_errors() {
    assertThat(LineVerdict.isTooLate(error(400, "Invalid reply token"))).isTrue();
    assertThat(LineVerdict.isTooLate(error(400, "The request body has 1 error(s)"))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {408, 500, 502, 504})
  void a_fault_of_lines_own_leaves_it_open(int status) {
    assertThat(error(status, "Internal error"))
        .isEqualTo(new Outcome.Unknown(status + " Internal error"));
    assertThat(error(status, "never again"))
        .as("unless the account's permanentErrors say more")
        .isInstanceOf(Outcome.Rejected.class);
  }

  @Test
  void an_accepted_key_is_delivered_with_the_ids_of_the_first_time() {
    assertThat(
            verdict.of(
                new Response(
                    409,
                    Map.of("x-line-accepted-request-id", "r1"),
                    """
                    {"message":"The retry key is already accepted",
                     "sentMessages":[{"id":"7"},{"id":"8"}]}""")))
        .isEqualTo(Outcome.delivered("7,8"));
    assertThat(
            verdict.of(
                new Response(
                    409,
                    Map.of("x-line-accepted-request-id", "r1"),
                    "{\"message\":\"The retry key is already accepted\"}")))
        .isEqualTo(Outcome.delivered("r1"));
  }

  @Test
  void a_conflict_that_names_no_accepted_request_is_not_taken_for_delivered() {
    assertThat(error(409, "Conflict")).isNotInstanceOf(Outcome.Delivered.class);
  }

  @Test
  void a_success_without_ids_is_known_by_its_request() {
    assertThat(verdict.of(new Response(200, Map.of("x-line-request-id", "r2"), "{}")))
        .isEqualTo(Outcome.delivered("r2"));
    assertThat(verdict.of(new Response(200, Map.of(), "{}"))).isInstanceOf(Outcome.Unknown.class);
  }
}
