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
        Arguments.of("channelData.attachments", Map.of("attachments", List.of("text"))),
        Arguments.of("channelData.props", Map.of("props", List.of())),
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
