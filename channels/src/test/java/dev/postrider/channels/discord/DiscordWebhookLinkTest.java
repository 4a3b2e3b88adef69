package dev.postrider.channels.discord;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.channel.Link;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Probe;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.channels.TestAccount;
import dev.postrider.config.AccountConfig;
import dev.postrider.message.Fix;
import dev.postrider.message.Message;
import dev.postrider.testkit.platform.FakePlatform;
import dev.postrider.testkit.platform.FormData;
import dev.postrider.testkit.platform.Reply;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DiscordWebhookLinkTest {
  private static final Reply.Answer TAKEN = Reply.json(200, "{\"id\":\"77\"}");

  private final FakePlatform discord = FakePlatform.start();
  private final TestAccount account =
      TestAccount.of(
          AccountConfig.of("hook", "discord-webhook")
              .set("url", discord.baseUrl() + "/api/webhooks/1/very-secret")
              .set("timeout", "5m"));
  private final Link link = new DiscordWebhookChannel().open(account);

  @AfterEach
  void close() {
    link.close();
    discord.close();
  }

  private static Message.Builder message() {
    return Message.to("hook", "news").text("hello");
  }

  @Test
  void a_message_is_waited_for_so_that_its_loss_is_seen() throws Exception {
    discord.answer(TAKEN);

    assertThat(link.send(account.part(message()))).isEqualTo(Outcome.delivered("77"));

    assertThat(discord.onlyRequest().path()).isEqualTo("/api/webhooks/1/very-secret?wait=true");
    assertThat(discord.onlyRequest().text())
        .isEqualTo("{\"allowed_mentions\":{\"parse\":[]},\"content\":\"hello\"}");
  }

  @Test
  void a_thread_and_components_are_named_in_the_address() throws Exception {
    discord.answer(TAKEN);

    link.send(account.part(message().threadId("43").channelData(Map.of("components", List.of()))));

    assertThat(discord.onlyRequest().path())
        .endsWith("?wait=true&thread_id=43&with_components=true");
  }

  @Test
  void files_come_as_a_form() throws Exception {
    discord.answer(TAKEN);

    link.send(account.part(message()).carrying(List.of(Held.file("a.png", "image/png", 9))));

    assertThat(FormData.read(discord.onlyRequest()).file("files[0]").bytes()).hasSize(9);
  }

  @Test
  void a_quote_is_dropped_without_asking() throws Exception {
    assertThat(link.send(account.part(message().replyToId("9"))))
        .isInstanceOfSatisfying(
            Outcome.Repairable.class, it -> assertThat(it.fix()).isEqualTo(new Fix.DropReply()));
    assertThat(discord.requests()).isEmpty();
  }

  @Test
  void a_used_up_limit_holds_the_whole_webhook() throws Exception {
    discord.answer(
        TAKEN.header("X-RateLimit-Remaining", "0").header("X-RateLimit-Reset-After", "2"));

    link.send(account.part(message()));

    assertThat(link.send(account.part(message().threadId("43"))))
        .isEqualTo(
            new Outcome.Throttled(
                ThrottleScope.ACCOUNT, Duration.ofSeconds(2), "the rate limit is used up"));
  }

  @Test
  void a_probe_names_the_webhook_or_finds_it_gone() throws Exception {
    discord.answer(
        Reply.json(200, "{\"id\":\"1\",\"name\":\"News\"}"),
        Reply.json(404, "{\"message\":\"Unknown Webhook\",\"code\":10015}"));

    assertThat(link.probe()).isEqualTo(new Probe.Healthy("News"));
    assertThat(link.probe()).isEqualTo(new Probe.Broken("404 10015 Unknown Webhook"));
    assertThat(discord.requests().getFirst().method()).isEqualTo("GET");
  }

  @Test
  void its_address_is_in_no_outcome() throws Exception {
    discord.answer(
        Reply.html(404, "<p>/api/webhooks/1/very-secret</p>"),
        Reply.json(400, "{\"message\":\"very-secret\",\"code\":1}"));

    assertThat(link.send(account.part(message())).toString()).doesNotContain("very-secret");
    assertThat(link.send(account.part(message())).toString()).doesNotContain("very-secret");
  }

  @Test
  void an_address_that_is_no_webhook_is_refused_without_showing_it() {
    for (String url :
        List.of("very-secret", "https://x/webhooks/1", "ftp://x/webhooks/1/very-secret")) {
      assertThatThrownBy(
              () ->
                  new DiscordWebhookChannel()
                      .open(TestAccount.of(account.config().set("url", url))))
          .hasMessageStartingWith("account hook: url is not an address such as")
          .hasMessageNotContaining("very-secret");
    }
  }
}
