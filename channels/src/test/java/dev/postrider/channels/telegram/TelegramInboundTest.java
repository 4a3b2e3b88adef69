package dev.postrider.channels.telegram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.channel.Hook;
import dev.postrider.channel.Link;
import dev.postrider.channel.ListeningRefused;
import dev.postrider.channels.TestAccount;
import dev.postrider.channels.TestInlet;
import dev.postrider.channels.http.Json;
import dev.postrider.config.AccountConfig;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.inbound.InboundMessage.ChatKind;
import dev.postrider.inbound.InboundMessage.Kind;
import dev.postrider.testkit.platform.FakePlatform;
import dev.postrider.testkit.platform.Reply;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What people write to a bot. */
class TelegramInboundTest {
  private static final String MESSAGE =
      """
      {"update_id":8812,"message":{"message_id":77,"date":1763222400,
       "from":{"id":12345,"first_name":"Ann","last_name":"Öz"},
       "chat":{"id":12345,"type":"private"},"text":"hello 👋"}}\
      """;

  private static InboundMessage read(String update) {
    return Objects.requireNonNull(TelegramUpdates.read(Json.readObject(update)));
  }

  @Test
  void a_message_is_read_in_full_and_kept_whole() {
    assertThat(read(MESSAGE))
        .isEqualTo(
            new InboundMessage(
                "8812",
                Kind.MESSAGE,
                "12345",
                ChatKind.DM,
                new InboundMessage.Sender("12345", "Ann Öz"),
                "hello 👋",
                List.of(),
                "77",
                null,
                null,
                Instant.ofEpochSecond(1763222400),
                Json.map(Objects.requireNonNull(Json.readObject(MESSAGE)))));
  }

  @Test
  void a_reply_in_a_topic_of_a_group_says_where_it_belongs() {
    InboundMessage arrival =
        read(
            """
            {"update_id":1,"message":{"message_id":9,"message_thread_id":7,"is_topic_message":true,
             "chat":{"id":-1001,"type":"supergroup"},"from":{"id":5,"username":"bob"},
             "reply_to_message":{"message_id":8},"text":"yes"}}\
            """);

    assertThat(arrival.chat()).isEqualTo("-1001");
    assertThat(arrival.chatKind()).isEqualTo(ChatKind.GROUP);
    assertThat(arrival.threadId()).isEqualTo("7");
    assertThat(arrival.replyToId()).isEqualTo("8");
    assertThat(arrival.sender()).isEqualTo(new InboundMessage.Sender("5", "bob"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          "photo":[{"file_id":"s","file_size":1},{"file_id":"l","file_size":9}]|image|l
          "document":{"file_id":"d","file_name":"a.pdf","mime_type":"application/pdf"}|document|d
          "video":{"file_id":"v"}|video|v
          "animation":{"file_id":"g"},"document":{"file_id":"g"}|video|g
          "audio":{"file_id":"a"}|audio|a
          "voice":{"file_id":"o"}|voice|o
          "sticker":{"file_id":"k"}|image|k
          """)
  void a_file_is_named_once_with_its_caption(String media, String kind, String id) {
    InboundMessage arrival =
        read(
            "{\"update_id\":1,\"message\":{\"message_id\":1,\"caption\":\"look\","
                + "\"chat\":{\"id\":1,"
                + "\"type\":\"private\"},\"from\":{\"id\":1},"
                + media
                + "}}");

    assertThat(arrival.text()).isEqualTo("look");
    assertThat(arrival.media()).hasSize(1);
    assertThat(arrival.media().getFirst().kind()).isEqualTo(kind);
    assertThat(arrival.media().getFirst().id()).isEqualTo(id);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"update_id":1,"edited_message":{"message_id":3,"chat":{"id":1,"type":"private"},\
          "from":{"id":1},"text":"x"}}|EDIT
          {"update_id":1,"channel_post":{"message_id":3,"chat":{"id":-2,"type":"channel"},\
          "sender_chat":{"id":-2,"title":"News"},"text":"x"}}|MESSAGE
          {"update_id":1,"callback_query":{"id":"q","from":{"id":1},"data":"yes",\
          "message":{"message_id":3,"chat":{"id":1,"type":"private"}}}}|ACTION
          {"update_id":1,"message_reaction":{"chat":{"id":1,"type":"private"},"message_id":3,\
          "user":{"id":1},"date":1}}|REACTION
          {"update_id":1,"my_chat_member":{"chat":{"id":-2,"type":"group"},"from":{"id":1},\
          "date":1}}|OTHER
          {"update_id":1,"something_new":{"a":1}}|OTHER
          """)
  void every_kind_of_update_is_kept(String update, Kind kind) {
    assertThat(read(update).kind()).isEqualTo(kind);
  }

  // ---- webhook

  private static Hook.Answer hook(@Nullable String secret, String body) {
    Hook hook =
        Objects.requireNonNull(
            new TelegramChannel()
                .hook(AccountConfig.of("tg", "telegram").set("webhookSecret", "s3cret")));
    Map<String, String> headers =
        secret == null ? Map.of() : Map.of("x-telegram-bot-api-secret-token", secret);
    return hook.read(
        new Hook.Request(
            "POST", headers, Map.of(), body.getBytes(StandardCharsets.UTF_8), Instant.EPOCH));
  }

  @Test
  void a_genuine_webhook_is_one_arrival() {
    assertThat(hook("s3cret", MESSAGE)).isEqualTo(Hook.Answer.Genuine.of(List.of(read(MESSAGE))));
  }

  @Test
  void a_forged_webhook_is_told_apart() {
    for (String secret : new String[] {null, "", "s3cret2", "S3CRET"}) {
      assertThat(hook(secret, MESSAGE)).isInstanceOf(Hook.Answer.Forged.class);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "[]", "{}", "{\"update_id\":\"x\"}", "{\"update_id\":1", "null"})
  void a_malformed_webhook_is_told_apart(String body) {
    assertThat(hook("s3cret", body)).isInstanceOf(Hook.Answer.Malformed.class);
  }

  @Test
  void without_a_secret_there_is_no_webhook() {
    assertThat(new TelegramChannel().hook(AccountConfig.of("tg", "telegram"))).isNull();
  }

  // ---- polling

  private static Link open(FakePlatform platform) {
    return new TelegramChannel()
        .open(
            TestAccount.of(
                AccountConfig.of("tg", "telegram")
                    .set("token", "1:x")
                    .set("baseUrl", platform.baseUrl())
                    .set("polling", "true")));
  }

  private static void listen(Link link, TestInlet inlet) throws Exception {
    try {
      link.listen(inlet);
    } finally {
      Thread.interrupted(); // set by the inlet when it had enough
    }
  }

  @Test
  void updates_are_confirmed_only_once_they_were_handed_in() throws Exception {
    try (FakePlatform platform = FakePlatform.start();
        Link link = open(platform)) {
      platform.answer(
          Reply.json(200, "{\"ok\":true,\"result\":[" + MESSAGE + "]}"),
          Reply.json(200, "{\"ok\":true,\"result\":[]}"),
          Reply.json(200, "{\"ok\":true,\"result\":[" + MESSAGE.replace("8812", "8813") + "]}"));
      TestInlet inlet = new TestInlet("8800", 2);

      listen(link, inlet);

      assertThat(link.listens()).isTrue();
      assertThat(inlet.arrivals())
          .extracting(InboundMessage::platformId)
          .containsExactly("8812", "8813");
      assertThat(inlet.cursor()).isEqualTo("8814");
      assertThat(platform.requests())
          .extracting(r -> Json.readObject(r.text()).path("offset").asLong())
          .containsExactly(8800L, 8813L, 8813L);
    }
  }

  @Test
  void a_poll_that_is_answered_says_that_the_bot_hears_though_nothing_came() throws Exception {
    try (FakePlatform platform = FakePlatform.start();
        Link link = open(platform)) {
      platform.answer(
          Reply.json(200, "{\"ok\":true,\"result\":[]}"),
          Reply.json(200, "{\"ok\":true,\"result\":[]}"),
          Reply.json(200, "{\"ok\":true,\"result\":[" + MESSAGE + "]}"));
      TestInlet inlet = new TestInlet(null, 1);

      listen(link, inlet);

      assertThat(inlet.connections).hasValueGreaterThanOrEqualTo(2);
      assertThat(platform.requests())
          .extracting(r -> Json.readObject(r.text()).path("timeout").asLong())
          .as("the first question is answered at once")
          .containsExactly(0L, 50L, 50L);
    }
  }

  @Test
  void while_somebody_else_polls_a_question_must_be_waited_for_in_peace() throws Exception {
    try (FakePlatform platform = FakePlatform.start();
        Link link = open(platform)) {
      platform.answer(
          Reply.json(409, "{\"ok\":false,\"error_code\":409,\"description\":\"Conflict\"}"),
          Reply.json(200, "{\"ok\":true,\"result\":[" + MESSAGE + "]}"));
      TestInlet inlet = new TestInlet(null, 1);
      assertThatThrownBy(() -> link.listen(inlet)).isInstanceOf(IOException.class);
      assertThat(inlet.connections).hasValue(0);

      listen(link, inlet);

      assertThat(inlet.connections).hasPositiveValue();
      assertThat(platform.requests())
          .extracting(r -> Json.readObject(r.text()).path("timeout").asLong())
          .containsExactly(0L, 50L);
    }
  }

  @Test
  void a_second_poller_is_told_as_it_is() throws Exception {
    try (FakePlatform platform = FakePlatform.start();
        Link link = open(platform)) {
      platform.answer(
          Reply.json(
              409,
              "{\"ok\":false,\"error_code\":409,\"description\":\"Conflict: terminated by"
                  + " other\"}"));

      assertThatThrownBy(() -> link.listen(new TestInlet(null, 1)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("Conflict")
          .hasMessageNotContaining("1:x");
    }
  }

  @Test
  void a_token_that_is_not_known_is_a_refusal_that_waits_for_a_person() throws Exception {
    try (FakePlatform platform = FakePlatform.start();
        Link link = open(platform)) {
      platform.answer(
          Reply.json(401, "{\"ok\":false,\"error_code\":401,\"description\":\"Unauthorized\"}"));

      assertThatThrownBy(() -> link.listen(new TestInlet(null, 1)))
          .isInstanceOf(ListeningRefused.class)
          .hasMessageContaining("Unauthorized");
    }
  }
}
