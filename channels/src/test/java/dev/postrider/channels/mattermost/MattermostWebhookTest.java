package dev.postrider.channels.mattermost;

import static dev.postrider.channels.mattermost.FakeMattermost.error;
import static dev.postrider.channels.mattermost.FakeMattermost.id;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Link;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.Probe;
import dev.postrider.channels.TestAccount;
import dev.postrider.channels.http.Json;
import dev.postrider.config.AccountConfig;
import dev.postrider.message.Fix;
import dev.postrider.message.Message;
import dev.postrider.testkit.platform.FakePlatform;
import dev.postrider.testkit.platform.Reply;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The small way: an address that posts. */
class MattermostWebhookTest {
  private static final String GENERAL = "web.incoming_webhook.general.app_error";

  private final FakePlatform mattermost =
      FakePlatform.start().otherwise(_ -> Reply.text(200, "text/plain", "ok"));
  private final AccountConfig config =
      AccountConfig.of("mm", "mattermost")
          .set("webhookUrl", mattermost.baseUrl() + "/hooks/very-secret")
          .set("timeout", "5m");
  private final TestAccount account = TestAccount.of(config);
  private final Link link = new MattermostChannel().open(account);

  @AfterEach
  void close() {
    link.close();
    mattermost.close();
    assertThat(mattermost.requests())
        .as("as Mattermost describes it")
        .allSatisfy(
            request ->
                assertThat(FakeMattermost.API.validate("hook", Json.readObject(request.text())))
                    .isEmpty());
  }

  private Object sent(Message.Builder message) throws Exception {
    assertThat(link.send(account.part(message))).isEqualTo(Outcome.delivered(""));
    return Json.readObject(mattermost.requests().getLast().text());
  }

  @Test
  void a_text_goes_to_the_webhooks_own_channel() throws Exception {
    assertThat(sent(Message.to("mm", "default").text("hello")))
        .isEqualTo(Json.tree(Map.of("text", "hello")));
    assertThat(mattermost.onlyRequest().path()).isEqualTo("/hooks/very-secret");
  }

  @Test
  void another_channel_or_person_is_named() throws Exception {
    assertThat(sent(Message.to("mm", "#off-topic").text("hello")))
        .isEqualTo(Json.tree(Map.of("text", "hello", "channel", "#off-topic")));
    assertThat(sent(Message.to("mm", "@ann").text("hello")))
        .isEqualTo(Json.tree(Map.of("text", "hello", "channel", "@ann")));
  }

  @Test
  void the_id_of_the_webhook_is_a_secret() throws Exception {
    mattermost.otherwise(_ -> Reply.html(502, "<p>no hook very-secret</p>"));
    assertThat(link.send(account.part("default", "x")).toString())
        .contains("no hook ***")
        .doesNotContain("very-secret");
  }

  @Test
  void all_that_a_webhook_can_say_is_passed_on() throws Exception {
    Map<String, Object> data =
        Map.of(
            "username", "Eve",
            "icon_url", "https://x.example/e.png",
            "attachments", List.of(Map.of("text", "more")),
            "priority", "urgent",
            "mentions", true);
    assertThat(
            sent(
                Message.to("mm", "default")
                    .text("@here <!all>")
                    .threadId(id("root"))
                    .silent(true)
                    .channelData(data)))
        .isEqualTo(
            Json.tree(
                Map.of(
                    "text",
                    "@here <!all>",
                    "username",
                    "Eve",
                    "icon_url",
                    "https://x.example/e.png",
                    "attachments",
                    List.of(Map.of("text", "more")),
                    "priority",
                    Map.of("priority", "urgent"),
                    "root_id",
                    id("root"),
                    "silent",
                    true)));
  }

  @Test
  void everybody_is_called_only_if_that_is_asked_for() throws Exception {
    assertThat(sent(Message.to("mm", "default").text("@all <!channel> <!here> <!all> <!x>")))
        .isEqualTo(
            Json.tree(
                Map.of("text", "@\u200ball <\u200b!channel> <\u200b!here> <\u200b!all> <!x>")));
  }

  @ParameterizedTest
  @CsvSource({
    "404, TARGET",
    "403, TARGET",
  })
  void a_channel_that_is_not_there_or_not_open_is_the_chats_fault(int status, Blame blame)
      throws Exception {
    mattermost.answer(error(status, GENERAL));
    assertThat(link.send(account.part("#nowhere", "hi")))
        .isInstanceOfSatisfying(
            Outcome.Rejected.class, it -> assertThat(it.blame()).isEqualTo(blame));
  }

  @Test
  void a_payload_that_cannot_be_read_is_the_messages_fault() throws Exception {
    mattermost.answer(
        error(400, "web.incoming_webhook.decode.app_error"),
        error(413, "web.incoming_webhook.decode.app_error"));
    for (int i = 0; i < 2; i++) {
      assertThat(link.send(account.part("default", "hi")))
          .isInstanceOfSatisfying(
              Outcome.Rejected.class, it -> assertThat(it.blame()).isEqualTo(Blame.MESSAGE));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "400, web.incoming_webhook.general.app_error",
    "400, web.incoming_webhook.invalid.app_error",
    "501, web.incoming_webhook.general.app_error",
    "501, web.incoming_webhook.disabled.app_error",
    "404, api.context.404.app_error",
  })
  void a_webhook_that_is_gone_or_switched_off_breaks_the_account(int status, String id)
      throws Exception {
    mattermost.answer(error(status, id));
    assertThat(link.send(account.part("default", "hi")))
        .isInstanceOf(Outcome.AccountBroken.class)
        .asString()
        .doesNotContain("very-secret");
  }

  @Test
  void a_refused_answer_is_tried_without_its_thread_first() throws Exception {
    mattermost.answer(error(400, GENERAL));
    assertThat(link.send(account.part(Message.to("mm", "default").threadId(id("gone")).text("x"))))
        .isInstanceOfSatisfying(
            Outcome.Repairable.class, it -> assertThat(it.fix()).isEqualTo(new Fix.DropReply()));
  }

  @Test
  void what_only_a_bot_can_do_is_refused() throws Exception {
    assertThat(
            link.send(
                account.part(
                    Message.to("mm", "default")
                        .text("x")
                        .channelData(Map.of("ephemeral", "@ann")))))
        .isInstanceOfSatisfying(
            Outcome.Rejected.class, it -> assertThat(it.cause()).contains("baseUrl and token"));
  }

  @Test
  void a_probe_posts_to_a_channel_that_is_not_there() throws Exception {
    mattermost.answer(error(404, GENERAL), error(400, GENERAL), error(501, GENERAL));
    assertThat(link.probe()).isEqualTo(new Probe.Healthy("an incoming webhook"));
    assertThat(link.probe()).isInstanceOf(Probe.Broken.class);
    assertThat(link.probe()).isInstanceOf(Probe.Broken.class);
    assertThat(Json.readObject(mattermost.requests().getFirst().text()).path("channel").asString())
        .startsWith("postrider-")
        .hasSizeLessThan(64);
  }

  @Test
  void a_webhook_neither_remembers_nor_listens_and_sends_files_as_links() {
    var capabilities = new MattermostChannel().capabilities(config);
    assertThat(capabilities.deduplicates()).isFalse();
    assertThat(capabilities.media().kinds()).isEmpty();
    assertThat(link.listens()).isFalse();
  }
}
