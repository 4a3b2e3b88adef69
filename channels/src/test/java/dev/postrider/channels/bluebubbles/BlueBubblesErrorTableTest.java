package dev.postrider.channels.bluebubbles;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Outcome;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.channels.StillTime;
import dev.postrider.channels.http.HttpResult.Response;
import dev.postrider.channels.http.Json;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every status and sentence of the server's source, and what macOS is known to say through it. */
class BlueBubblesErrorTableTest {
  private final BlueBubblesVerdict verdict = new BlueBubblesVerdict(new StillTime());

  private Outcome error(int status, String message) {
    Map<String, Object> body =
        Map.of(
            "status",
            status,
            "message",
            "Message Send Error",
            "error",
            Map.of("type", "iMessage Error", "message", message));
    return verdict.refusal(new Response(status, Map.of(), Json.write(body)));
  }

  private static String told(Outcome outcome) {
    String name = outcome.getClass().getSimpleName();
    return outcome instanceof Outcome.Rejected rejected ? name + " " + rejected.blame() : name;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          400 | Message is already queued to be sent! (Temp GUID: t) | Throttled
          400 | Attachment is already queued to be sent! | Throttled
          400 | A 'tempGuid' is required when sending via AppleScript | Rejected MESSAGE
          400 | The chat guid field is required. | Rejected MESSAGE
          400 | Attachment not provided or was empty! | Rejected MESSAGE
          400 | Selected message does not exist! | Rejected MESSAGE
          400 | Associated chat not found! | Rejected MESSAGE
          401 | Unauthorized | AccountBroken
          401 | Missing server password! | AccountBroken
          403 | Forbidden | AccountBroken
          404 | Chat does not exist! | Rejected TARGET
          404 | Message does not exist! | Rejected TARGET
          500 | iMessage Private API is not enabled! | AccountBroken
          500 | iMessage Private API Helper is not connected! | Unreachable
          500 | Failed to send message! See attached message error code. | Unknown
          500 | Message send timeout | Unknown
          500 | Message not found in database after 60 seconds! | Unknown
          500 | Messages got an error: AppleEvent timed out. (-1712) | Unknown
          500 | Can’t get chat id "iMessage;+;chat1". (-1728) | Rejected TARGET
          500 | Can’t get participant "+49170". | Rejected TARGET
          500 | Not authorized to send Apple events to Messages. (-1743) | AccountBroken
          500 | Messages got an error: Application isn’t running. (-600) | Unreachable
          500 | Invalid GUID! Can't send message to: x | Rejected TARGET
          500 | Can't use the send message (fallback) script to text a group chat! | Unknown
          500 | Unsend message is only supported on macOS Ventura and newer! | Rejected MESSAGE
          500 | something new | Unknown
          500 | something new | Unknown
          504 | Gateway Timeout | Unknown
          429 | slow down | Throttled
          """)
  void a_sentence_of_the_server(int status, String message, String outcome) {
    assertThat(told(error(status, message))).isEqualTo(outcome);
  }

  @Test
  void one_that_is_still_being_sent_holds_its_chat_for_a_while() {
    assertThat(error(400, "Message is already queued to be sent!"))
        .isEqualTo(
            new Outcome.Throttled(
                ThrottleScope.CHAT,
                Duration.ofSeconds(30),
                "400 Message is already queued to be sent!"));
  }

  @ParameterizedTest
  @CsvSource({"22,Rejected TARGET", "4,NotSent", "3,NotSent", "43,NotSent"})
  void what_messages_itself_says_counts_more_than_any_sentence(int code, String outcome) {
    String body =
        """
        {"status":500,"message":"Message Send Error","error":{"type":"iMessage Error",
         "message":"Failed to send message! See attached message error code."},
         "data":{"guid":"G","error":%d}}"""
            .formatted(code);
    Outcome read = verdict.refusal(new Response(500, Map.of(), body));
    assertThat(told(read)).isEqualTo(outcome);
    assertThat(read.toString()).contains("error " + code);
  }

  @ParameterizedTest
  @CsvSource({
    "302,AccountBroken",
    "400,NotSent",
    "401,AccountBroken",
    "404,AccountBroken",
    "408,Unknown",
    "413,Rejected MESSAGE",
    "429,Throttled",
    "500,Unknown",
    "502,Unknown",
    "503,Unknown",
    "504,Unknown"
  })
  void of_a_tunnels_own_page_only_the_status_counts(int status, String outcome) {
    assertThat(told(verdict.refusal(new Response(status, Map.of(), "<h1>cloudflared</h1>"))))
        .isEqualTo(outcome);
  }
}
