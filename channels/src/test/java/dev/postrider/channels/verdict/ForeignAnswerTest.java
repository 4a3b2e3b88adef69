package dev.postrider.channels.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.channels.http.HttpResult.Response;
import dev.postrider.channels.http.PermanentErrors;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ForeignAnswerTest {
  private static final InstantSource CLOCK =
      InstantSource.fixed(Instant.parse("2026-03-01T12:00:00Z"));
  private final ForeignAnswer foreign =
      new ForeignAnswer(
          CLOCK,
          new PermanentErrors(List.of(Pattern.compile("mailbox closed"))),
          ThrottleScope.ACCOUNT,
          Set.of(401, 404),
          "whether baseUrl is a homeserver");

  private Outcome read(int status, String body, Map<String, String> headers) {
    return foreign.read(new Response(status, headers, body));
  }

  @ParameterizedTest
  @CsvSource({
    "200, Unknown",
    "301, AccountBroken",
    "400, NotSent",
    "401, AccountBroken",
    "403, NotSent",
    "404, AccountBroken",
    "408, Unknown",
    "413, Rejected",
    "429, Throttled",
    "500, Unknown",
    "502, Unknown",
    "503, Unknown",
    "504, Unknown",
  })
  void a_web_page_means_what_its_status_says_at_most(int status, String outcome) {
    assertThat(read(status, "<h1>Oops</h1>", Map.of()).getClass().getSimpleName())
        .isEqualTo(outcome);
    assertThat(read(status, "", Map.of()).getClass().getSimpleName()).isEqualTo(outcome);
  }

  @Test
  void a_time_that_is_asked_for_is_kept() {
    Map<String, String> later = Map.of("retry-after", "30");
    Duration seconds = Duration.ofSeconds(30);
    assertThat(read(429, "", later))
        .isEqualTo(
            new Outcome.Throttled(
                ThrottleScope.ACCOUNT, seconds, "429 without a readable answer: "));
    assertThat(read(503, "", later))
        .isEqualTo(new Outcome.Unreachable("503 without a readable answer: ", seconds));
  }

  @Test
  void a_redirect_says_what_to_check() {
    assertThat(read(302, "", Map.of()))
        .isEqualTo(
            new Outcome.AccountBroken(
                "302 sends us elsewhere; check whether baseUrl is a homeserver"));
  }

  @Test
  void the_accounts_patterns_end_what_the_status_leaves_open() {
    assertThat(read(502, "<p>mailbox closed</p>", Map.of()))
        .isEqualTo(
            new Outcome.Rejected(Blame.MESSAGE, "502 without a readable answer: mailbox closed"));
  }
}
