package dev.postrider.channels.googlechat;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.channel.Link;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Probe;
import dev.postrider.channels.TestAccount;
import dev.postrider.config.AccountConfig;
import dev.postrider.message.Message;
import dev.postrider.problem.InvalidInput;
import dev.postrider.testkit.platform.Reply;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** The small way: one space, by an address that holds its secrets. */
class GoogleChatWebhookTest {
  private static final String SPACE = FakeGoogle.SPACE;

  private final FakeGoogle google = new FakeGoogle();
  private final AccountConfig config =
      AccountConfig.of("gc", "googlechat")
          .set("webhookUrl", google.webhookUrl())
          .set("timeout", "5m");
  private final TestAccount account = TestAccount.of(config);
  private final Link link = new GoogleChatChannel().open(account);

  @AfterEach
  void close() {
    link.close();
    google.close();
  }

  @Test
  void a_text_is_posted_with_the_secrets_of_the_address_and_nothing_else() throws Exception {
    assertThat(link.send(account.part(Message.to("gc", SPACE).text("hi").silent(true))))
        .isEqualTo(Outcome.delivered(SPACE + "/messages/M1.M1"));

    assertThat(google.login.requests()).isEmpty();
    Map<String, String> query = FakeGoogle.query(google.posts().getFirst());
    assertThat(query)
        .containsEntry("key", "AIza-s3cret")
        .containsEntry("token", "t0ken-s3cret")
        .containsOnlyKeys("key", "token", "requestId");
  }

  @Test
  void a_reply_goes_into_the_thread_that_the_messages_name_tells() throws Exception {
    link.send(account.part(Message.to("gc", SPACE).text("hi").replyToId(SPACE + "/messages/T.M")));
    JsonNode said = FakeGoogle.body(google.posts().getFirst());
    assertThat(said.path("thread").path("name").asString()).isEqualTo(SPACE + "/threads/T");
    assertThat(said.has("quotedMessageMetadata")).isFalse();
  }

  @Test
  void its_secrets_are_in_no_error() throws Exception {
    google.chat.answer(
        Reply.html(500, "at /v1?key=AIza-s3cret&token=t0ken-s3cret it failed"), new Reply.Reset());
    assertThat(link.send(account.part(SPACE, "hi")).toString()).doesNotContain("s3cret");
    assertThat(link.send(account.part(SPACE, "hi")).toString()).doesNotContain("s3cret");
  }

  @Test
  void a_webhook_that_is_gone_is_the_accounts_trouble() throws Exception {
    google.chat.answer(
        FakeGoogle.error(404, "NOT_FOUND", "Requested entity was not found."),
        FakeGoogle.error(403, "PERMISSION_DENIED", "The caller does not have permission"),
        FakeGoogle.error(
            400,
            "INVALID_ARGUMENT",
            "API key not valid. Please pass a valid API key.",
            List.of(Map.of("reason", "API_KEY_INVALID"))));
    for (int i = 0; i < 3; i++) {
      assertThat(link.send(account.part(SPACE, "hi")))
          .isInstanceOfSatisfying(
              Outcome.AccountBroken.class, it -> assertThat(it.cause()).contains("webhook"));
    }
  }

  @Test
  void a_probe_offers_nothing_to_post() throws Exception {
    google.chat.answer(
        FakeGoogle.error(400, "INVALID_ARGUMENT", "Message cannot be empty."),
        FakeGoogle.error(404, "NOT_FOUND", "Requested entity was not found."));
    assertThat(link.probe()).isEqualTo(new Probe.Healthy("a webhook of " + SPACE));
    assertThat(FakeGoogle.body(google.posts().getFirst()).isEmpty()).isTrue();
    assertThat(link.probe()).isInstanceOf(Probe.Broken.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "hooks",
        "https://chat.googleapis.com/v1/spaces/A/messages",
        "https://chat.googleapis.com/v1/spaces/A/messages?key=AIza-s3cret",
        "https://chat.googleapis.com/v1/spaces?key=AIza-s3cret&token=b"
      })
  void an_address_that_is_no_webhooks_is_refused_without_showing_it(String url) {
    TestAccount wrong = TestAccount.of(config.set("webhookUrl", url));
    assertThatThrownBy(() -> new GoogleChatChannel().open(wrong))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("account gc: webhookUrl is not an address such as https://chat.")
        .hasMessageNotContaining("s3cret");
  }

  @Test
  void it_writes_to_its_own_space_alone() {
    GoogleChatChannel channel = new GoogleChatChannel();
    assertThat(channel.canonical(config, SPACE)).isEqualTo(SPACE);
    assertThatThrownBy(() -> channel.canonical(config, "spaces/BBBBother"))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("use " + SPACE);
    assertThat(channel.capabilities(config).deduplicates()).isFalse();
    assertThat(channel.hook(config.set("projectNumber", "1"))).isNull();
  }
}
