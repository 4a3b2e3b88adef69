package dev.postrider.channels.feishu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Capabilities;
import dev.postrider.channel.Link;
import dev.postrider.channel.MediaRules;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.Probe;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.channels.TestAccount;
import dev.postrider.channels.http.Json;
import dev.postrider.config.AccountConfig;
import dev.postrider.message.Message;
import dev.postrider.testkit.platform.FakePlatform;
import dev.postrider.testkit.platform.Reply;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The custom bot of a group. */
class FeishuWebhookTest {
  private static final String PATH = "/open-apis/bot/v2/hook/0a1b2c3d-s3cret";

  private final FakePlatform platform =
      FakePlatform.start()
          .otherwise(_ -> Reply.json(200, "{\"code\":0,\"msg\":\"success\",\"data\":{}}"));
  private final AccountConfig config =
      AccountConfig.of("fs", "feishu").set("webhookUrl", platform.baseUrl() + PATH);
  private final TestAccount account = TestAccount.of(config);
  private final Link link = new FeishuChannel().open(account);

  @AfterEach
  void end() {
    link.close();
    platform.close();
  }

  private JsonNode sent() {
    return Objects.requireNonNull(Json.readObject(platform.requests().getLast().text()));
  }

  @Test
  void a_text_goes_to_the_group_without_an_id() throws Exception {
    assertThat(link.send(account.part("anything", "héllo"))).isEqualTo(Outcome.delivered(""));
    assertThat(platform.onlyRequest().path()).isEqualTo(PATH);
    assertThat(sent())
        .isEqualTo(Json.tree(Map.of("msg_type", "text", "content", Map.of("text", "héllo"))));
  }

  @Test
  void a_card_and_a_post_have_their_own_places() throws Exception {
    link.send(account.markup(Message.to("fs", "g").text("x"), "**x**"));
    assertThat(sent().path("msg_type").asString()).isEqualTo("interactive");
    assertThat(sent().at("/card/body/elements/0/content").asString()).isEqualTo("**x**");
    link.send(account.part("g", "a < b"));
    assertThat(sent().at("/content/post/zh_cn/content/0/0/text").asString()).isEqualTo("a < b");
  }

  @Test
  void the_account_decides_between_card_and_post() throws Exception {
    TestAccount posting = TestAccount.of(config.set("markdown", "post"));
    try (Link other = new FeishuChannel().open(posting)) {
      other.send(posting.markup(Message.to("fs", "g").text("x"), "**x**"));
      assertThat(sent().path("msg_type").asString()).isEqualTo("post");
    }
  }

  @Test
  void a_request_is_signed_as_feishu_describes_it() throws Exception {
    TestAccount signing = TestAccount.of(config.set("secret", "demo-s3cret"));
    try (Link other = new FeishuChannel().open(signing)) {
      other.send(signing.part("g", "x"));
    }
    String timestamp = sent().path("timestamp").asString();
    assertThat(timestamp).isEqualTo("" + signing.scheduler().instant().getEpochSecond());
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(
        new SecretKeySpec(
            (timestamp + "\n" + "demo-s3cret").getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
    assertThat(sent().path("sign").asString())
        .isEqualTo(Base64.getEncoder().encodeToString(mac.doFinal(new byte[0])));
  }

  @Test
  void errors_in_a_200_are_errors() throws Exception {
    platform.answer(FakeFeishu.error(200, 19024, "Key Words Not Found"));
    assertThat(link.send(account.part("g", "x")))
        .isInstanceOfSatisfying(
            Outcome.Rejected.class, it -> assertThat(it.blame()).isEqualTo(Blame.MESSAGE));
    platform.answer(FakeFeishu.error(200, 19021, "sign match fail or timestamp is old"));
    assertThat(link.send(account.part("g", "x"))).isInstanceOf(Outcome.AccountBroken.class);
    platform.answer(FakeFeishu.error(200, 11232, "frequency limited psm[lark.oapi.app_platform]"));
    assertThat(link.send(account.part("g", "x")))
        .isInstanceOfSatisfying(
            Outcome.Throttled.class, it -> assertThat(it.scope()).isEqualTo(ThrottleScope.ACCOUNT));
  }

  @Test
  void a_probe_posts_nothing_and_sees_whether_the_bot_lives() throws Exception {
    platform.answer(FakeFeishu.error(200, 19002, "params error, msg_type need"));
    assertThat(link.probe()).isEqualTo(new Probe.Healthy("a custom bot"));
    assertThat(sent().has("msg_type")).isFalse();
    platform.answer(
        FakeFeishu.error(200, 19001, "param invalid: incoming webhook access token invalid"));
    assertThat(link.probe())
        .isInstanceOfSatisfying(
            Probe.Broken.class, it -> assertThat(it.cause()).contains("webhookUrl"));
  }

  @Test
  void the_address_is_a_secret() throws Exception {
    platform.answer(FakeFeishu.error(400, 9499, "no bot at 0a1b2c3d-s3cret"));
    assertThat(link.send(account.part("g", "x")).toString())
        .contains("9499")
        .doesNotContain("0a1b2c3d-s3cret");
  }

  @Test
  void it_is_slower_forgets_keys_and_takes_no_files() {
    Capabilities bot = new FeishuChannel().capabilities(config);
    assertThat(bot.media()).isEqualTo(MediaRules.NONE);
    assertThat(bot.remembers()).isEqualTo(Duration.ZERO);
    assertThat(bot.reports()).isEmpty();
    Capabilities app =
        new FeishuChannel().capabilities(AccountConfig.of("fs", "feishu").set("appId", "cli_1"));
    assertThat(List.of(bot.pace(), bot.chatPace().apply("x")))
        .allMatch(pace -> !pace.equals(app.pace()));
    assertThat(new FeishuChannel().canonical(config, " the Group ")).isEqualTo("the Group");
  }
}
