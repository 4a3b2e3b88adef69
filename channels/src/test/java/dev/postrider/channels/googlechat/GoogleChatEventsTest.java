package dev.postrider.channels.googlechat;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Alias;
import dev.postrider.channel.Hook.Answer;
import dev.postrider.channels.StillTime;
import dev.postrider.channels.TestMemory;
import dev.postrider.channels.http.Json;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.inbound.InboundMessage.ChatKind;
import dev.postrider.inbound.InboundMessage.Kind;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What events mean, in the form of Chat and in that of Workspace add-ons. */
class GoogleChatEventsTest {
  private static final String USER =
      "{\"name\":\"users/1\",\"displayName\":\"Ann\",\"type\":\"HUMAN\"}";
  private static final String ROOM = "{\"name\":\"spaces/A\",\"spaceType\":\"SPACE\"}";
  private static final String DM =
      "{\"name\":\"spaces/D\",\"spaceType\":\"DIRECT_MESSAGE\",\"singleUserBotDm\":true}";

  private static Answer.Genuine read(String body) {
    Answer answer =
        GoogleChatEvents.read(
            Objects.requireNonNull(Json.readObject(body)), Instant.parse("2026-03-01T12:00:00Z"));
    assertThat(answer).isInstanceOf(Answer.Genuine.class);
    return (Answer.Genuine) answer;
  }

  private static InboundMessage only(Answer.Genuine read) {
    assertThat(read.arrivals()).hasSize(1);
    return read.arrivals().getFirst();
  }

  private static String message(String more) {
    return "{\"name\":\"spaces/A/messages/B.C\",\"createTime\":\"2026-03-01T11:00:00.5Z\","
        + "\"sender\":"
        + USER
        + ",\"thread\":{\"name\":\"spaces/A/threads/B\"},\"text\":\"hi\""
        + more
        + "}";
  }

  /** An event in the form of Chat. */
  private static String event(String type, String space, String more) {
    return "{\"type\":\"%s\",\"eventTime\":\"2026-03-01T11:00:01Z\",\"user\":%s,\"space\":%s%s}"
        .formatted(type, USER, space, more);
  }

  /** An event in the form of an add-on. */
  private static String addOn(String payload, String space, String more) {
    return """
    {"commonEventObject":{"hostApp":"CHAT","parameters":{"__action_method_name__":"approve"}},
     "authorizationEventObject":{"systemIdToken":"s3cret","userOAuthToken":"s3cret"},
     "chat":{"user":%s,"eventTime":"2026-03-01T11:00:01Z","%s":{"space":%s%s,
       "configCompleteRedirectUri":"https://chat.google.com/s3cret"}}}"""
        .formatted(USER, payload, space, more);
  }

  @Test
  void a_message_is_the_same_in_both_forms() {
    InboundMessage classic = only(read(event("MESSAGE", ROOM, ",\"message\":" + message(""))));
    InboundMessage addOn = only(read(addOn("messagePayload", ROOM, ",\"message\":" + message(""))));

    assertThat(classic)
        .usingRecursiveComparison()
        .ignoringFields("raw")
        .isEqualTo(
            new InboundMessage(
                "spaces/A/messages/B.C",
                Kind.MESSAGE,
                "spaces/A",
                ChatKind.GROUP,
                new InboundMessage.Sender("users/1", "Ann"),
                "hi",
                List.of(),
                "spaces/A/messages/B.C",
                null,
                null,
                Instant.parse("2026-03-01T11:00:00.5Z"),
                Map.of()));
    assertThat(addOn).usingRecursiveComparison().ignoringFields("raw").isEqualTo(classic);
  }

  @Test
  void a_message_in_a_thread_and_a_quote_say_so() {
    InboundMessage reply =
        only(
            read(
                event(
                    "MESSAGE",
                    ROOM,
                    ",\"message\":"
                        + message(
                            ",\"threadReply\":true,\"quotedMessageMetadata\":"
                                + "{\"name\":\"spaces/A/messages/B.B\"}"))));
    assertThat(reply.threadId()).isEqualTo("spaces/A/threads/B");
    assertThat(reply.replyToId()).isEqualTo("spaces/A/messages/B.B");
  }

  @Test
  void files_come_along_by_their_names() {
    String files =
        """
        ,"attachment":[{"name":"x","contentName":"a.png","contentType":"image/png",
          "source":"UPLOADED_CONTENT","attachmentDataRef":{"resourceName":"ClxzcGFj"}},
         {"name":"y","contentName":"b.pdf","contentType":"application/pdf","source":"DRIVE_FILE",
          "driveDataRef":{"driveFileId":"1"}}]""";
    assertThat(only(read(event("MESSAGE", ROOM, ",\"message\":" + message(files)))).media())
        .containsExactly(
            new InboundMessage.File("image", "ClxzcGFj", null, "a.png", "image/png", null),
            new InboundMessage.File("document", null, null, "b.pdf", "application/pdf", null));
  }

  @Test
  void a_slash_command_is_an_action_in_both_forms() {
    InboundMessage classic =
        only(
            read(
                event(
                    "MESSAGE",
                    ROOM,
                    ",\"message\":" + message(",\"slashCommand\":{\"commandId\":\"7\"}"))));
    assertThat(classic.kind()).isEqualTo(Kind.ACTION);
    assertThat(classic.text()).isEqualTo("hi");

    String metadata = ",\"appCommandMetadata\":{\"appCommandId\":7}";
    InboundMessage addOn =
        only(read(addOn("appCommandPayload", ROOM, metadata + ",\"message\":" + message(""))));
    assertThat(addOn.kind()).isEqualTo(Kind.ACTION);
    assertThat(addOn.platformId()).isEqualTo("spaces/A/messages/B.C");
    InboundMessage wordless = only(read(addOn("appCommandPayload", ROOM, metadata)));
    assertThat(wordless.kind()).isEqualTo(Kind.ACTION);
    assertThat(wordless.text()).isEqualTo("7");
  }

  @Test
  void a_button_says_what_it_calls_and_on_which_message() {
    InboundMessage classic =
        only(
            read(
                event(
                    "CARD_CLICKED",
                    ROOM,
                    ",\"message\":"
                        + message("")
                        + ",\"common\":{\"invokedFunction\":\"approve\"},"
                        + "\"action\":{\"actionMethodName\":\"approve\"}")));
    InboundMessage addOn =
        only(read(addOn("buttonClickedPayload", ROOM, ",\"message\":" + message(""))));
    for (InboundMessage click : List.of(classic, addOn)) {
      assertThat(click.kind()).isEqualTo(Kind.ACTION);
      assertThat(click.text()).isEqualTo("approve");
      assertThat(click.messageId()).isEqualTo("spaces/A/messages/B.C");
      assertThat(click.sender()).isEqualTo(new InboundMessage.Sender("users/1", "Ann"));
    }
    assertThat(addOn.platformId()).isEqualTo(classic.platformId());
  }

  @Test
  void what_apps_say_is_left_out() {
    String bot = "{\"name\":\"users/9\",\"type\":\"BOT\"}";
    assertThat(
            read(event("MESSAGE", ROOM, ",\"message\":" + message("").replace(USER, bot)))
                .arrivals())
        .isEmpty();
    assertThat(
            read(event("MESSAGE", ROOM, ",\"message\":" + message("")).replace(USER, bot))
                .arrivals())
        .isEmpty();
  }

  @Test
  void a_space_that_the_app_is_taken_out_of_is_remembered_until_it_is_back() {
    TestMemory memory = new TestMemory(new StillTime());
    Answer.Genuine left = read(event("REMOVED_FROM_SPACE", ROOM, ""));
    assertThat(only(left).kind()).isEqualTo(Kind.OTHER);
    assertThat(only(left).platformId())
        .isEqualTo("REMOVED_FROM_SPACE|spaces/A|users/1|2026-03-01T11:00:01Z|");
    memory.write(left.memory());
    assertThat(memory.read("spaces/A", "removed")).hasValue("2026-03-01T11:00:01Z");

    memory.write(read(addOn("addedToSpacePayload", ROOM, "")).memory());
    assertThat(memory.read("spaces/A", "removed")).isEmpty();
    memory.write(read(addOn("removedFromSpacePayload", ROOM, "")).memory());
    assertThat(memory.read("spaces/A", "removed")).isPresent();
  }

  @Test
  void the_message_that_brought_the_app_in_comes_with_the_news() {
    assertThat(read(event("ADDED_TO_SPACE", ROOM, ",\"message\":" + message(""))).arrivals())
        .extracting(InboundMessage::kind)
        .containsExactly(Kind.OTHER, Kind.MESSAGE);
  }

  @Test
  void a_person_and_the_space_with_them_are_one_chat() {
    Answer.Genuine direct = read(event("MESSAGE", DM, ",\"message\":" + message("")));
    assertThat(only(direct).chatKind()).isEqualTo(ChatKind.DM);
    assertThat(direct.aliases()).containsExactly(new Alias("users/1", "spaces/D"));

    assertThat(read(event("MESSAGE", ROOM, ",\"message\":" + message(""))).aliases()).isEmpty();
    String humans = DM.replace("true", "false");
    assertThat(read(event("MESSAGE", humans, ",\"message\":" + message(""))).aliases())
        .as("two people")
        .isEmpty();
  }

  @Test
  void no_token_is_kept_with_an_event() {
    String classic =
        event(
            "MESSAGE",
            ROOM,
            ",\"token\":\"s3cret\",\"configCompleteRedirectUrl\":\"https://x/s3cret\",\"message\":"
                + message(""));
    assertThat(only(read(classic)).raw().toString()).contains("spaces/A").doesNotContain("s3cret");
    String addOn = addOn("messagePayload", ROOM, ",\"message\":" + message(""));
    assertThat(only(read(addOn)).raw().toString()).contains("spaces/A").doesNotContain("s3cret");
  }

  @Test
  void what_nobody_needs_to_know_is_answered_and_left_out() {
    for (String type : List.of("WIDGET_UPDATED", "APP_HOME", "SOMETHING_NEW")) {
      assertThat(read(event(type, ROOM, "")).arrivals()).as(type).isEmpty();
    }
  }
}
