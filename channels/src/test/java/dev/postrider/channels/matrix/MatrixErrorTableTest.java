package dev.postrider.channels.matrix;

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

/** Every error code, and what is made of it. */
class MatrixErrorTableTest {
  private final MatrixVerdict verdict =
      new MatrixVerdict(
          new PermanentErrors(List.of(Pattern.compile("quota used up"))), new StillTime());

  private Outcome error(int status, String code) {
    return answer(status, Map.of("errcode", code, "error", "Oops"), Map.of());
  }

  private Outcome answer(int status, Map<String, ?> body, Map<String, String> headers) {
    return verdict.of(new Response(status, headers, Json.write(body)));
  }

  private Outcome page(int status) {
    return verdict.of(new Response(status, Map.of(), "<html><h1>Oops</h1></html>"));
  }

  @ParameterizedTest
  @CsvSource({"403,M_FORBIDDEN", "404,M_NOT_FOUND", "403,M_GUEST_ACCESS_FORBIDDEN"})
  void a_room_that_cannot_be_reached_is_rejected_as_target(int status, String code) {
    assertThat(error(status, code)).isEqualTo(new Outcome.Rejected(Blame.TARGET, code + " Oops"));
  }

  @ParameterizedTest
  @CsvSource({
    "400,M_BAD_JSON",
    "400,M_NOT_JSON",
    "400,M_INVALID_PARAM",
    "400,M_MISSING_PARAM",
    "400,M_UNKNOWN",
    "413,M_TOO_LARGE",
    "400,ORG_EXAMPLE_NEW"
  })
  void a_message_that_cannot_pass_is_rejected_as_message(int status, String code) {
    assertThat(error(status, code)).isEqualTo(new Outcome.Rejected(Blame.MESSAGE, code + " Oops"));
  }

  @ParameterizedTest
  @CsvSource({
    "401,M_UNKNOWN_TOKEN",
    "401,M_MISSING_TOKEN",
    "401,M_USER_LOCKED",
    "403,M_USER_SUSPENDED",
    "403,M_USER_DEACTIVATED",
    "403,M_CONSENT_NOT_GIVEN",
    "403,M_RESOURCE_LIMIT_EXCEEDED",
    "403,M_USER_LIMIT_EXCEEDED",
    "401,ORG_EXAMPLE_NEW"
  })
  void an_account_that_is_refused_stands_still(int status, String code) {
    assertThat(error(status, code)).isEqualTo(new Outcome.AccountBroken(code + " Oops"));
  }

  @Test
  void a_soft_logout_is_told_with_the_remedy() {
    assertThat(answer(401, Map.of("errcode", "M_UNKNOWN_TOKEN", "soft_logout", true), Map.of()))
        .isInstanceOfSatisfying(
            Outcome.AccountBroken.class, it -> assertThat(it.cause()).contains("same device"));
  }

  @ParameterizedTest
  @ValueSource(ints = {404, 405})
  void an_endpoint_nobody_knows_is_a_wrong_setting(int status) {
    assertThat(error(status, "M_UNRECOGNIZED"))
        .isInstanceOfSatisfying(
            Outcome.AccountBroken.class, it -> assertThat(it.cause()).contains("baseUrl"));
  }

  @Test
  void a_reaction_that_is_there_already_is_as_good_as_delivered() {
    assertThat(error(400, "M_DUPLICATE_ANNOTATION")).isInstanceOf(Outcome.Delivered.class);
  }

  @Test
  void a_limit_holds_the_account_as_long_as_the_header_says_else_the_body_else_a_while() {
    Map<String, Object> body =
        Map.of("errcode", "M_LIMIT_EXCEEDED", "error", "slow", "retry_after_ms", 2500);
    assertThat(answer(429, body, Map.of("retry-after", "7"))).isEqualTo(throttled(7000));
    assertThat(answer(429, body, Map.of())).isEqualTo(throttled(2500));
    assertThat(answer(429, Map.of("errcode", "M_LIMIT_EXCEEDED", "error", "slow"), Map.of()))
        .isEqualTo(throttled(5000));
    assertThat(error(429, "M_UNKNOWN")).isInstanceOf(Outcome.Throttled.class);
  }

  private static Outcome throttled(long millis) {
    return new Outcome.Throttled(
        ThrottleScope.ACCOUNT, Duration.ofMillis(millis), "M_LIMIT_EXCEEDED slow");
  }

  @ParameterizedTest
  @ValueSource(strings = {"M_UNKNOWN", "M_FORBIDDEN", "M_NOT_FOUND", "M_TOO_LARGE"})
  void a_server_in_trouble_is_not_believed(String code) {
    assertThat(error(500, code)).isInstanceOf(Outcome.Unknown.class);
  }

  @Test
  void without_a_word_of_the_homeserver_only_the_status_counts() {
    assertThat(page(401)).isInstanceOf(Outcome.AccountBroken.class);
    assertThat(page(404)).isInstanceOf(Outcome.AccountBroken.class);
    assertThat(page(301)).isInstanceOf(Outcome.AccountBroken.class);
    assertThat(page(413)).isInstanceOf(Outcome.Rejected.class);
    assertThat(page(403)).isInstanceOf(Outcome.NotSent.class);
    assertThat(page(408)).isInstanceOf(Outcome.Unknown.class);
    assertThat(page(429)).isInstanceOf(Outcome.Throttled.class);
    assertThat(page(504)).isInstanceOf(Outcome.Unknown.class);
  }

  @Test
  void own_patterns_end_what_the_homeserver_leaves_open() {
    assertThat(answer(500, Map.of("errcode", "M_UNKNOWN", "error", "quota used up"), Map.of()))
        .isEqualTo(new Outcome.Rejected(Blame.MESSAGE, "M_UNKNOWN quota used up"));
  }
}
