package dev.postrider.channels.feishu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Alias;
import dev.postrider.channel.Hook.Answer;
import dev.postrider.channels.http.Json;
import dev.postrider.inbound.DeliveryReport;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.inbound.InboundMessage.ChatKind;
import dev.postrider.inbound.InboundMessage.File;
import dev.postrider.inbound.InboundMessage.Kind;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What Feishu's events mean. */
class FeishuEventsTest {

  private static Answer read(String type, String event) {
    return FeishuEvents.read(
        Objects.requireNonNull(
            Json.readObject(
                """
                {"schema":"2.0","header":{"event_id":"e1","event_type":"%s","token":"t",
                "create_time":"1608725989000","app_id":"cli_1"},"event":%s}
                """
                    .formatted(type, event))));
  }

  private static Answer.Genuine genuine(String type, String event) {
    Answer answer = read(type, event);
    assertThat(answer).isInstanceOf(Answer.Genuine.class);
    return (Answer.Genuine) answer;
  }

  private static Answer.Genuine message(
      String senderType, String type, Object content, String fields) {
    return genuine(
        "im.message.receive_v1",
        """
        {"sender":{"sender_id":{"open_id":"ou_1","union_id":"on_1","user_id":"e33"},
        "sender_type":"%s","tenant_key":"k"},
        "message":{"message_id":"om_1","create_time":"1609073151345","chat_id":"oc_1",
        "message_type":"%s","content":%s%s}}
        """
            .formatted(senderType, type, Json.write(Json.write(content)), fields));
  }

  private static InboundMessage only(Answer.Genuine genuine) {
    assertThat(genuine.arrivals()).hasSize(1);
    return genuine.arrivals().getFirst();
  }

  @Test
  void a_text_in_a_group_with_mentions_says_names() {
    InboundMessage told =
        only(
            message(
                "user",
                "text",
                Map.of("text", "@_user_1 and @_user_2, hi @_all"),
                """
                ,"chat_type":"group","mentions":[
                {"key":"@_user_1","id":{"open_id":"ou_b"},"name":"Rider"},
                {"key":"@_user_2","id":{"open_id":"ou_c"},"name":"Bo"}]
                """));
    assertThat(told.kind()).isEqualTo(Kind.MESSAGE);
    assertThat(told.platformId()).isEqualTo("om_1");
    assertThat(told.messageId()).isEqualTo("om_1");
    assertThat(told.chat()).isEqualTo("oc_1");
    assertThat(told.chatKind()).isEqualTo(ChatKind.GROUP);
    assertThat(told.sender().id()).isEqualTo("ou_1");
    assertThat(told.text()).isEqualTo("@Rider and @Bo, hi @all");
    assertThat(told.sentAt()).isEqualTo(Instant.ofEpochMilli(1609073151345L));
    assertThat(told.raw().toString()).contains("mentions").doesNotContain("token");
  }

  @Test
  void the_twelfth_person_is_not_the_first_with_a_two_behind() {
    StringBuilder mentions = new StringBuilder();
    for (int i = 1; i <= 12; i++) {
      mentions.append(i == 1 ? "" : ",");
      mentions.append("{\"key\":\"@_user_%d\",\"name\":\"P%d\"}".formatted(i, i));
    }
    assertThat(
            only(message(
                    "user",
                    "text",
                    Map.of("text", "@_user_12 @_user_1"),
                    ",\"chat_type\":\"group\",\"mentions\":[" + mentions + "]"))
                .text())
        .isEqualTo("@P12 @P1");
  }

  @Test
  void a_chat_with_one_person_is_known_by_the_person_too() {
    Answer.Genuine told = message("user", "text", Map.of("text", "hi"), ",\"chat_type\":\"p2p\"");
    assertThat(only(told).chatKind()).isEqualTo(ChatKind.DM);
    assertThat(told.aliases())
        .containsExactly(
            new Alias("ou_1", "oc_1"), new Alias("on_1", "oc_1"), new Alias("e33", "oc_1"));
    assertThat(message("user", "text", Map.of("text", "hi"), ",\"chat_type\":\"group\"").aliases())
        .isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"app", "anonymous"})
  void what_bots_say_is_left_out(String sender) {
    assertThat(message(sender, "text", Map.of("text", "hi"), "").arrivals()).isEmpty();
  }

  @Test
  void a_reply_names_what_it_replies_to() {
    InboundMessage told =
        only(
            message(
                "user",
                "text",
                Map.of("text", "yes"),
                ",\"root_id\":\"om_a\",\"parent_id\":\"om_b\""));
    assertThat(told.replyToId()).isEqualTo("om_b");
    assertThat(told.threadId()).as("a chain of replies is no thread").isNull();
  }

  @Test
  void a_message_in_a_thread_names_its_first() {
    InboundMessage answer =
        only(
            message(
                "user",
                "text",
                Map.of("text", "yes"),
                ",\"root_id\":\"om_a\",\"parent_id\":\"om_b\",\"thread_id\":\"omt_1\""));
    assertThat(answer.threadId()).isEqualTo("om_a");
    InboundMessage first =
        only(message("user", "text", Map.of("text", "x"), ",\"thread_id\":\"omt_1\""));
    assertThat(first.threadId()).isEqualTo("om_1");
  }

  @Test
  void a_post_is_told_as_text_with_its_pictures() {
    Map<String, Object> post =
        Map.of(
            "title",
            "News",
            "content",
            List.of(
                List.of(
                    Map.of("tag", "text", "text", "see "),
                    Map.of("tag", "a", "href", "https://example.org", "text", "this"),
                    Map.of("tag", "at", "user_id", "@_user_1", "user_name", "Ann")),
                List.of(Map.of("tag", "img", "image_key", "img_1")),
                List.of(
                    Map.of("tag", "media", "file_key", "file_1", "image_key", "img_2"),
                    Map.of("tag", "emotion", "emoji_type", "SMILE")),
                List.of(Map.of("tag", "code_block", "language", "JAVA", "text", "int a;")),
                List.of(Map.of("tag", "hr"))));
    InboundMessage told =
        only(
            message(
                "user",
                "post",
                post,
                ",\"mentions\":[{\"key\":\"@_user_1\",\"name\":\"Ann Lee\"}]"));
    assertThat(told.text())
        .isEqualTo("News\nsee this (https://example.org)@Ann Lee\n\n:SMILE:\nint a;\n---");
    assertThat(told.media())
        .containsExactly(
            new File("image", "img_1", null, null, null, null),
            new File("video", "file_1", null, null, null, null));
    assertThat(only(message("user", "post", Map.of("en_us", post), "")).text())
        .startsWith("News\nsee this");
  }

  @ParameterizedTest
  @CsvSource({
    "image, image_key, image",
    "file, file_key, document",
    "audio, file_key, voice",
    "media, file_key, video"
  })
  void a_file_is_told_by_its_key(String type, String field, String kind) {
    InboundMessage told =
        only(message("user", type, Map.of(field, "key_1", "file_name", "a.x"), ""));
    assertThat(told.text()).isNull();
    assertThat(told.media()).containsExactly(new File(kind, "key_1", null, "a.x", null, null));
  }

  @ParameterizedTest
  @ValueSource(strings = {"sticker", "share_chat", "location", "something_new"})
  void what_has_no_place_here_is_told_all_the_same(String type) {
    InboundMessage told = only(message("user", type, Map.of("file_key", "k"), ""));
    assertThat(told.text()).isNull();
    assertThat(told.media()).isEmpty();
    assertThat(told.raw().toString()).contains(type);
  }

  @Test
  void a_message_that_was_read_is_a_receipt() {
    assertThat(
            genuine(
                    "im.message.message_read_v1",
                    """
                    {"reader":{"reader_id":{"open_id":"ou_1"},"read_time":"1609484183000"},
                    "message_id_list":["om_1","om_2"]}
                    """)
                .reports())
        .containsExactly(
            new DeliveryReport(
                "om_1", DeliveryReport.State.READ, Instant.ofEpochMilli(1609484183000L), null),
            new DeliveryReport(
                "om_2", DeliveryReport.State.READ, Instant.ofEpochMilli(1609484183000L), null));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "im.chat.member.bot.added_v1",
        "im.chat.member.bot.deleted_v1",
        "im.chat.disbanded_v1"
      })
  void what_happens_to_a_chat_is_told(String type) {
    InboundMessage told =
        only(
            genuine(
                type,
                "{\"chat_id\":\"oc_1\",\"operator_id\":{\"open_id\":\"ou_1\"},\"name\":\"G\"}"));
    assertThat(told.kind()).isEqualTo(Kind.OTHER);
    assertThat(told.platformId()).isEqualTo("e1");
    assertThat(told.chat()).isEqualTo("oc_1");
    assertThat(told.sender().id()).isEqualTo("ou_1");
    assertThat(told.raw().toString()).contains(type);
  }

  @Test
  void a_message_that_was_withdrawn_is_told() {
    InboundMessage told =
        only(genuine("im.message.recalled_v1", "{\"message_id\":\"om_1\",\"chat_id\":\"oc_1\"}"));
    assertThat(told.kind()).isEqualTo(Kind.OTHER);
    assertThat(told.messageId()).isEqualTo("om_1");
  }

  @Test
  void a_reaction_names_its_message_and_the_person() {
    InboundMessage told =
        only(
            genuine(
                "im.message.reaction.created_v1",
                """
                {"message_id":"om_1","reaction_type":{"emoji_type":"THUMBSUP"},
                "operator_type":"user","user_id":{"open_id":"ou_1"},"action_time":"1627641418803"}
                """));
    assertThat(told.kind()).isEqualTo(Kind.REACTION);
    assertThat(told.text()).isEqualTo("THUMBSUP");
    assertThat(told.messageId()).isEqualTo("om_1");
    assertThat(told.chat()).isEqualTo("ou_1");
    assertThat(
            genuine(
                    "im.message.reaction.created_v1",
                    "{\"message_id\":\"om_1\",\"operator_type\":\"app\",\"app_id\":\"cli_1\"}")
                .arrivals())
        .isEmpty();
  }

  @Test
  void a_button_of_a_card_is_an_action() {
    InboundMessage told =
        only(
            genuine(
                "card.action.trigger",
                """
                {"operator":{"open_id":"ou_1"},"token":"c-one-time","action":{"tag":"button",
                "value":{"order":"77"}},"context":{"open_message_id":"om_1","open_chat_id":"oc_1"}}
                """));
    assertThat(told.kind()).isEqualTo(Kind.ACTION);
    assertThat(told.chat()).isEqualTo("oc_1");
    assertThat(told.messageId()).isEqualTo("om_1");
    assertThat(told.text()).isEqualTo("{\"order\":\"77\"}");
    assertThat(told.raw().toString()).doesNotContain("c-one-time");
  }

  @Test
  void what_concerns_no_chat_is_acknowledged_and_left_out() {
    assertThat(genuine("contact.user.updated_v3", "{\"object\":{}}").arrivals()).isEmpty();
    assertThat(
            ((Answer.Genuine)
                    FeishuEvents.read(
                        Objects.requireNonNull(
                            Json.readObject(
                                "{\"uuid\":\"1\",\"type\":\"event_callback\",\"event\":{}}"))))
                .arrivals())
        .as("an event of the first generation")
        .isEmpty();
  }

  @Test
  void an_event_without_what_it_is_known_by_is_malformed() {
    assertThat(read("im.message.receive_v1", "{}")).isInstanceOf(Answer.Malformed.class);
    assertThat(FeishuEvents.read(Objects.requireNonNull(Json.readObject("{\"schema\":\"2.0\"}"))))
        .isInstanceOf(Answer.Malformed.class);
    assertThat(FeishuEvents.read(Objects.requireNonNull(Json.readObject("{}"))))
        .isInstanceOf(Answer.Malformed.class);
  }
}
