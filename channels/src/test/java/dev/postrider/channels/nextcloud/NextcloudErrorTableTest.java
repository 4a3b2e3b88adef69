package dev.postrider.channels.nextcloud;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Outcome;
import dev.postrider.channels.StillTime;
import dev.postrider.channels.TestAccount;
import dev.postrider.channels.http.HttpResult.Response;
import dev.postrider.config.AccountConfig;
import dev.postrider.message.Message;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every status that Talk's documentation and its BotController name, and those of others. */
class NextcloudErrorTableTest {
  private static final TestAccount ACCOUNT =
      TestAccount.of(AccountConfig.of("nc", "nextcloud-talk"));

  private final NextcloudVerdict verdict = new NextcloudVerdict(new StillTime());

  private Outcome answer(int status, int code, Message.Builder message) {
    String body =
        "{\"ocs\":{\"meta\":{\"status\":\"x\",\"statuscode\":%d,\"message\":null},\"data\":null}}"
            .formatted(code);
    return verdict.of(new Response(status, Map.of(), body), ACCOUNT.part(message));
  }

  private static Message.Builder plain() {
    return Message.to("nc", "n3xtc10ud").text("x");
  }

  private static String told(Outcome outcome) {
    String name = outcome.getClass().getSimpleName();
    return outcome instanceof Outcome.Rejected rejected ? name + " " + rejected.blame() : name;
  }

  @ParameterizedTest
  @CsvSource({
    "201,201,Delivered",
    "200,200,Unknown",
    "400,400,Rejected MESSAGE",
    "401,401,AccountBroken",
    "403,403,Rejected TARGET",
    "404,404,Rejected TARGET",
    "404,998,AccountBroken",
    "409,409,Rejected MESSAGE",
    "413,413,Rejected MESSAGE",
    "429,429,Throttled",
    "500,996,Unknown",
    "500,999,Unknown",
    "503,503,Unknown"
  })
  void a_status_of_nextclouds_own(int status, int code, String outcome) {
    assertThat(told(answer(status, code, plain()))).isEqualTo(outcome);
  }

  @Test
  void a_400_to_a_reply_drops_the_reply_and_one_in_a_thread_names_the_thread() {
    assertThat(told(answer(400, 400, plain().replyToId("5")))).isEqualTo("Repairable");
    assertThat(answer(400, 400, plain().threadId("5")))
        .isInstanceOfSatisfying(
            Outcome.Rejected.class, it -> assertThat(it.cause()).contains("thread"));
  }

  @ParameterizedTest
  @CsvSource({
    "200,Unknown",
    "201,Unknown",
    "302,AccountBroken",
    "400,AccountBroken",
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
  void of_a_page_that_is_not_nextclouds_only_the_status_counts(int status, String outcome) {
    Dispatch part = ACCOUNT.part(plain());
    assertThat(told(verdict.of(new Response(status, Map.of(), "<h1>Oops</h1>"), part)))
        .isEqualTo(outcome);
  }

  @Test
  void a_server_in_maintenance_has_processed_nothing() {
    Map<String, String> headers = Map.of("x-nextcloud-maintenance-mode", "1", "retry-after", "120");
    assertThat(verdict.of(new Response(503, headers, "<html>"), ACCOUNT.part(plain())))
        .isEqualTo(
            new Outcome.Unreachable(
                "503: Nextcloud is in maintenance mode", Duration.ofSeconds(120)));
  }
}
