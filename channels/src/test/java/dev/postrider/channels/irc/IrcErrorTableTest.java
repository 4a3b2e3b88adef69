package dev.postrider.channels.irc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.ThrottleScope;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every refusal of a message or a JOIN, and what is made of it. */
class IrcErrorTableTest {

  private static Outcome error(String code) {
    Outcome outcome = IrcVerdict.ERRORS.byCode(code, code + " Said in words");
    assertThat(outcome).as("the table knows %s", code).isNotNull();
    return outcome;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "401",
        "402",
        "403",
        "404",
        "405",
        "408",
        "470",
        "471",
        "473",
        "474",
        "475",
        "476",
        "477",
        "478",
        "479",
        "486",
        "489",
        "490",
        "492",
        "494",
        "495",
        "519",
        "520",
        "531",
        "716",
        "INVALID_TARGET",
        "CANNOT_SEND_TO_CHAN",
        "MULTILINE_INVALID_TARGET"
      })
  void whom_one_cannot_reach_is_rejected_as_target(String code) {
    assertThat(error(code)).isEqualTo(new Outcome.Rejected(Blame.TARGET, code + " Said in words"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "407",
        "411",
        "412",
        "413",
        "414",
        "415",
        "417",
        "421",
        "461",
        "INVALID_UTF8",
        "INVALID_MESSAGE",
        "MULTILINE_INVALID",
        "MULTILINE_MAX_BYTES",
        "MULTILINE_MAX_LINES"
      })
  void what_cannot_be_said_is_rejected_as_message(String code) {
    assertThat(error(code)).isEqualTo(new Outcome.Rejected(Blame.MESSAGE, code + " Said in words"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"437", "442", "451", "TEMPORARILY_UNAVAILABLE", "INTERNAL_ERROR"})
  void what_may_pass_later_is_not_sent(String code) {
    assertThat(error(code)).isInstanceOf(Outcome.NotSent.class);
  }

  @ParameterizedTest
  @CsvSource({"263, ACCOUNT", "RATE_LIMITED, ACCOUNT", "439, CHAT", "707, CHAT"})
  void a_limit_makes_wait(String code, ThrottleScope scope) {
    assertThat(error(code))
        .isEqualTo(new Outcome.Throttled(scope, Duration.ofSeconds(10), code + " Said in words"));
  }

  @ParameterizedTest
  @CsvSource({
    "Target change too fast. Please wait 104 seconds., 104",
    "Please wait 7 secs, 7",
    "Wait 60s and try again, 60",
    "3 targets in 2 minutes, 10"
  })
  void a_limit_waits_as_long_as_the_server_says(String words, int seconds) {
    assertThat(IrcVerdict.ERRORS.byCode("439", words))
        .isEqualTo(new Outcome.Throttled(ThrottleScope.CHAT, Duration.ofSeconds(seconds), words));
  }

  @ParameterizedTest
  @ValueSource(strings = {"464", "465", "466", "ACCOUNT_REQUIRED_TO_CONNECT"})
  void an_account_that_is_not_wanted_is_broken(String code) {
    assertThat(error(code)).isInstanceOf(Outcome.AccountBroken.class);
  }

  @Test
  void an_error_that_the_table_does_not_have_is_the_messages_fault() throws Exception {
    try (FakeIrc server = new FakeIrc(FakeIrc.MODERN);
        IrcRig rig = new IrcRig(IrcRig.account(server.port()))) {
      server.when("PRIVMSG", "@label={label} :srv 599 {nick} ann :Quite new");
      rig.connected();
      assertThat(rig.send("ann", "x"))
          .isEqualTo(new Outcome.Rejected(Blame.MESSAGE, "599 Quite new"));
    }
  }
}
