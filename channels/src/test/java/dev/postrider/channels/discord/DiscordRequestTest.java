package dev.postrider.channels.discord;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.postrider.channel.Dispatch;
import dev.postrider.channels.TestAccount;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.VendorSchema;
import dev.postrider.channels.peers.VerifiedAgainst;
import dev.postrider.config.AccountConfig;
import dev.postrider.message.Fix;
import dev.postrider.message.Message;
import dev.postrider.message.MessageId;
import dev.postrider.message.Part;
import dev.postrider.message.Plan;
import dev.postrider.problem.InvalidInput;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** What is sent, checked against Discord's own description. */
@VerifiedAgainst(
    value = "Discord's API description",
    channels = {"discord", "discord-webhook"})
class DiscordRequestTest {
  private static final VendorSchema CONTRACT =
      new VendorSchema(DiscordChannel.class, "messages.schema.json");

  private final TestAccount account = TestAccount.of(AccountConfig.of("dc", "discord"));

  private static Message.Builder message() {
    return Message.to("dc", "42").text("hello");
  }

  private static JsonNode bots(Dispatch dispatch) {
    JsonNode body = Json.tree(DiscordRequest.message(dispatch).fields());
    assertThat(CONTRACT.validate(DiscordChannel.BOTS_MESSAGE, body)).isEmpty();
    return body;
  }

  private static JsonNode hooks(Dispatch dispatch) {
    JsonNode body = Json.tree(DiscordRequest.followUp(dispatch).fields());
    assertThat(CONTRACT.validate(DiscordChannel.HOOKS_MESSAGE, body)).isEmpty();
    return body;
  }

  private static JsonNode json(String text) {
    return Json.readObject(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"content\":1}",
        "{\"contents\":\"x\"}",
        "{\"content\":\"x\",\"nonce\":\"longer than twenty-five characters\"}",
        "{\"content\":\"x\",\"message_reference\":{\"message_id\":7}}",
        "{\"embeds\":[{\"fields\":[{\"name\":\"no value\"}]}]}",
        "{\"attachments\":[{\"id\":0}]}"
      })
  void the_contract_refuses_what_discord_would(String wrong) {
    assertThat(CONTRACT.validate(DiscordChannel.BOTS_MESSAGE, json(wrong))).isNotEmpty();
  }

  @Test
  void a_text_mentions_nobody_and_is_known_again() {
    Dispatch part = account.part(message());

    JsonNode body = bots(part);

    assertThat(body.path("nonce").asString())
        .hasSize(22)
        .isEqualTo(DiscordRequest.nonce(part.key()));
    assertThat(body)
        .isEqualTo(
            Json.tree(
                Map.of(
                    "content",
                    "hello",
                    "allowed_mentions",
                    Map.of("parse", List.of()),
                    "nonce",
                    body.path("nonce").asString(),
                    "enforce_nonce",
                    true)));
  }

  @Test
  void a_nonce_is_the_key_in_fewer_characters() {
    assertThat(DiscordRequest.nonce("00112233445566778899aabbccddeeff"))
        .isEqualTo("ABEiM0RVZneImaq7zN3u_w");
  }

  @Test
  void reply_and_silence_become_discords_fields() {
    JsonNode body = bots(account.part(message().replyToId("9").silent(true)));

    assertThat(body.path("message_reference"))
        .isEqualTo(json("{\"message_id\":\"9\",\"fail_if_not_exists\":false}"));
    assertThat(body.path("flags").asInt()).isEqualTo(4096);
  }

  @Test
  void a_dropped_reply_is_dropped_from_channel_data_too() {
    Message.Builder message =
        message()
            .replyToId("9")
            .channelData(Map.of("message_reference", Map.of("message_id", "8")));

    assertThat(bots(account.part(message)).path("message_reference").path("message_id").asString())
        .isEqualTo("9");
    assertThat(bots(account.part(message, new Fix.DropReply())).has("message_reference")).isFalse();
  }

  @Test
  void channel_data_rides_along_but_never_changes_the_text_or_the_nonce() {
    Map<String, Object> data =
        Map.of(
            "content",
            "other",
            "nonce",
            "mine",
            "flags",
            4,
            "allowed_mentions",
            Map.of("users", List.of("7")),
            "embeds",
            List.of(Map.of("title", "t", "color", 255)));
    Dispatch part = account.part(message().silent(true).channelData(data));

    JsonNode body = bots(part);

    assertThat(body.path("content").asString()).isEqualTo("hello");
    assertThat(body.path("nonce").asString()).isEqualTo(DiscordRequest.nonce(part.key()));
    assertThat(body.path("flags").asInt()).isEqualTo(4 | 4096);
    assertThat(body.path("allowed_mentions")).isEqualTo(json("{\"users\":[\"7\"]}"));
    assertThat(body.path("embeds").path(0).path("title").asString()).isEqualTo("t");
  }

  @Test
  void privacy_and_the_senders_name_hold_for_every_part_and_the_rest_for_the_last() {
    Message message =
        message()
            .channelData(
                Map.of(
                    "flags",
                    64 | 1 << 15,
                    "username",
                    "Bot",
                    "allowed_mentions",
                    Map.of("users", List.of("7")),
                    "embeds",
                    List.of(Map.of("title", "t"))))
            .build();
    Plan plan =
        new Plan(new MessageId(new UUID(1, 2)), List.of(Part.plain("one"), Part.plain("two")));
    Dispatch first = Dispatch.of(message, plan, 0, DiscordRequest.OPTIONS);
    Dispatch last = Dispatch.of(message, plan, 1, DiscordRequest.OPTIONS);

    assertThat(hooks(first))
        .isEqualTo(
            json(
                """
                {"content":"one","flags":64,"username":"Bot",\
                "allowed_mentions":{"users":["7"]}}
                """));
    assertThat(hooks(last).path("flags").asInt()).isEqualTo(64 | 1 << 15);
    assertThat(hooks(last).has("embeds")).isTrue();
  }

  @Test
  void files_are_listed_in_the_order_of_their_entries() {
    Dispatch part =
        account
            .part(message())
            .carrying(List.of(Held.file("a.pdf", null, 3), Held.file(null, "image/png", 3)));

    assertThat(bots(part).path("attachments"))
        .isEqualTo(
            Json.tree(
                List.of(
                    Map.of("id", "0", "filename", "a.pdf"),
                    Map.of("id", "1", "filename", "document.png"))));
  }

  @Test
  void a_follow_up_has_neither_nonce_nor_the_interaction_in_its_body() {
    Map<String, Object> data =
        Map.of("interaction", Map.of("applicationId", "5", "token", "abc"), "flags", 64);

    assertThat(hooks(account.part(message().channelData(data))))
        .isEqualTo(
            json("{\"flags\":64,\"allowed_mentions\":{\"parse\":[]},\"content\":\"hello\"}"));
  }

  // ---- before it is accepted

  private static InvalidInput refused(Message.Builder message) {
    Plan plan = new Plan(new MessageId(new UUID(1, 2)), List.of(Part.plain("hello")));
    return catchThrowableOfType(
        InvalidInput.class, () -> new DiscordChannel().check(message.build(), plan));
  }

  private static InvalidInput refusedData(Map<String, Object> data) {
    return refused(message().channelData(data));
  }

  @Test
  void channel_data_is_held_to_the_contract() {
    assertThat(refusedData(Map.of("embeds", List.of(Map.of("title", "t"))))).isNull();
    assertThat(refusedData(Map.of("embeds", List.of(Map.of("titel", "t")))).field())
        .isEqualTo("channelData.embeds[0].titel");
    assertThat(refusedData(Map.of("tts", "yes")).field()).isEqualTo("channelData.tts");
    assertThat(refusedData(Map.of("username", "Bot")).field()).isEqualTo("channelData.username");
    assertThat(
            refusedData(
                Map.of(
                    "poll",
                    Map.of(
                        "question",
                        Map.of("text", "Tea?"),
                        "answers",
                        List.of(Map.of("poll_media", Map.of("text", "Yes")))))))
        .isNull();
    assertThat(
            refusedData(
                Map.of(
                    "components",
                    List.of(
                        Map.of(
                            "type",
                            1,
                            "components",
                            List.of(
                                Map.of(
                                    "type", 2, "style", 1, "label", "Go", "custom_id", "go")))))))
        .isNull();
  }

  @Test
  void an_address_is_a_channel_or_a_user() {
    assertThat(refused(message())).isNull();
    assertThat(refused(Message.to("dc", "user:42").text("x"))).isNull();
    for (String to : List.of("general", "user:", "user:ann", "#1", "1/../2", "-5")) {
      assertThatThrownBy(
              () -> new DiscordChannel().canonical(AccountConfig.of("dc", "discord"), to))
          .isInstanceOf(InvalidInput.class);
    }
    assertThat(refused(message().threadId("../1")).field()).isEqualTo("threadId");
  }

  @Test
  void an_interaction_is_named_by_its_id_or_by_its_token_and_application() {
    assertThat(refusedInteraction(Map.of("id", "1"))).isNull();
    assertThat(refusedInteraction(Map.of()).field())
        .isEqualTo("channelData.interaction.applicationId");
    assertThat(refusedInteraction(Map.of("id", "1", "applicationId", "5", "token", "aW50.x-_")))
        .isNull();
    assertThat(refusedInteraction("soon").field()).isEqualTo("channelData.interaction");
    assertThat(refusedInteraction(Map.of("token", "abc")).field())
        .isEqualTo("channelData.interaction.applicationId");
    assertThat(refusedInteraction(Map.of("applicationId", "5")).field())
        .isEqualTo("channelData.interaction.token");
    assertThat(refusedInteraction(Map.of("applicationId", "5", "token", "a/../b")).field())
        .isEqualTo("channelData.interaction.token");
    assertThat(refusedInteraction(Map.of("id", "x", "applicationId", "5", "token", "a")).field())
        .isEqualTo("channelData.interaction.id");
  }

  private static InvalidInput refusedInteraction(Object interaction) {
    return refusedData(Map.of("interaction", interaction));
  }

  @Test
  void a_webhook_takes_a_name_but_no_interaction() {
    Plan plan = new Plan(new MessageId(new UUID(1, 2)), List.of(Part.plain("hello")));
    DiscordWebhookChannel channel = new DiscordWebhookChannel();

    channel.check(
        message().channelData(Map.of("username", "Bot", "thread_name", "News")).build(), plan);
    assertThat(refusedByWebhook(Map.of("interaction", Map.of()), plan))
        .isEqualTo("channelData.interaction");
    Plan two = new Plan(plan.origin(), List.of(Part.plain("one"), Part.plain("two")));
    assertThat(refusedByWebhook(Map.of("thread_name", "News"), two))
        .isEqualTo("channelData.thread_name");
  }

  private static String refusedByWebhook(Map<String, Object> data, Plan plan) {
    return catchThrowableOfType(
            InvalidInput.class,
            () -> new DiscordWebhookChannel().check(message().channelData(data).build(), plan))
        .field();
  }
}
