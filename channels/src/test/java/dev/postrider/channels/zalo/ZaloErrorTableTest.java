package dev.postrider.channels.zalo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Link;
import dev.postrider.channel.Outcome;
import dev.postrider.channels.TestAccount;
import dev.postrider.testkit.platform.Reply;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every number that Zalo's pages list, in an answer with status 200, and what it means. */
class ZaloErrorTableTest {
  private static final String PERSON = "2512523625412515";

  private final FakeZalo zalo = new FakeZalo();
  private final TestAccount bot = TestAccount.of(zalo.bot());
  private final TestAccount oa = TestAccount.of(zalo.oa());
  private final Link botLink = new ZaloChannel().open(bot);
  private final Link oaLink = new ZaloChannel().open(oa);

  @BeforeEach
  void authorised() {
    zalo.oauth.answer(FakeZalo.tokens(1));
  }

  @AfterEach
  void close() {
    botLink.close();
    oaLink.close();
    zalo.close();
  }

  private static String name(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Rejected it -> "rejected " + it.blame();
      case Outcome.Throttled it -> "throttled " + it.scope() + " " + it.delay();
      case Outcome.Repairable it -> "repairable " + it.fix().getClass().getSimpleName();
      default -> outcome.label();
    };
  }

  @ParameterizedTest
  @CsvSource({
    "400, Bad request, rejected MESSAGE",
    "400, chat not found, rejected TARGET",
    "401, Unauthorized, account-broken",
    "403, Forbidden, rejected TARGET",
    "404, Not found, rejected MESSAGE",
    "408, Request timeout, unknown",
    "413, too large, rejected MESSAGE",
    "429, Quota exceeded, throttled CHAT PT30S",
    "500, Internal server error, unknown",
    "503, away, unknown",
    "418, a teapot, rejected MESSAGE",
    "599, what, unknown"
  })
  void bots(int code, String text, String outcome) throws Exception {
    zalo.api.answer(FakeZalo.no(code, text));
    Outcome got = botLink.send(bot.part("6ede9afa66b88fe6d6a9", "x"));
    assertThat(name(got)).isEqualTo(outcome);
    assertThat(got.toString()).contains(code + " " + text);
  }

  @ParameterizedTest
  @CsvSource({
    "-32, Your application reached limit call api, throttled ACCOUNT PT1M",
    "-32, Your OA reached limit call api, throttled ACCOUNT PT1M",
    "-100, attachment_id was expired, repairable UploadInstead",
    "-100, Unknown error, not-sent",
    "-200, Send message failed, not-sent",
    "-201, text is invalid!, rejected MESSAGE",
    "-201, user_id is invalid!, rejected TARGET",
    "-201, quote_message_id is invalid!, repairable DropReply",
    "-202, Permission denied, account-broken",
    "-203, Invalid parameter, rejected MESSAGE",
    "-204, Offical Account is disable, account-broken",
    "-205, Offical Account is not exist, account-broken",
    "-206, App not linked to Official Account, account-broken",
    "-207, Invalid user id, rejected TARGET",
    "-208, no secret key, account-broken",
    "-209, Not supported this api, account-broken",
    "-210, Parameter exceeds allowable limit, rejected MESSAGE",
    "-211, Out of quota, throttled ACCOUNT PT1H",
    "-212, App has not registed this api, account-broken",
    "-213, User has not followed OA, rejected TARGET",
    "-214, Article is being processed, throttled CHAT PT1M",
    "-215, Invalid App ID, account-broken",
    "-217, User has blocked invitation from OA, rejected TARGET",
    "-218, Out of quota receive, throttled CHAT PT1H",
    "-219, App is removed or disabled, account-broken",
    "-221, The OA needs to be verified to use this feature, account-broken",
    "-222, blocked or not active, rejected TARGET",
    "-223, Official Account has not authorized this API, account-broken",
    "-224, The OA needs to upgrade OA Tier Package, account-broken",
    "-227, User is banned or has been inactive for more than 45 days, rejected TARGET",
    "-230, User has not interacted with the OA in the past 7 days, rejected MESSAGE",
    "-232, last interaction expired, rejected MESSAGE",
    "-233, message type is invalid or not support, rejected MESSAGE",
    "-235, This API does not support this type of OA, account-broken",
    "-237, The group is disabled, rejected TARGET",
    "-238, asset_id is already used, rejected MESSAGE",
    "-240, MessageV2 API has been shut down, account-broken",
    "-241, asset_id is already used, rejected MESSAGE",
    "-242, Invalid appsecret_proof, account-broken",
    "-244, User has restricted this message type from your OA, rejected TARGET",
    "-248, Violates our platform standards, rejected MESSAGE",
    "-249, Template does not support send via UID, rejected MESSAGE",
    "-305, cannot response to user after 48 hours, rejected MESSAGE",
    "-311, no replies left, throttled CHAT PT1H",
    "-320, Your app needs to connect with Zalo Cloud Account, throttled CHAT PT1H",
    "-321, Zalo Cloud Account out of money, throttled CHAT PT1H",
    "-403, OA is not in group, rejected TARGET",
    "-999, nobody knows, rejected MESSAGE"
  })
  void official_accounts(int code, String text, String outcome) throws Exception {
    zalo.api.answer(FakeZalo.refused(code, text));
    Outcome got = oaLink.send(oa.part(PERSON, "x"));
    assertThat(name(got)).isEqualTo(outcome);
    assertThat(got.toString()).contains(code + " " + text);
  }

  @ParameterizedTest
  @CsvSource({
    "account-broken, '-101,-102,-103,-104,-105,-120,-1201,-1202,-1241,-125,-135,-1351,-138,-1381'",
    "rejected TARGET, '-108,-110,-114,-118,-119,-139,-140,-141'",
    "rejected MESSAGE, '-106,-107,-109,-111,-112,-1121,-1122,-1123,-1124,-113,-1131,-116,-117'",
    "rejected MESSAGE, '-121,-122,-123,-127,-128,-130,-131,-132,-145,-146,-148,-149,-1491,-150'",
    "rejected MESSAGE, '-151,-152,-153,-161,-162'",
    "throttled ACCOUNT PT1H, '-115,-126,-144,-147,-1441'",
    "throttled CHAT PT1H, '-136,-137,-1471,-1472'"
  })
  void templates(String outcome, String codes) throws Exception {
    for (String code : codes.split(",")) {
      zalo.api.answer(FakeZalo.refused(Integer.parseInt(code), "so"));
      assertThat(name(oaLink.send(oa.part(PERSON, "x")))).as(code).isEqualTo(outcome);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "2026-03-01T16:00:00Z, PT7H", // 23:00 in Vietnam
    "2026-03-01T22:59:00Z, PT1M",
    "2026-03-01T15:00:00Z, PT8H"
  })
  void promotions_wait_for_the_morning_in_vietnam(Instant now, Duration wait) throws Exception {
    assertThat(OaErrors.untilMorning(now)).isEqualTo(wait);
    oa.scheduler().pass(Duration.between(oa.scheduler().instant(), now));
    zalo.api.answer(FakeZalo.refused(-234, "This message cannot be sent at night"));
    assertThat(name(oaLink.send(oa.part(PERSON, "x")))).isEqualTo("throttled CHAT " + wait);
  }

  @Test
  void a_number_with_a_status_of_its_own_means_the_same() throws Exception {
    zalo.api.answer(Reply.json(400, "{\"error\":-213,\"message\":\"User has not followed OA\"}"));
    assertThat(name(oaLink.send(oa.part(PERSON, "x")))).isEqualTo("rejected TARGET");
  }

  @Test
  void several_chats_that_are_turned_away_are_the_bots_trouble() throws Exception {
    for (int i = 0; i < 3; i++) {
      zalo.api.answer(FakeZalo.no(429, "Quota exceeded"));
    }
    botLink.send(bot.part("a", "x"));
    botLink.send(bot.part("b", "x"));
    assertThat(name(botLink.send(bot.part("c", "x")))).isEqualTo("throttled ACCOUNT PT30S");
  }

  @Test
  void what_the_account_calls_permanent_ends_a_message() throws Exception {
    TestAccount strict = TestAccount.of(zalo.oa().set("permanentErrors", "send message failed"));
    zalo.api.answer(FakeZalo.refused(-200, "Send message failed"));
    try (Link link = new ZaloChannel().open(strict)) {
      assertThat(name(link.send(strict.part(PERSON, "x")))).isEqualTo("rejected MESSAGE");
    }
  }
}
