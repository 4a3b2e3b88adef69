package dev.postrider.channels.mattermost;

import static dev.postrider.channels.mattermost.FakeMattermost.ANN;
import static dev.postrider.channels.mattermost.FakeMattermost.TOWN;
import static dev.postrider.channels.mattermost.FakeMattermost.id;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.message.Media;
import dev.postrider.message.Message;
import dev.postrider.problem.InvalidInput;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What a message may bring along for Mattermost, and what is refused before it is accepted. */
class MattermostRequestTest {
  private static Message.Builder message() {
    return Message.to("mm", TOWN).text("hello");
  }

  private static Stream<Arguments> wrong() {
    return Stream.of(
        Arguments.of("channelData.blocks", Map.of("blocks", List.of())),
        Arguments.of("channelData.channel_id", Map.of("channel_id", TOWN)),
        Arguments.of("channelData.attachments", Map.of("attachments", "text")),
        Arguments.of("channelData.attachments[0]", Map.of("attachments", List.of("text"))),
        Arguments.of("channelData.props", Map.of("props", List.of())),
        Arguments.of("channelData.attachments[0].titel", attached(Map.of("titel", "x"))),
        Arguments.of("channelData.attachments[0].title", attached(Map.of("title", 7))),
        Arguments.of(
            "channelData.attachments[0].fields[0].vlaue",
            attached(Map.of("fields", List.of(Map.of("title", "a", "vlaue", "b"))))),
        Arguments.of(
            "channelData.attachments[0].actions[0].integration",
            attached(Map.of("actions", List.of(Map.of("name", "Go", "type", "button"))))),
        Arguments.of(
            "channelData.attachments[0].actions[0].type",
            attached(Map.of("actions", List.of(action("buton"))))),
        Arguments.of(
            "channelData.props.attachments[0].txt", Map.of("props", attached(Map.of("txt", "x")))),
        Arguments.of("channelData.mentions", Map.of("mentions", "yes")),
        Arguments.of("channelData.username", Map.of("username", 7)),
        Arguments.of("channelData.priority", Map.of("priority", "high")),
        Arguments.of("channelData.priority", Map.of("priority", Map.of("requested_ack", true))),
        Arguments.of(
            "channelData.priority.loud",
            Map.of("priority", Map.of("priority", "urgent", "loud", true))),
        Arguments.of(
            "channelData.priority.requested_ack",
            Map.of("priority", Map.of("priority", "urgent", "requested_ack", "yes"))),
        Arguments.of("channelData.ephemeral", Map.of("ephemeral", "ann")),
        Arguments.of("channelData.ephemeral", Map.of("ephemeral", ANN, "priority", "urgent")));
  }

  private static Map<String, Object> attached(Map<String, ?> attachment) {
    return Map.of("attachments", List.of(attachment));
  }

  private static Map<String, Object> action(String type) {
    Map<String, ?> integration =
        Map.of("url", "https://x.example/go", "context", Map.of("order", 7));
    return Map.of("name", "Go", "type", type, "style", "primary", "integration", integration);
  }

  @Test
  void a_misspelt_field_is_refused_with_the_name_that_was_meant() {
    Message wrong = message().channelData(attached(Map.of("titel", "x"))).build();
    assertThatThrownBy(() -> MattermostRequest.check(wrong))
        .hasMessageEndingWith("is not known to the platform here; did you mean 'title'?");
    Message mistyped =
        message().channelData(attached(Map.of("actions", List.of(action("buton"))))).build();
    assertThatThrownBy(() -> MattermostRequest.check(mistyped))
        .hasMessageEndingWith("is not known to the platform here; did you mean 'button'?");
  }

  @ParameterizedTest
  @MethodSource("wrong")
  void channel_data_that_mattermost_would_not_take_is_refused(
      String field, Map<String, Object> data) {
    assertThatThrownBy(() -> MattermostRequest.check(message().channelData(data).build()))
        .isInstanceOfSatisfying(InvalidInput.class, e -> assertThat(e.field()).isEqualTo(field));
  }

  private static Stream<Map<String, Object>> right() {
    return Stream.of(
        Map.of("attachments", List.of(Map.of("text", "more")), "props", Map.of("card", "x")),
        attached(
            Map.of(
                "fallback", "plain",
                "color", "#ff8000",
                "author_name", "Ann",
                "title", "Build 7",
                "title_link", "https://x.example/7",
                "fields", List.of(Map.of("title", "Tests", "value", 12, "short", true)),
                "ts", 1_772_366_400L,
                "actions", List.of(action("button")))),
        Map.of("mentions", true, "username", "Eve", "icon_url", "https://x.example/e.png"),
        Map.of("priority", "important"),
        Map.of("priority", Map.of("priority", "", "requested_ack", true)),
        Map.of("priority", Map.of("priority", "urgent", "persistent_notifications", true)),
        Map.of("ephemeral", ANN),
        Map.of("ephemeral", "user:" + ANN),
        Map.of("ephemeral", "@Ann"));
  }

  @ParameterizedTest
  @MethodSource("right")
  void channel_data_that_mattermost_takes_is_accepted(Map<String, Object> data) {
    assertThatCode(() -> MattermostRequest.check(message().channelData(data).build()))
        .doesNotThrowAnyException();
  }

  @Test
  void a_priority_is_for_posts_that_begin_a_thread() {
    for (Message.Builder answer :
        List.of(message().threadId(id("root")), message().replyToId(id("root")))) {
      assertThatThrownBy(
              () ->
                  MattermostRequest.check(answer.channelData(Map.of("priority", "urgent")).build()))
          .hasMessageContaining("begin a thread");
    }
  }

  @Test
  void a_thread_must_be_an_id() {
    assertThatThrownBy(() -> MattermostRequest.check(message().threadId("7").build()))
        .isInstanceOfSatisfying(
            InvalidInput.class, e -> assertThat(e.field()).isEqualTo("threadId"));
  }

  @Test
  void an_ephemeral_post_carries_no_files() {
    Message wrong =
        message()
            .media(List.of(Media.at("https://x.example/a.png")))
            .channelData(Map.of("ephemeral", ANN))
            .build();
    assertThatThrownBy(() -> MattermostRequest.check(wrong)).hasMessageContaining("cannot carry");
  }

  @Test
  void options_alone_are_nothing_to_be_seen() {
    Message wrong = Message.to("mm", TOWN).channelData(Map.of("mentions", true)).build();
    assertThatThrownBy(() -> MattermostRequest.check(wrong))
        .hasMessageContaining("nothing to be seen");
  }
}
