package dev.postrider.channels.slack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.channel.Channel;
import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Link;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.Probe;
import dev.postrider.channel.Reconciliation;
import dev.postrider.channels.TestAccount;
import dev.postrider.channels.http.Json;
import dev.postrider.config.AccountConfig;
import dev.postrider.message.Message;
import dev.postrider.problem.InvalidInput;
import dev.postrider.testkit.platform.FakePlatform;
import dev.postrider.testkit.platform.Reply;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SlackWebhookTest {
  private final FakePlatform slack = FakePlatform.start();
  private final TestAccount account =
      TestAccount.of(
          AccountConfig.of("sl", "slack-webhook")
              .set("url", slack.baseUrl() + "/services/T1/B1/very-secret"));
  private final Channel channel = new SlackWebhookChannel();
  private final Link link = channel.open(account);

  @AfterEach
  void close() {
    link.close();
    slack.close();
  }

  private Outcome send(int status, String answer) throws Exception {
    slack.answer(Reply.text(status, "text/html", answer));
    return link.send(account.part("ops", "hello"));
  }

  @Test
  void a_word_confirms_and_there_is_no_id() throws Exception {
    assertThat(send(200, "ok")).isEqualTo(Outcome.delivered(""));
    assertThat(slack.onlyRequest().path()).isEqualTo("/services/T1/B1/very-secret");
    assertThat(Json.readObject(slack.onlyRequest().text()))
        .isEqualTo(Json.tree(Map.of("text", "hello")));
  }

  @Test
  void blocks_below_the_text_and_a_thread_go_along() throws Exception {
    slack.answer(Reply.text(200, "text/html", "ok"));
    List<Map<String, String>> blocks = List.of(Map.of("type", "divider"));
    Message.Builder message =
        Message.to("sl", "ops").text("x").threadId("17.01").channelData(Map.of("blocks", blocks));
    link.send(account.part(message));
    assertThat(Json.readObject(slack.onlyRequest().text()))
        .isEqualTo(
            Json.tree(
                Map.of(
                    "text",
                    "x",
                    "thread_ts",
                    "17.01",
                    "blocks",
                    List.of(
                        Map.of("type", "section", "text", Map.of("type", "mrkdwn", "text", "x")),
                        blocks.getFirst()))));
  }

  @ParameterizedTest
  @CsvSource({
    "400,invalid_payload,MESSAGE",
    "400,no_text,MESSAGE",
    "400,too_many_attachments,MESSAGE",
    "400,user_not_found,TARGET",
    "403,action_prohibited,TARGET",
    "403,posting_to_general_channel_denied,TARGET",
    "404,channel_not_found,TARGET",
    "410,channel_is_archived,TARGET"
  })
  void a_refusal_is_read_from_its_word(int status, String word, Blame blame) throws Exception {
    assertThat(send(status, word)).isEqualTo(new Outcome.Rejected(blame, status + " " + word));
  }

  @ParameterizedTest
  @CsvSource({"403,invalid_token", "404,no_service", "404,no_team"})
  void a_dead_webhook_is_a_broken_account(int status, String word) throws Exception {
    assertThat(send(status, word)).isEqualTo(new Outcome.AccountBroken(status + " " + word));
  }

  @Test
  void an_error_in_slack_leaves_it_open_and_nothing_can_be_looked_up() throws Exception {
    assertThat(send(500, "rollup_error")).isInstanceOf(Outcome.Unknown.class);
    assertThat(link.reconcile(account.part("ops", "hello")))
        .isEqualTo(new Reconciliation.Inconclusive());
    assertThat(channel.capabilities(account.config()).deduplicates()).isFalse();
  }

  @Test
  void a_probe_posts_nothing_and_tells_a_living_webhook_from_a_dead_one() throws Exception {
    slack.answer(Reply.text(400, "text/html", "no_text"));
    assertThat(link.probe()).isEqualTo(new Probe.Healthy("an incoming webhook"));
    assertThat(slack.onlyRequest().text()).isEqualTo("{}");
    slack.answer(Reply.text(404, "text/html", "no_service"));
    assertThat(link.probe()).isInstanceOf(Probe.Broken.class);
    slack.answer(Reply.text(500, "text/html", "rollup_error"));
    assertThat(link.probe()).isInstanceOf(Probe.Unreachable.class);
  }

  @Test
  void the_address_is_in_no_outcome() throws Exception {
    for (int status : List.of(200, 302, 404, 500)) {
      assertThat(send(status, "no /services/T1/B1/very-secret here").toString())
          .doesNotContain("very-secret");
    }
    slack.close();
    assertThat(link.send(account.part("ops", "x")).toString()).doesNotContain("very-secret");
    assertThatThrownBy(
            () ->
                channel.open(
                    TestAccount.of(account.config().set("url", "hooks.slack.com/very-secret"))))
        .hasMessageStartingWith("account sl: url is not an address")
        .hasMessageNotContaining("very-secret");
    assertThat(channel.settings())
        .filteredOn(Channel.Setting::secret)
        .extracting(Channel.Setting::name)
        .containsExactly("url");
  }

  @Test
  void what_only_a_bot_may_say_is_refused() {
    Dispatch part =
        account.part(
            Message.to("sl", "ops").text("x").channelData(Map.of("reply_broadcast", true)));
    assertThatThrownBy(() -> channel.check(part.message(), part.plan()))
        .isInstanceOf(InvalidInput.class);
  }
}
