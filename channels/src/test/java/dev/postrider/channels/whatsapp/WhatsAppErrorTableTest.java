package dev.postrider.channels.whatsapp;

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

/** Every code of Meta's, and what is made of it. */
class WhatsAppErrorTableTest {
  private final StillTime time = new StillTime();
  private final WhatsAppVerdict verdict =
      new WhatsAppVerdict(new PermanentErrors(List.of(Pattern.compile("quota used up"))), time);

  private Outcome error(int status, int code) {
    return answer(status, Map.of("code", code, "message", "(#" + code + ") Oops"));
  }

  private Outcome answer(int status, Map<String, ?> error) {
    return verdict.of(new Response(status, Map.of(), Json.write(Map.of("error", error))), "491");
  }

  private Outcome page(int status, Map<String, String> headers) {
    return verdict.of(new Response(status, headers, "<html><h1>Oops</h1></html>"), "491");
  }

  @ParameterizedTest
  @ValueSource(ints = {131026, 131030, 131021, 130497, 137000})
  void a_user_who_cannot_be_reached_is_rejected_as_target(int code) {
    assertThat(error(400, code)).isEqualTo(new Outcome.Rejected(Blame.TARGET, code + " Oops"));
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        100, 131008, 131009, 131050, 131051, 131052, 130472, 131062, 131063, 132000, 132001, 132005,
        132007, 132008, 132012, 132015, 132016, 132068, 132069, 135000, 131049, 199999
      })
  void a_message_that_cannot_pass_is_rejected_as_message(int code) {
    assertThat(error(400, code)).isEqualTo(new Outcome.Rejected(Blame.MESSAGE, code + " Oops"));
  }

  @Test
  void a_closed_window_is_told_with_the_remedy() {
    assertThat(error(400, 131047))
        .isInstanceOfSatisfying(
            Outcome.Rejected.class,
            it -> {
              assertThat(it.blame()).isEqualTo(Blame.MESSAGE);
              assertThat(it.cause()).contains("24 hours").contains("template");
            });
  }

  @ParameterizedTest
  @CsvSource({
    "130429, ACCOUNT, PT5S",
    "4, ACCOUNT, PT1M",
    "80007, ACCOUNT, PT1M",
    "131064, ACCOUNT, PT1M",
    "131057, ACCOUNT, PT1M",
    "131048, ACCOUNT, PT1H",
    "131056, CHAT, PT4S"
  })
  void a_limit_holds_what_it_is_about(int code, ThrottleScope scope, Duration delay) {
    assertThat(error(400, code)).isEqualTo(new Outcome.Throttled(scope, delay, code + " Oops"));
  }

  @Test
  void a_user_who_gets_too_much_is_left_alone_for_longer_each_time() {
    List<Long> seconds =
        java.util.stream.Stream.generate(() -> (Outcome.Throttled) error(400, 131056))
            .limit(7)
            .map(throttled -> throttled.delay().toSeconds())
            .toList();
    assertThat(seconds).containsExactly(4L, 16L, 64L, 256L, 1024L, 1024L, 1024L);
  }

  @Test
  void a_message_that_passes_or_a_quiet_hour_ends_the_row() {
    error(400, 131056);
    verdict.of(new Response(200, Map.of(), "{\"messages\":[{\"id\":\"wamid.1\"}]}"), "491");
    assertThat(((Outcome.Throttled) error(400, 131056)).delay()).isEqualTo(Duration.ofSeconds(4));
    time.pass(Duration.ofMinutes(61));
    assertThat(((Outcome.Throttled) error(400, 131056)).delay()).isEqualTo(Duration.ofSeconds(4));
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        0, 3, 10, 190, 200, 203, 299, 368, 131005, 131031, 131037, 131042, 131045, 133000, 133005,
        133006, 133008, 133009, 133010, 133015, 133016
      })
  void an_account_that_is_refused_stands_still(int code) {
    assertThat(error(code == 190 ? 401 : 403, code))
        .isEqualTo(new Outcome.AccountBroken(code + " Oops"));
  }

  @Test
  void a_number_that_is_not_there_is_a_wrong_setting() {
    assertThat(answer(400, Map.of("code", 100, "error_subcode", 33, "message", "no object")))
        .isEqualTo(
            new Outcome.AccountBroken(
                "100 no object (check phoneNumberId and the token's rights)"));
  }

  @ParameterizedTest
  @CsvSource({"500,1", "503,2", "500,131000", "500,131016", "503,133004", "400,131000"})
  void trouble_that_meta_tells_of_itself_is_not_sent(int status, int code) {
    assertThat(error(status, code)).isEqualTo(new Outcome.NotSent(code + " Oops"));
  }

  @Test
  void what_meta_calls_transient_is_tried_again() {
    assertThat(answer(400, Map.of("code", 777, "message", "x", "is_transient", true)))
        .isEqualTo(new Outcome.NotSent("777 x"));
  }

  @Test
  void files_meta_cannot_use_are_brought_again_once() {
    assertThat(error(400, 131053))
        .isEqualTo(new Outcome.Repairable(new Fix.UploadInstead(), "131053 Oops"));
    String lost = "Param image['id'] is not a valid whatsapp business account media attachment ID";
    assertThat(
            answer(
                400,
                Map.of("code", 100, "message", "Invalid", "error_data", Map.of("details", lost))))
        .isEqualTo(new Outcome.Repairable(new Fix.UploadInstead(), "100 Invalid: " + lost));
  }

  @Test
  void an_error_counts_even_with_status_200_and_an_unknown_one_of_a_broken_server_does_not() {
    assertThat(error(200, 190)).isInstanceOf(Outcome.AccountBroken.class);
    assertThat(error(500, 199999)).isInstanceOf(Outcome.Unknown.class);
    assertThat(error(429, 199999)).isInstanceOf(Outcome.Throttled.class);
    assertThat(answer(400, Map.of("code", 99999999999L, "message", "x")))
        .isInstanceOf(Outcome.Rejected.class);
  }

  @Test
  void without_a_word_of_metas_only_the_status_counts() {
    assertThat(page(401, Map.of())).isInstanceOf(Outcome.AccountBroken.class);
    assertThat(page(404, Map.of())).isInstanceOf(Outcome.AccountBroken.class);
    assertThat(page(302, Map.of())).isInstanceOf(Outcome.AccountBroken.class);
    assertThat(page(413, Map.of())).isInstanceOf(Outcome.Rejected.class);
    assertThat(page(403, Map.of())).isInstanceOf(Outcome.NotSent.class);
    assertThat(page(408, Map.of())).isInstanceOf(Outcome.Unknown.class);
    assertThat(page(503, Map.of())).isInstanceOf(Outcome.Unknown.class);
    assertThat(page(503, Map.of("retry-after", "3"))).isInstanceOf(Outcome.Unreachable.class);
    assertThat(page(502, Map.of())).isInstanceOf(Outcome.Unknown.class);
    assertThat(page(200, Map.of())).isInstanceOf(Outcome.Unknown.class);
    assertThat(page(429, Map.of("retry-after", "30")))
        .isInstanceOfSatisfying(
            Outcome.Throttled.class, it -> assertThat(it.delay()).hasSeconds(30));
  }

  @Test
  void own_patterns_end_what_meta_leaves_open() {
    assertThat(answer(500, Map.of("code", 1, "message", "quota used up")))
        .isEqualTo(new Outcome.Rejected(Blame.MESSAGE, "1 quota used up"));
  }
}
