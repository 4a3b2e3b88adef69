package dev.postrider.channels.telegram;

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

/** Every line of Telegram's errors, and what is made of it. */
class TelegramErrorTableTest {
  private final TelegramVerdict verdict =
      new TelegramVerdict(
          new PermanentErrors(List.of(Pattern.compile("quota used up"))), new StillTime());

  private Outcome error(int code, String description) {
    return answer(code, Map.of("ok", false, "error_code", code, "description", description));
  }

  private Outcome answer(int status, Map<String, ?> body) {
    return verdict.of(new Response(status, Map.of(), Json.write(body)), List.of());
  }

  private Outcome page(int status, Map<String, String> headers) {
    String page = "<html><body><h1>Oops</h1></body></html>";
    return verdict.of(new Response(status, headers, page), List.of());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          400|Bad Request: chat not found
          400|Bad Request: private chat not found
          400|Bad Request: chat_id is empty
          400|Bad Request: PEER_ID_INVALID
          400|Bad Request: user not found
          403|Forbidden: bot was blocked by the user
          403|Forbidden: user is deactivated
          403|Forbidden: bot was kicked from the group chat
          403|Forbidden: bot was kicked from the supergroup chat
          403|Forbidden: bot was kicked from the channel chat
          403|Forbidden: bot is not a member of the channel chat
          403|Forbidden: bot is not a member of the supergroup chat
          403|Forbidden: the group chat was deleted
          403|Forbidden: bot can't initiate conversation with a user
          403|Forbidden: bot can't send messages to bots
          403|Forbidden: something new
          400|Bad Request: not enough rights to send text messages to the chat
          400|Bad Request: have no rights to send a message
          400|Bad Request: CHAT_WRITE_FORBIDDEN
          400|Bad Request: CHAT_RESTRICTED
          400|Bad Request: TOPIC_CLOSED
          400|Bad Request: TOPIC_DELETED
          400|Bad Request: message thread not found
          400|bad request: CHAT NOT FOUND
          """)
  void a_chat_that_cannot_be_reached_is_rejected_as_target(int code, String description) {
    assertThat(error(code, description))
        .isEqualTo(new Outcome.Rejected(Blame.TARGET, code + " " + description));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          400|Bad Request: message text is empty
          400|Bad Request: text must be non-empty
          400|Bad Request: message is too long
          400|Bad Request: message caption is too long
          400|Bad Request: file is too big
          413|Request Entity Too Large
          400|Bad Request: something new
          409|Conflict: terminated by other getUpdates request
          """)
  void a_message_that_cannot_pass_is_rejected_as_message(int code, String description) {
    assertThat(error(code, description))
        .isEqualTo(new Outcome.Rejected(Blame.MESSAGE, code + " " + description));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Bad Request: failed to get HTTP URL content",
        "Bad Request: wrong HTTP URL specified",
        "Bad Request: wrong file identifier/HTTP URL specified",
        "Bad Request: wrong remote file identifier specified: wrong padding",
        "Bad Request: wrong type of the web page content",
        "Bad Request: can't upload file by URL"
      })
  void an_address_or_a_handle_telegram_cannot_use_is_repaired_by_an_upload(String description) {
    assertThat(error(400, description))
        .isEqualTo(new Outcome.Repairable(new Fix.UploadInstead(), "400 " + description));
  }

  @Test
  void a_picture_of_impossible_shape_is_repaired_by_a_document() {
    assertThat(error(400, "Bad Request: PHOTO_INVALID_DIMENSIONS"))
        .isEqualTo(
            new Outcome.Repairable(
                new Fix.AsDocument(), "400 Bad Request: PHOTO_INVALID_DIMENSIONS"));
  }

  @Test
  void unparsable_markup_is_repaired_by_plain_text() {
    assertThat(error(400, "Bad Request: can't parse entities: Unexpected end tag at byte offset 5"))
        .isInstanceOfSatisfying(
            Outcome.Repairable.class, r -> assertThat(r.fix()).isEqualTo(new Fix.PlainText()));
  }

  @Test
  void a_vanished_message_to_reply_to_is_repaired_by_dropping_the_reply() {
    assertThat(error(400, "Bad Request: message to be replied not found"))
        .isInstanceOfSatisfying(
            Outcome.Repairable.class, r -> assertThat(r.fix()).isEqualTo(new Fix.DropReply()));
  }

  @Test
  void a_group_that_became_a_supergroup_is_repaired_by_its_new_id() {
    assertThat(
            answer(
                400,
                Map.of(
                    "ok",
                    false,
                    "error_code",
                    400,
                    "description",
                    "Bad Request: group chat was upgraded to a supergroup chat",
                    "parameters",
                    Map.of("migrate_to_chat_id", -1001234567890L))))
        .isInstanceOfSatisfying(
            Outcome.Repairable.class,
            r -> assertThat(r.fix()).isEqualTo(new Fix.NewChat("-1001234567890")));
  }

  @ParameterizedTest
  @CsvSource({
    "401, Unauthorized",
    "401, Unauthorized: invalid token specified",
    "404, Not Found",
    "421, Misdirected Request",
    "400, Logged out"
  })
  void a_bot_that_telegram_does_not_take_breaks_the_account(int code, String description) {
    assertThat(error(code, description))
        .isEqualTo(new Outcome.AccountBroken(code + " " + description));
  }

  @ParameterizedTest
  @CsvSource({
    "500, Internal Server Error: restart",
    "500, Internal Server Error: Request aborted",
    "502, Bad Gateway",
    "503, Service Unavailable",
    "504, Gateway Timeout",
    "520, Unknown",
    "408, Request Timeout"
  })
  void an_answer_that_leaves_it_open_is_unknown(int code, String description) {
    assertThat(error(code, description)).isInstanceOf(Outcome.Unknown.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Failed to send message #2 with the error message",
        "Bad Request: failed to send message #1 with the error message"
            + " \"PHOTO_INVALID_DIMENSIONS\"",
        "Bad Request: failed to send message #3 with the error message \"failed to get HTTP URL"
            + " content\""
      })
  void an_album_of_which_some_may_be_visible_is_not_sent_again_blindly(String description) {
    assertThat(error(400, description)).isEqualTo(new Outcome.Hold("400 " + description));
  }

  @Test
  void an_edit_that_changes_nothing_has_done_its_work() {
    assertThat(error(400, "Bad Request: message is not modified: specified new message content"))
        .isEqualTo(Outcome.delivered(""));
  }

  @Test
  void a_503_that_says_when_to_come_back_was_not_processed() {
    assertThat(page(503, Map.of("retry-after", "5")))
        .isInstanceOfSatisfying(
            Outcome.Unreachable.class,
            it -> assertThat(it.notBefore()).isEqualTo(Duration.ofSeconds(5)));
    assertThat(page(503, Map.of())).isInstanceOf(Outcome.Unknown.class);
  }

  @Test
  void a_429_without_parameters_takes_the_header_and_without_that_a_few_seconds() {
    assertThat(page(429, Map.of("retry-after", "6775")))
        .isInstanceOfSatisfying(
            Outcome.Throttled.class,
            t -> {
              assertThat(t.scope()).isEqualTo(ThrottleScope.CHAT);
              assertThat(t.delay()).isEqualTo(Duration.ofSeconds(6775));
            });
    assertThat(page(429, Map.of()))
        .isInstanceOfSatisfying(
            Outcome.Throttled.class, t -> assertThat(t.delay()).isEqualTo(Duration.ofSeconds(5)));
  }

  @ParameterizedTest
  @CsvSource({
    "200, unknown", "302, account-broken", "400, not-sent", "401, account-broken", "403, not-sent",
    "404, account-broken", "408, unknown", "413, rejected", "425, not-sent", "500, unknown",
    "502, unknown", "504, unknown", "522, unknown"
  })
  void a_page_that_is_not_telegrams_is_judged_by_its_status_alone(int status, String label) {
    assertThat(page(status, Map.of()).label()).isEqualTo(label);
  }

  @Test
  void a_failure_inside_a_200_is_seen() {
    assertThat(answer(200, Map.of("ok", false, "error_code", 403, "description", "Forbidden: x")))
        .isInstanceOf(Outcome.Rejected.class);
    assertThat(answer(200, Map.of("ok", false, "description", "Bad Request: chat not found")))
        .isInstanceOf(Outcome.Rejected.class);
    assertThat(answer(200, Map.of("ok", false))).isInstanceOf(Outcome.Unknown.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{\"ok\":true,\"result\":{\"message_i", "[]", "null", "\"ok\""})
  void a_200_that_cannot_be_read_is_unknown(String body) {
    assertThat(verdict.of(new Response(200, Map.of(), body), List.of()))
        .isInstanceOf(Outcome.Unknown.class);
  }

  @Test
  void the_accounts_own_patterns_decide_only_where_no_code_does() {
    assertThat(error(500, "quota used up"))
        .isEqualTo(new Outcome.Rejected(Blame.MESSAGE, "500 quota used up"));
    assertThat(error(401, "quota used up")).isInstanceOf(Outcome.AccountBroken.class);
    assertThat(error(429, "quota used up")).isInstanceOf(Outcome.Throttled.class);
  }
}
