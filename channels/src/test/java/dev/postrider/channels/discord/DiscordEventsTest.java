package dev.postrider.channels.discord;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channels.http.Json;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.inbound.InboundMessage.ChatKind;
import dev.postrider.inbound.InboundMessage.Kind;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What Discord tells, in our words. */
class DiscordEventsTest {
  private static final String MESSAGE =
      """
      {"id":"1234567890123456789","channel_id":"42","guild_id":"3","channel_type":0,
       "content":"héllo 🌍","timestamp":"2026-03-01T12:00:00.123000+00:00","edited_timestamp":null,
       "author":{"id":"5","username":"ann","global_name":"Ann"},
       "message_reference":{"message_id":"77","channel_id":"42"},
       "attachments":[
         {"id":"8","filename":"a.png","content_type":"image/png","size":9,\
      "url":"https://cdn/a.png"},
         {"id":"9","filename":"b.bin","size":1,"url":"https://cdn/b.bin"}]}""";

  private static @Nullable InboundMessage read(String name, String data) {
    return DiscordEvents.read(name, Json.readObject(data), "99", "session:4");
  }

  @Test
  void a_message_with_files_that_answers_another() {
    assertThat(read("MESSAGE_CREATE", MESSAGE))
        .isEqualTo(
            new InboundMessage(
                "1234567890123456789",
                Kind.MESSAGE,
                "42",
                ChatKind.GROUP,
                new InboundMessage.Sender("5", "Ann"),
                "héllo 🌍",
                List.of(
                    new InboundMessage.File(
                        "image", "8", "https://cdn/a.png", "a.png", "image/png", 9L),
                    new InboundMessage.File(
                        "document", "9", "https://cdn/b.bin", "b.bin", null, 1L)),
                "1234567890123456789",
                "77",
                null,
                Instant.parse("2026-03-01T12:00:00.123Z"),
                Json.map(Json.readObject(MESSAGE))));
  }

  @ParameterizedTest
  @CsvSource({"1,DM,", "3,GROUP,", "0,GROUP,", "5,CHANNEL,", "11,GROUP,42", "12,GROUP,42"})
  void a_chat_is_told_by_its_type(int type, ChatKind kind, @Nullable String thread) {
    InboundMessage arrival =
        read("MESSAGE_CREATE", MESSAGE.replace("\"channel_type\":0", "\"channel_type\":" + type));

    assertThat(arrival.chatKind()).isEqualTo(kind);
    assertThat(arrival.threadId()).isEqualTo(thread);
  }

  @Test
  void a_chat_without_a_type_is_private_unless_it_is_on_a_server() {
    String untyped = MESSAGE.replace("\"channel_type\":0,", "");

    assertThat(read("MESSAGE_CREATE", untyped).chatKind()).isEqualTo(ChatKind.GROUP);
    assertThat(read("MESSAGE_CREATE", untyped.replace("\"guild_id\":\"3\",", "")).chatKind())
        .isEqualTo(ChatKind.DM);
  }

  @Test
  void speech_is_told_by_its_flag() {
    InboundMessage arrival =
        read("MESSAGE_CREATE", MESSAGE.replace("\"channel_type\":0", "\"flags\":8192"));

    assertThat(arrival.media().getFirst().kind()).isEqualTo("voice");
  }

  @Test
  void a_forward_answers_nothing() {
    assertThat(
            read("MESSAGE_CREATE", MESSAGE.replace("\"message_id\"", "\"type\":1,\"message_id\""))
                .replyToId())
        .isNull();
  }

  @Test
  void an_edit_is_told_from_the_message_and_from_other_edits() {
    InboundMessage edit =
        read(
            "MESSAGE_UPDATE",
            MESSAGE.replace("\"edited_timestamp\":null", "\"edited_timestamp\":\"T1\""));

    assertThat(edit.kind()).isEqualTo(Kind.EDIT);
    assertThat(edit.platformId()).isEqualTo("edit:1234567890123456789:T1");
    assertThat(edit.messageId()).isEqualTo("1234567890123456789");
    assertThat(read("MESSAGE_UPDATE", MESSAGE)).as("a preview was added").isNull();
  }

  @Test
  void a_reaction_has_no_id_but_an_occasion() {
    InboundMessage reaction =
        read(
            "MESSAGE_REACTION_ADD",
            """
            {"user_id":"5","channel_id":"42","message_id":"77","guild_id":"3",
             "emoji":{"id":null,"name":"🔥"},"member":{"user":{"id":"5","username":"ann"}}}""");

    assertThat(reaction.kind()).isEqualTo(Kind.REACTION);
    assertThat(reaction.platformId()).isEqualTo("session:4");
    assertThat(reaction.text()).isEqualTo("🔥");
    assertThat(reaction.messageId()).isEqualTo("77");
    assertThat(reaction.sender()).isEqualTo(new InboundMessage.Sender("5", "ann"));
  }

  @Test
  void what_the_bot_does_itself_is_no_news() {
    assertThat(read("MESSAGE_CREATE", MESSAGE.replace("\"id\":\"5\"", "\"id\":\"99\""))).isNull();
    assertThat(read("MESSAGE_REACTION_ADD", "{\"user_id\":\"99\"}")).isNull();
    assertThat(read("GUILD_CREATE", "{}")).isNull();
  }

  @Test
  void a_command_reads_as_it_was_typed() {
    InboundMessage command =
        read(
            "INTERACTION_CREATE",
            """
            {"id":"70","type":2,"token":"t","application_id":"6","guild_id":"3","channel_id":"42",
             "channel":{"id":"42","type":11},"member":{"user":{"id":"5","username":"ann"}},
             "data":{"name":"remind","options":[
               {"name":"add","type":1,"options":[{"name":"what","value":"milk"},
                                                 {"name":"in","value":3}]}]}}""");

    assertThat(command.kind()).isEqualTo(Kind.ACTION);
    assertThat(command.platformId()).isEqualTo("70");
    assertThat(command.text()).isEqualTo("/remind add what:milk in:3");
    assertThat(command.threadId()).isEqualTo("42");
    assertThat(command.sentAt()).isEqualTo(Snowflake.time("70"));
    assertThat(command.raw()).containsKey("data").doesNotContainKey("token");
  }

  @Test
  void a_button_names_itself_and_its_message() {
    InboundMessage button =
        read(
            "INTERACTION_CREATE",
            """
            {"id":"71","type":3,"channel_id":"42","user":{"id":"5","username":"ann"},
             "message":{"id":"77"},"data":{"custom_id":"yes"}}""");

    assertThat(button.text()).isEqualTo("yes");
    assertThat(button.messageId()).isEqualTo("77");
    assertThat(button.chatKind()).isEqualTo(ChatKind.DM);
  }

  @Test
  void a_snowflake_begins_with_its_time() {
    assertThat(Snowflake.time("175928847299117063"))
        .isEqualTo(Instant.parse("2016-04-30T11:18:25.796Z"));
    assertThat(Snowflake.time(Snowflake.at(Instant.parse("2026-03-01T12:00:00.123Z"))))
        .isEqualTo(Instant.parse("2026-03-01T12:00:00.123Z"));
  }
}
