package dev.postrider.channels.discord;

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
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every line of Discord's errors, and what is made of it. */
class DiscordErrorTableTest {
  private final DiscordVerdict verdict =
      new DiscordVerdict(
          new PermanentErrors(List.of(Pattern.compile("quota used up"))), new StillTime());

  private Outcome error(ApiRoute door, int status, int code, boolean quoting) {
    return answer(door, status, Map.of("code", code, "message", "No"), quoting);
  }

  private Outcome error(int status, int code) {
    return error(ApiRoute.BOT, status, code, false);
  }

  private Outcome answer(ApiRoute door, int status, Map<String, ?> body, boolean quoting) {
    return verdict.of(new Response(status, Map.of(), Json.write(body)), door, quoting);
  }

  private Outcome page(ApiRoute door, int status, Map<String, String> headers) {
    return verdict.of(new Response(status, headers, "<h1>Oops</h1>"), door, false);
  }

  @ParameterizedTest
  @CsvSource({
    "404,10003",
    "404,10004",
    "403,50001",
    "403,50013",
    "403,50007",
    "400,50008",
    "400,50024",
    "400,40058",
    "400,40067",
    "400,160005",
    "403,20009",
    "403,99999"
  })
  void a_chat_that_cannot_be_reached_is_rejected_as_target(int status, int code) {
    assertThat(error(status, code))
        .isEqualTo(new Outcome.Rejected(Blame.TARGET, status + " " + code + " No"));
  }

  @ParameterizedTest
  @CsvSource({
    "400,50006",
    "400,50035",
    "400,50109",
    "413,40005",
    "400,50045",
    "400,50046",
    "400,200000",
    "400,200001",
    "400,240000",
    "400,99999",
    "404,0"
  })
  void a_message_that_cannot_pass_is_rejected_as_message(int status, int code) {
    assertThat(error(status, code))
        .isEqualTo(new Outcome.Rejected(Blame.MESSAGE, status + " " + code + " No"));
  }

  @Test
  void a_form_error_names_the_field() {
    Map<String, ?> errors =
        Map.of(
            "embeds",
            Map.of(
                "0", Map.of("title", Map.of("_errors", List.of(Map.of("message", "Too long"))))));

    assertThat(
            answer(
                ApiRoute.BOT,
                400,
                Map.of("code", 50035, "message", "Invalid Form Body", "errors", errors),
                false))
        .isEqualTo(
            new Outcome.Rejected(
                Blame.MESSAGE, "400 50035 Invalid Form Body: embeds.0.title Too long"));
  }

  @Test
  void a_message_that_cannot_be_quoted_is_sent_without_the_quote() {
    Map<String, ?> reference =
        Map.of(
            "code",
            50035,
            "message",
            "Invalid Form Body",
            "errors",
            Map.of("message_reference", Map.of("_errors", List.of(Map.of("message", "Unknown")))));

    for (Outcome outcome :
        List.of(
            answer(ApiRoute.BOT, 400, reference, true),
            error(ApiRoute.BOT, 400, 160002, true),
            error(ApiRoute.BOT, 404, 10008, true))) {
      assertThat(outcome)
          .isInstanceOfSatisfying(
              Outcome.Repairable.class, it -> assertThat(it.fix()).isEqualTo(new Fix.DropReply()));
    }
  }

  @Test
  void a_repeat_whose_original_was_deleted_was_delivered() {
    assertThat(error(ApiRoute.BOT, 404, 10008, false)).isEqualTo(Outcome.delivered(""));
    assertThat(error(ApiRoute.WEBHOOK, 404, 10008, false)).isInstanceOf(Outcome.Rejected.class);
  }

  @ParameterizedTest
  @CsvSource({
    "400,20016,CHAT,PT5S",
    "400,20028,CHAT,PT5S",
    "400,20029,CHAT,PT5S",
    "400,40003,CHAT,PT10M",
    "429,40003,CHAT,PT10M",
    "403,40004,CHANNEL,PT1M",
    "403,40006,CHANNEL,PT1M",
    "429,40062,CHAT,PT5S",
    "503,130000,CHAT,PT5S"
  })
  void too_much_at_once_waits(int status, int code, ThrottleScope scope, Duration delay) {
    assertThat(error(status, code))
        .isEqualTo(new Outcome.Throttled(scope, delay, status + " " + code + " No"));
  }

  private static Map<String, ?> limited(double seconds, boolean global) {
    return Map.of(
        "message", "You are being rate limited.", "retry_after", seconds, "global", global);
  }

  @ParameterizedTest
  @CsvSource({
    "BOT,user,false,CHAT",
    "BOT,shared,false,CHAT",
    "BOT,global,false,ACCOUNT",
    "BOT,user,true,ACCOUNT",
    "WEBHOOK,user,false,ACCOUNT",
    "INTERACTION,user,false,CHAT"
  })
  void a_429_says_whose_limit_it_is(
      ApiRoute door, String said, boolean global, ThrottleScope scope) {
    Response response =
        new Response(429, Map.of("x-ratelimit-scope", said), Json.write(limited(64.5701, global)));

    assertThat(verdict.of(response, door, false))
        .isEqualTo(
            new Outcome.Throttled(
                scope, Duration.ofMillis(64_571), "429 0 You are being rate limited."));
  }

  @Test
  void a_429_from_before_discord_holds_the_channel() {
    assertThat(page(ApiRoute.BOT, 429, Map.of("retry-after", "3600")))
        .isEqualTo(
            new Outcome.Throttled(
                ThrottleScope.CHANNEL, Duration.ofHours(1), "429 without a readable answer: Oops"));
  }

  @ParameterizedTest
  @CsvSource({"401,0", "401,40001", "403,40002", "401,50014", "403,40333"})
  void a_bot_that_discord_refuses_is_broken(int status, int code) {
    assertThat(error(status, code)).isInstanceOf(Outcome.AccountBroken.class);
  }

  @ParameterizedTest
  @CsvSource({"404,10015", "400,10015", "401,50027", "403,50027", "404,0", "401,0"})
  void a_webhook_that_is_gone_is_broken_and_an_interaction_is_over(int status, int code) {
    assertThat(error(ApiRoute.WEBHOOK, status, code, false))
        .isInstanceOf(Outcome.AccountBroken.class);
    assertThat(error(ApiRoute.INTERACTION, status, code, false))
        .isInstanceOfSatisfying(
            Outcome.Rejected.class,
            it -> {
              assertThat(it.blame()).isEqualTo(Blame.MESSAGE);
              assertThat(it.cause()).contains("15 minutes");
            });
  }

  @Test
  void an_unknown_interaction_is_over() {
    assertThat(error(ApiRoute.INTERACTION, 404, 10062, false)).isInstanceOf(Outcome.Rejected.class);
  }

  @ParameterizedTest
  @ValueSource(ints = {408, 500, 503, 504, 520})
  void a_server_error_leaves_the_outcome_unknown(int status) {
    assertThat(error(status, 0)).isInstanceOf(Outcome.Unknown.class);
    assertThat(page(ApiRoute.BOT, status, Map.of())).isInstanceOf(Outcome.Unknown.class);
  }

  @Test
  void a_502_says_that_nobody_was_there_to_process_it() {
    assertThat(error(502, 0)).isInstanceOf(Outcome.Unreachable.class);
    assertThat(page(ApiRoute.WEBHOOK, 502, Map.of())).isInstanceOf(Outcome.Unreachable.class);
  }

  @ParameterizedTest
  @EnumSource(ApiRoute.class)
  void a_page_that_is_not_discords_is_judged_by_its_status(ApiRoute door) {
    assertThat(page(door, 302, Map.of())).isInstanceOf(Outcome.AccountBroken.class);
    assertThat(page(door, 403, Map.of())).isInstanceOf(Outcome.NotSent.class);
    assertThat(page(door, 413, Map.of())).isInstanceOf(Outcome.Rejected.class);
    assertThat(page(door, 401, Map.of()))
        .isEqualTo(door.closed("401 without a readable answer: Oops"));
    assertThat(page(door, 204, Map.of())).isInstanceOf(Outcome.Unknown.class);
  }

  @Test
  void an_answer_without_the_message_is_no_delivery() {
    assertThat(answer(ApiRoute.WEBHOOK, 200, Map.of("ok", true), false))
        .isInstanceOf(Outcome.Unknown.class);
    assertThat(answer(ApiRoute.BOT, 200, Map.of("id", "77"), false))
        .isEqualTo(Outcome.delivered("77"));
  }

  @Test
  void own_permanent_errors_end_what_discord_leaves_open() {
    assertThat(answer(ApiRoute.BOT, 500, Map.of("message", "quota used up"), false))
        .isInstanceOf(Outcome.Rejected.class);
  }
}
