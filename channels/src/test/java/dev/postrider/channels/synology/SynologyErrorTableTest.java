package dev.postrider.channels.synology;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Outcome;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.channels.StillTime;
import dev.postrider.channels.TestAccount;
import dev.postrider.channels.http.HttpResult.Response;
import dev.postrider.config.AccountConfig;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every code that Chat and DSM are known to give. All of them come with status 200. */
class SynologyErrorTableTest {
  private static final TestAccount ACCOUNT =
      TestAccount.of(AccountConfig.of("sy", "synology-chat"));

  private static Outcome answer(boolean bot, int status, String body) {
    return new SynologyVerdict(new StillTime(), bot)
        .of(new Response(status, Map.of(), body), ACCOUNT.part("4", "x"), bot ? 4L : null);
  }

  private static Outcome error(boolean bot, int code, String errors) {
    return answer(
        bot,
        200,
        "{\"error\":{\"code\":%d,\"errors\":\"%s\"},\"success\":false}".formatted(code, errors));
  }

  private static String told(Outcome outcome) {
    String name = outcome.getClass().getSimpleName();
    return outcome instanceof Outcome.Rejected rejected ? name + " " + rejected.blame() : name;
  }

  @ParameterizedTest
  @CsvSource({
    "100,unknown error,NotSent",
    "101,payload is empty,Rejected MESSAGE",
    "102,,AccountBroken",
    "103,,AccountBroken",
    "104,,AccountBroken",
    "105,autoblock,AccountBroken",
    "106,,AccountBroken",
    "107,,AccountBroken",
    "114,,Rejected MESSAGE",
    "117,,NotSent",
    "119,,AccountBroken",
    "120,,Rejected MESSAGE",
    "404,bot is not legal,AccountBroken",
    "407,record is not valid,NotSent",
    "407,,Throttled",
    "407,create post too fast,Throttled",
    "410,msg too long,Rejected MESSAGE",
    "411,create post too fast,Throttled",
    "800,no target,Rejected TARGET",
    "999,something new,NotSent"
  })
  void a_code_of_chats(int code, String errors, String outcome) {
    assertThat(told(error(true, code, errors == null ? "" : errors))).isEqualTo(outcome);
  }

  @Test
  void a_webhook_without_a_channel_is_broken_whatever_is_posted() {
    assertThat(error(false, 800, "no target"))
        .isEqualTo(new Outcome.AccountBroken("800 no target: the webhook has no channel"));
  }

  @Test
  void too_fast_holds_the_whole_nas() {
    assertThat(error(true, 411, "create post too fast"))
        .isEqualTo(
            new Outcome.Throttled(
                ThrottleScope.CHANNEL,
                Duration.ofSeconds(5),
                "411 create post too fast: posts come too fast for the NAS"));
  }

  @Test
  void an_error_without_a_code_or_with_an_object_for_words_is_read_too() {
    assertThat(answer(true, 200, "{\"success\":false}"))
        .isEqualTo(new Outcome.NotSent("an error without a code"));
    assertThat(
            answer(
                true,
                200,
                "{\"success\":false,\"error\":{\"code\":5,\"errors\":{\"name\":\"Text\"}}}"))
        .isEqualTo(new Outcome.NotSent("5 {\"name\":\"text\"}"));
  }

  @ParameterizedTest
  @CsvSource({
    "200,Unknown",
    "302,AccountBroken",
    "400,NotSent",
    "401,AccountBroken",
    "403,NotSent",
    "404,AccountBroken",
    "408,Unknown",
    "413,Rejected MESSAGE",
    "429,Throttled",
    "500,Unknown",
    "502,Unknown",
    "503,Unknown",
    "504,Unknown"
  })
  void of_a_page_that_is_not_chats_only_the_status_counts(int status, String outcome) {
    assertThat(told(answer(false, status, "<h1>Oops</h1>"))).isEqualTo(outcome);
  }
}
