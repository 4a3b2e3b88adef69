package dev.postrider.channels.signal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.signal.Daemon.Reply;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every code and every result in signal-cli's source, and what is made of it. */
class SignalErrorTableTest {
  private final SignalVerdict verdict = new SignalVerdict(FakeSignalCli.NUMBER, "sig");

  private Outcome refused(int code, String message) {
    return verdict.read(new Reply.Refused(code, message, Json.tree(Map.of())));
  }

  private static Reply.Refused missed(int code, List<Map<String, Object>> results) {
    return new Reply.Refused(
        code,
        "Failed to send message",
        Json.tree(Map.of("response", Map.of("timestamp", 17, "results", results))));
  }

  private Outcome missed(int code, String... types) {
    return verdict.read(missed(code, Stream.of(types).map(FakeSignalCli::result).toList()));
  }

  private static Map<String, Object> limited(Object seconds, String token) {
    Map<String, Object> result = new LinkedHashMap<>(FakeSignalCli.result("RATE_LIMIT_FAILURE"));
    result.put("retryAfterSeconds", seconds);
    result.put("token", token);
    return result;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          -1 | Failed to send message | Rejected
          -1 | No recipients given | Rejected
          -1 | Sending empty message is not allowed | Rejected
          -1 | Invalid style: LOUD | Rejected
          -3 | Failed to reach the server | Unknown
          -4 | Failed to send message due to untrusted identities | Rejected
          -5 | Failed to send message due to rate limiting | Throttled
          -6 | Captcha rejected | AccountBroken
          -32700 | Unexpected end of input | Rejected
          -32600 | method field must be set | Rejected
          -32601 | Method not implemented | AccountBroken
          -32602 | Specified account does not exist | AccountBroken
          -32602 | Method requires valid account parameter | AccountBroken
          -32602 | Unrecognised | Rejected
          -32603 | Failed to send message: closed (IOException) | Unknown
          -32603 | Failed to send message: 401 (AuthorizationFailedException) | AccountBroken
          -32603 | Failed to add: /x: No such file (AttachmentInvalidException) | Rejected
          -99 | Something new | Unknown
          """)
  void every_code_has_its_outcome(int code, String message, String outcome) {
    assertThat(refused(code, message).getClass().getSimpleName()).isEqualTo(outcome);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          -1 | The user +491701234567 is not registered. | TARGET
          -1 | Group not found: EdSq= | TARGET
          -1 | User is not a group member in group Friends | TARGET
          -1 | Invalid group id: Failed to decode | TARGET
          -1 | Invalid phone number '12': too short | TARGET
          -4 | Failed to send message due to untrusted identities | TARGET
          -1 | Failed to send sticker: no such pack | MESSAGE
          -1 | Invalid mention syntax (x) expected 'start:length:recipientNumber' | MESSAGE
          """)
  void a_rejection_says_what_it_is_about(int code, String message, Blame blame) {
    assertThat(refused(code, message))
        .isInstanceOfSatisfying(
            Outcome.Rejected.class, it -> assertThat(it.blame()).isEqualTo(blame));
  }

  @ParameterizedTest
  @CsvSource({
    "-1, UNREGISTERED_FAILURE, Rejected",
    "-4, IDENTITY_FAILURE, Rejected",
    "-5, RATE_LIMIT_FAILURE, Throttled",
    "-1, NETWORK_FAILURE, Unknown",
    "-1, INVALID_PRE_KEY_FAILURE, NotSent",
    "-1, SOMETHING_NEW, Unknown"
  })
  void every_result_has_its_outcome(int code, String type, String outcome) {
    assertThat(missed(code, type).getClass().getSimpleName()).isEqualTo(outcome);
  }

  @Test
  void of_several_failures_the_one_that_leaves_most_open_counts() {
    assertThat(missed(-1, "UNREGISTERED_FAILURE", "NETWORK_FAILURE"))
        .as("it may have arrived at one of them")
        .isInstanceOf(Outcome.Unknown.class);
    assertThat(missed(-1, "UNREGISTERED_FAILURE", "RATE_LIMIT_FAILURE"))
        .isInstanceOf(Outcome.Throttled.class);
    assertThat(missed(-1, "UNREGISTERED_FAILURE", "IDENTITY_FAILURE"))
        .isInstanceOf(Outcome.Rejected.class);
  }

  @Test
  void a_group_of_which_one_got_it_has_it_and_the_rest_is_told() {
    Outcome outcome =
        verdict.read(
            new Reply.Said(
                Json.tree(
                    Map.of(
                        "timestamp",
                        1700000000000L,
                        "results",
                        List.of(
                            FakeSignalCli.result("SUCCESS"),
                            FakeSignalCli.result("UNREGISTERED_FAILURE"),
                            limited(60, "abc"))))));

    assertThat(outcome)
        .isInstanceOfSatisfying(
            Outcome.Delivered.class,
            it -> {
              assertThat(it.receipt().id()).isEqualTo("1700000000000");
              assertThat(it.note())
                  .isEqualTo(
                      "2 of 3 did not get it: +491701234567 not registered at Signal;"
                          + " +491701234567 not reached, as Signal limits the rate");
            });
  }

  @Test
  void a_limit_is_waited_for_as_long_as_signal_says() {
    assertThat(verdict.read(missed(-5, List.of(limited(6775, null)))))
        .isInstanceOfSatisfying(
            Outcome.Throttled.class,
            it -> {
              assertThat(it.delay()).isEqualTo(Duration.ofSeconds(6775));
              assertThat(it.scope()).isEqualTo(ThrottleScope.ACCOUNT);
            });
    assertThat(missed(-5, "RATE_LIMIT_FAILURE"))
        .isInstanceOfSatisfying(Outcome.Throttled.class, it -> assertThat(it.delay()).isPositive());
  }

  @Test
  void a_captcha_breaks_the_account_with_the_token_and_the_command() {
    Reply reply = missed(-5, List.of(limited(86400, "3f-token")));

    assertThat(verdict.read(reply))
        .isInstanceOfSatisfying(
            Outcome.AccountBroken.class,
            it ->
                assertThat(it.cause())
                    .contains("https://signalcaptchas.org/challenge/generate.html")
                    .contains("submitRateLimitChallenge --challenge 3f-token")
                    .endsWith("postrider accounts resume sig"));
    assertThat(verdict.challenge(reply))
        .isEqualTo(new SignalVerdict.Challenge("3f-token", Duration.ofDays(1)));
  }

  @Test
  void a_captcha_that_an_older_version_calls_a_network_failure_is_known_as_one() {
    Map<String, Object> result = new LinkedHashMap<>(FakeSignalCli.result("NETWORK_FAILURE"));
    result.put("token", "3f-token");
    assertThat(verdict.read(missed(-1, List.of(result)))).isInstanceOf(Outcome.AccountBroken.class);
  }

  @Test
  void a_new_safety_number_is_named_with_the_remedy() {
    assertThat(missed(-4, "IDENTITY_FAILURE"))
        .isInstanceOfSatisfying(
            Outcome.Rejected.class,
            it ->
                assertThat(it.cause())
                    .contains("signal-cli -a +4915112345678 trust -v SAFETY_NUMBER +491701234567"));
  }
}
