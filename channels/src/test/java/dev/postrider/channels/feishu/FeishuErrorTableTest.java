package dev.postrider.channels.feishu;

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

/** Every code of Feishu's that a message, an upload or a token can meet, and what is made of it. */
class FeishuErrorTableTest {
  private final FeishuVerdict verdict =
      new FeishuVerdict(
          new PermanentErrors(List.of(Pattern.compile("never again"))), new StillTime());

  private Outcome error(int status, int code, String message, Map<String, String> headers) {
    return verdict.refusal(
        new Response(status, headers, Json.write(Map.of("code", code, "msg", message))));
  }

  private Outcome error(int status, int code) {
    return error(status, code, "Oops", Map.of());
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        230002, 230013, 230018, 230029, 230034, 230035, 230038, 230045, 230053, 232009, 99992351,
        99992352, 99992353, 99992361, 99992364
      })
  void a_chat_that_cannot_be_reached_is_rejected_as_target(int code) {
    assertThat(error(400, code))
        .isInstanceOfSatisfying(
            Outcome.Rejected.class,
            it -> {
              assertThat(it.blame()).isEqualTo(Blame.TARGET);
              assertThat(it.cause()).startsWith(code + " Oops");
            });
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        230001, 230015, 230022, 230025, 230028, 230054, 230055, 230075, 234001, 234006, 234010,
        9499, 19002, 19024, 99991402, 99992402, 230999
      })
  void a_message_that_cannot_pass_is_rejected_as_message(int code) {
    assertThat(error(400, code))
        .isInstanceOfSatisfying(
            Outcome.Rejected.class, it -> assertThat(it.blame()).isEqualTo(Blame.MESSAGE));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          invalid receive_id | TARGET
          The receive_id oc_1 is not valid | TARGET
          content is not a string in json format | MESSAGE
          invalid msg_type | MESSAGE
          """)
  void what_a_wrong_parameter_was_is_read_after_ext(String why, Blame blame) {
    String said = "Your request contains an invalid request parameter, ext=" + why;
    assertThat(error(400, 230001, said, Map.of()))
        .isEqualTo(new Outcome.Rejected(blame, "230001 " + said));
  }

  @ParameterizedTest
  @ValueSource(strings = {"invalid image_key", "file_key is not found"})
  void a_key_that_feishu_does_not_know_is_uploaded_anew(String why) {
    assertThat(error(400, 230001, "invalid, ext=" + why, Map.of()))
        .isEqualTo(new Outcome.Repairable(new Fix.UploadInstead(), "230001 invalid, ext=" + why));
    assertThat(error(400, 230017))
        .isEqualTo(new Outcome.Repairable(new Fix.UploadInstead(), "230017 Oops"));
  }

  @ParameterizedTest
  @ValueSource(ints = {230011, 230019, 230050, 230071, 230072, 230110, 230111, 231003})
  void a_message_that_takes_no_reply_costs_the_reply(int code) {
    assertThat(error(400, code))
        .isEqualTo(new Outcome.Repairable(new Fix.DropReply(), code + " Oops"));
  }

  @Test
  void a_card_that_cannot_be_made_goes_as_text() {
    assertThat(error(400, 230099))
        .isEqualTo(new Outcome.Repairable(new Fix.PlainText(), "230099 Oops"));
  }

  @ParameterizedTest
  @ValueSource(ints = {234011, 234039})
  void an_image_that_cannot_be_shown_goes_as_a_file(int code) {
    assertThat(error(400, code))
        .isEqualTo(new Outcome.Repairable(new Fix.AsDocument(), code + " Oops"));
  }

  @ParameterizedTest
  @ValueSource(
      ints = {
        99991661, 99991663, 99991664, 99991671, 99991401, 99991662, 99991665, 99991668, 99991672,
        99991673, 99991679, 230006, 230027, 230036, 234002, 234007, 234041, 10003, 10005, 10012,
        10013, 10014, 10015, 10016, 11205, 19001, 19021, 19022
      })
  void an_app_that_is_refused_stands_still(int code) {
    assertThat(error(200, code)).isInstanceOf(Outcome.AccountBroken.class);
  }

  @ParameterizedTest
  @CsvSource({
    "429, 99991400, ACCOUNT, PT5S",
    "400, 99991400, ACCOUNT, PT5S",
    "200, 11232, ACCOUNT, PT10S",
    "400, 230020, CHAT, PT1S",
    "429, 1234567, ACCOUNT, PT5S"
  })
  void a_limit_holds_what_it_is_about(int status, int code, ThrottleScope scope, Duration delay) {
    assertThat(error(status, code)).isEqualTo(new Outcome.Throttled(scope, delay, code + " Oops"));
  }

  @ParameterizedTest
  @CsvSource({"429, 99991400", "400, 99991400", "400, 230020", "429, 11232"})
  void the_platforms_own_delay_counts(int status, int code) {
    assertThat(error(status, code, "Oops", Map.of("x-ogw-ratelimit-reset", "52")))
        .isInstanceOfSatisfying(
            Outcome.Throttled.class,
            it -> assertThat(it.delay()).isEqualTo(Duration.ofSeconds(52)));
  }

  @Test
  void a_month_whose_calls_are_used_up_is_asked_about_once_an_hour() {
    assertThat(error(400, 99991403))
        .isInstanceOfSatisfying(
            Outcome.Throttled.class,
            it -> {
              assertThat(it.scope()).isEqualTo(ThrottleScope.ACCOUNT);
              assertThat(it.delay()).isEqualTo(Duration.ofHours(1));
              assertThat(it.cause()).contains("calls of this month are used up");
            });
  }

  @Test
  void a_message_that_is_under_way_is_in_doubt_and_not_failed() {
    assertThat(error(400, 230049)).isEqualTo(new Outcome.Unknown("230049 Oops"));
  }

  @ParameterizedTest
  @ValueSource(ints = {230101, 232096, 234042})
  void what_feishu_could_not_do_just_now_is_tried_again(int code) {
    assertThat(error(400, code)).isEqualTo(new Outcome.NotSent(code + " Oops"));
  }

  @ParameterizedTest
  @ValueSource(ints = {1500, 1663, 2200, 55001})
  void an_inner_error_leaves_the_outcome_unknown(int code) {
    assertThat(error(500, code)).isEqualTo(new Outcome.Unknown(code + " Oops"));
    assertThat(error(200, code)).isEqualTo(new Outcome.Unknown(code + " Oops"));
  }

  @Test
  void an_own_pattern_ends_what_the_code_leaves_open() {
    assertThat(error(500, 1500, "never again", Map.of()))
        .isEqualTo(new Outcome.Rejected(Blame.MESSAGE, "1500 never again"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          230006 | bot feature
          11205 | bot feature
          230013 | available
          230002 | add the bot to the chat
          99991672 | permission
          10014 | region
          10003 | region
          99991401 | allowlist
          19021 | clock
          19022 | security settings
          19024 | keywords
          19001 | webhookUrl
          """)
  void the_usual_mistakes_are_told_with_their_remedy(int code, String remedy) {
    assertThat(error(400, code).toString()).contains(remedy);
  }
}
