package dev.postrider.channels.slack;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channels.http.Json;
import dev.postrider.config.SessionKey;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.inbound.InboundMessage.ChatKind;
import dev.postrider.inbound.InboundMessage.Kind;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Slack's events in words that all channels share. */
class SlackEventsTest {
  private static List<InboundMessage> read(String id, String event) {
    Map<String, Object> payload = new HashMap<>();
    payload.put("type", "event_callback");
    payload.put("event_id", id);
    payload.put("api_app_id", "A1");
    payload.put("authorizations", List.of(Map.of("user_id", "UBOT", "is_bot", true)));
    payload.put("event", Json.readObject(event));
    return SlackEvents.read(Json.tree(payload));
  }

  private static InboundMessage one(String event) {
    List<InboundMessage> all = read("Ev1", event);
    assertThat(all).hasSize(1);
    return all.getFirst();
  }

  @Test
  void a_message_in_a_channel() {
    InboundMessage arrival =
        one(
            """
            {"type":"message","channel":"C1","channel_type":"channel","user":"U1",
             "text":"a &lt; b &amp;&amp; &amp;lt; <@U2>","ts":"1700000000.000100",
             "event_ts":"1700000000.000100","client_msg_id":"x"}
            """);
    assertThat(arrival.platformId()).isEqualTo("C1:1700000000.000100");
    assertThat(arrival.kind()).isEqualTo(Kind.MESSAGE);
    assertThat(arrival.chat()).isEqualTo("C1");
    assertThat(arrival.chatKind()).isEqualTo(ChatKind.GROUP);
    assertThat(arrival.sender()).isEqualTo(new InboundMessage.Sender("U1", null));
    assertThat(arrival.text()).isEqualTo("a < b && &lt; <@U2>");
    assertThat(arrival.messageId()).isEqualTo("1700000000.000100");
    assertThat(arrival.threadId()).as("the first of its thread").isEqualTo("1700000000.000100");
    assertThat(arrival.sentAt()).isEqualTo(Instant.parse("2023-11-14T22:13:20.000100Z"));
    assertThat(arrival.raw().get("event_id")).isEqualTo("Ev1");
    assertThat(arrival.raw()).containsKey("event");
  }

  @Test
  void a_thread_keeps_one_session_from_its_first_message_on() {
    InboundMessage first =
        one("{\"type\":\"app_mention\",\"channel\":\"C1\",\"user\":\"U1\",\"ts\":\"17.1\"}");
    InboundMessage later =
        one(
            """
            {"type":"message","channel":"C1","user":"U1","text":"and?","ts":"17.2",
             "thread_ts":"17.1"}
            """);
    InboundMessage edited =
        one(
            """
            {"type":"message","subtype":"message_changed","channel":"C1","ts":"17.3",
             "message":{"type":"message","user":"U1","text":"new","ts":"17.1"}}
            """);

    assertThat(List.of(first, later, edited))
        .extracting(it -> SessionKey.DEFAULT.of("sl", it))
        .containsOnly("sl/C1/17.1");
  }

  @Test
  void two_who_are_alone_have_one_session() {
    InboundMessage arrival =
        one(
            """
            {"type":"message","channel":"D1","channel_type":"im","user":"U1","text":"hi",
             "ts":"17.1"}
            """);
    assertThat(SessionKey.DEFAULT.of("sl", arrival)).isEqualTo("sl/D1");
  }

  @Test
  void a_message_from_a_person_alone() {
    InboundMessage arrival =
        one(
            """
            {"type":"message","channel":"D1","channel_type":"im","user":"U1","text":"hi",\
            "ts":"17.1"}
            """);
    assertThat(arrival.chatKind()).isEqualTo(ChatKind.DM);
  }

  @Test
  void a_message_in_a_thread() {
    InboundMessage arrival =
        one(
            """
            {"type":"message","channel":"G1","user":"U1","text":"hi","ts":"17.2","thread_ts":"17.1"}
            """);
    assertThat(arrival.threadId()).isEqualTo("17.1");
    assertThat(arrival.messageId()).isEqualTo("17.2");
  }

  @Test
  void a_mention_is_the_message_that_mentions() {
    String message = "\"channel\":\"C1\",\"user\":\"U1\",\"text\":\"<@UBOT> hi\",\"ts\":\"17.1\"}";
    InboundMessage told = read("Ev1", "{\"type\":\"message\"," + message).getFirst();
    InboundMessage mention = read("Ev2", "{\"type\":\"app_mention\"," + message).getFirst();
    assertThat(mention.kind()).isEqualTo(Kind.MESSAGE);
    assertThat(mention.platformId()).isEqualTo(told.platformId());
  }

  @Test
  void files_come_along() {
    InboundMessage arrival =
        one(
            """
            {"type":"message","subtype":"file_share","channel":"C1","user":"U1","text":"",\
            "ts":"17.1",
             "files":[
              {"id":"F1","name":"a.png","mimetype":"image/png","size":12,
               "url_private":"https://f/1","url_private_download":"https://f/1/d"},
              {"id":"F2","mimetype":"audio/mp4","subtype":"slack_audio",\
            "url_private":"https://f/2"},
              {"id":"F3","file_access":"check_file_info"}]}
            """);
    assertThat(arrival.text()).isNull();
    assertThat(arrival.media())
        .containsExactly(
            new InboundMessage.File("image", "F1", "https://f/1/d", "a.png", "image/png", 12L),
            new InboundMessage.File("voice", "F2", "https://f/2", null, "audio/mp4", null),
            new InboundMessage.File("document", "F3", null, null, null, null));
  }

  @Test
  void an_edit_tells_the_new_text_of_the_old_message() {
    InboundMessage arrival =
        one(
            """
            {"type":"message","subtype":"message_changed","channel":"C1","ts":"18.1",\
            "event_ts":"18.1",
             "message":{"type":"message","user":"U1","text":"new","ts":"17.2","thread_ts":"17.1",
              "edited":{"user":"U1","ts":"18.1"}},
             "previous_message":{"user":"U1","text":"old","ts":"17.2"}}
            """);
    assertThat(arrival.kind()).isEqualTo(Kind.EDIT);
    assertThat(arrival.platformId()).isEqualTo("Ev1");
    assertThat(arrival.text()).isEqualTo("new");
    assertThat(arrival.messageId()).isEqualTo("17.2");
    assertThat(arrival.threadId()).isEqualTo("17.1");
    assertThat(arrival.sender().id()).isEqualTo("U1");
  }

  @Test
  void a_reaction() {
    InboundMessage arrival =
        one(
            """
            {"type":"reaction_added","user":"U1","reaction":"tada","event_ts":"18.1",
             "item":{"type":"message","channel":"D1","ts":"17.1"}}
            """);
    assertThat(arrival.kind()).isEqualTo(Kind.REACTION);
    assertThat(arrival.text()).isEqualTo("tada");
    assertThat(arrival.chat()).isEqualTo("D1");
    assertThat(arrival.chatKind()).isEqualTo(ChatKind.DM);
    assertThat(arrival.messageId()).isEqualTo("17.1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"type\":\"message\",\"subtype\":\"message_deleted\",\"channel\":\"C1\","
            + "\"ts\":\"1.1\",\"previous_message\":{\"user\":\"U1\"}}",
        "{\"type\":\"message\",\"subtype\":\"channel_join\",\"channel\":\"C1\","
            + "\"ts\":\"1.1\",\"user\":\"U1\"}",
        "{\"type\":\"member_joined_channel\",\"channel\":\"C1\",\"user\":\"U1\"}",
        "{\"type\":\"channel_rename\",\"channel\":{\"id\":\"C1\",\"name\":\"new\"}}"
      })
  void everything_else_is_told_as_it_is(String event) {
    InboundMessage arrival = one(event);
    assertThat(arrival.kind()).isEqualTo(Kind.OTHER);
    assertThat(arrival.chat()).isEqualTo("C1");
    assertThat(arrival.platformId()).isEqualTo("Ev1");
  }

  @Test
  void another_bot_is_heard() {
    InboundMessage arrival =
        one(
            """
            {"type":"message","subtype":"bot_message","bot_id":"B9","username":"ci","channel":"C1",
             "text":"built","ts":"17.1","app_id":"A9"}
            """);
    assertThat(arrival.sender()).isEqualTo(new InboundMessage.Sender("B9", "ci"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"type\":\"message\",\"channel\":\"C1\",\"user\":\"UBOT\",\"text\":\"x\",\"ts\":\"1.1\"}",
        "{\"type\":\"message\",\"channel\":\"C1\",\"bot_id\":\"B1\",\"app_id\":\"A1\","
            + "\"ts\":\"1.1\"}",
        "{\"type\":\"message\",\"channel\":\"C1\",\"bot_profile\":{\"app_id\":\"A1\"},"
            + "\"ts\":\"1.1\"}",
        "{\"type\":\"message\",\"subtype\":\"message_changed\",\"ts\":\"1.1\","
            + "\"channel\":\"C1\",\"message\":{\"user\":\"UBOT\"}}",
        "{\"type\":\"message\",\"subtype\":\"message_deleted\",\"ts\":\"1.1\","
            + "\"channel\":\"C1\",\"previous_message\":{\"app_id\":\"A1\"}}",
        "{\"type\":\"reaction_added\",\"user\":\"UBOT\",\"item\":{\"channel\":\"C1\"}}"
      })
  void the_bots_own_doings_are_not_news(String event) {
    assertThat(read("Ev1", event)).isEmpty();
  }
}
