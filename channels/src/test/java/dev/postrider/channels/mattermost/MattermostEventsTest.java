package dev.postrider.channels.mattermost;

import static dev.postrider.channels.mattermost.FakeMattermost.ANN;
import static dev.postrider.channels.mattermost.FakeMattermost.BOT;
import static dev.postrider.channels.mattermost.FakeMattermost.TOWN;
import static dev.postrider.channels.mattermost.FakeMattermost.id;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Alias;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.mattermost.MattermostEvents.Told;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.inbound.InboundMessage.ChatKind;
import dev.postrider.inbound.InboundMessage.Kind;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What Mattermost's events mean. */
class MattermostEventsTest {
  private static final long AT = 1_700_000_000_123L;

  private final MattermostEvents events = new MattermostEvents(BOT);

  private static Map<String, Object> post(Map<String, ?> more) {
    Map<String, Object> post = new LinkedHashMap<>();
    post.put("id", id("post"));
    post.put("create_at", AT);
    post.put("user_id", ANN);
    post.put("channel_id", TOWN);
    post.put("root_id", "");
    post.put("message", "hello");
    post.put("type", "");
    post.putAll(more);
    return post;
  }

  private @Nullable Told read(String event, String field, Object about, String channelKind) {
    return events.read(
        Json.tree(
            Map.of(
                "event",
                event,
                "data",
                Map.of(
                    field, Json.write(about), "channel_type", channelKind, "sender_name", "@ann"),
                "broadcast",
                Map.of("channel_id", TOWN),
                "seq",
                4)));
  }

  private InboundMessage posted(Map<String, ?> more, String channelKind) {
    return Objects.requireNonNull(read("posted", "post", post(more), channelKind)).message();
  }

  @Test
  void a_post_in_a_channel_is_the_first_of_its_thread() {
    InboundMessage message = posted(Map.of(), "O");
    assertThat(message.platformId()).isEqualTo(id("post"));
    assertThat(message.messageId()).isEqualTo(id("post"));
    assertThat(message.kind()).isEqualTo(Kind.MESSAGE);
    assertThat(message.chat()).isEqualTo(TOWN);
    assertThat(message.chatKind()).isEqualTo(ChatKind.GROUP);
    assertThat(message.sender()).isEqualTo(new InboundMessage.Sender(ANN, "ann"));
    assertThat(message.text()).isEqualTo("hello");
    assertThat(message.threadId()).isEqualTo(id("post"));
    assertThat(message.sentAt()).isEqualTo(Instant.ofEpochMilli(AT));
    assertThat(message.raw().get("create_at")).isEqualTo(AT);
  }

  @Test
  void an_answer_belongs_to_its_thread() {
    assertThat(posted(Map.of("root_id", id("root")), "P").threadId()).isEqualTo(id("root"));
  }

  @Test
  void two_who_are_alone_need_no_thread_and_have_two_names() {
    Told told = Objects.requireNonNull(read("posted", "post", post(Map.of()), "D"));
    assertThat(told.message().chatKind()).isEqualTo(ChatKind.DM);
    assertThat(told.message().threadId()).isNull();
    assertThat(told.aliases()).containsExactly(new Alias("user:" + ANN, TOWN));
    Told grouped = Objects.requireNonNull(read("posted", "post", post(Map.of()), "G"));
    assertThat(grouped.message().chatKind()).isEqualTo(ChatKind.GROUP);
    assertThat(grouped.aliases()).isEmpty();
  }

  @Test
  void files_come_with_what_they_are_called() {
    Map<String, Object> file =
        Map.of(
            "id",
            id("file"),
            "name",
            "cat.png",
            "mime_type",
            "image/png",
            "size",
            1234,
            "width",
            1);
    InboundMessage message =
        posted(Map.of("message", "", "metadata", Map.of("files", List.of(file))), "O");
    assertThat(message.text()).isNull();
    assertThat(message.media())
        .containsExactly(
            new InboundMessage.File("image", id("file"), null, "cat.png", "image/png", 1234L));
  }

  @Test
  void an_edit_is_told_once_for_each_time() {
    events.learn(TOWN, "D");
    Map<String, Object> edited = post(Map.of("edit_at", AT + 5, "message", "hello again"));
    InboundMessage message =
        Objects.requireNonNull(read("post_edited", "post", edited, "")).message();
    assertThat(message.kind()).isEqualTo(Kind.EDIT);
    assertThat(message.platformId()).isEqualTo(id("post") + ":" + (AT + 5));
    assertThat(message.messageId()).isEqualTo(id("post"));
    assertThat(message.text()).isEqualTo("hello again");
    assertThat(read("post_edited", "post", post(Map.of("edit_at", 0)), "")).isNull();
  }

  @Test
  void a_reaction_is_its_name() {
    Map<String, Object> reaction =
        Map.of("user_id", ANN, "post_id", id("post"), "emoji_name", "tada", "create_at", AT + 7);
    InboundMessage message =
        Objects.requireNonNull(read("reaction_added", "reaction", reaction, "")).message();
    assertThat(message.kind()).isEqualTo(Kind.REACTION);
    assertThat(message.text()).isEqualTo("tada");
    assertThat(message.chat()).isEqualTo(TOWN);
    assertThat(message.messageId()).isEqualTo(id("post"));
    Map<String, Object> own = new LinkedHashMap<>(reaction);
    own.put("user_id", BOT);
    assertThat(read("reaction_added", "reaction", own, "")).isNull();
  }

  @Test
  void deletions_and_what_mattermost_itself_says_are_something_else() {
    assertThat(Objects.requireNonNull(read("post_deleted", "post", post(Map.of()), "")).message())
        .satisfies(
            it -> {
              assertThat(it.kind()).isEqualTo(Kind.OTHER);
              assertThat(it.platformId()).isEqualTo(id("post") + ":deleted");
            });
    InboundMessage joined = posted(Map.of("type", "system_join_channel"), "O");
    assertThat(joined.kind()).isEqualTo(Kind.OTHER);
    assertThat(joined.threadId()).isNull();
  }

  @Test
  void our_own_doing_is_left_out() {
    assertThat(read("posted", "post", post(Map.of("user_id", BOT)), "O")).isNull();
    assertThat(read("post_edited", "post", post(Map.of("user_id", BOT, "edit_at", AT)), "O"))
        .isNull();
    assertThat(read("post_deleted", "post", post(Map.of("user_id", BOT)), "O")).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "{\"event\":\"hello\",\"data\":{}}",
        "{\"event\":\"typing\",\"data\":{\"user_id\":\"x\"}}",
        "{\"event\":\"posted\"}",
        "{\"event\":\"posted\",\"data\":{\"post\":\"no json\"}}",
        "{\"event\":\"posted\",\"data\":{\"post\":\"{}\"}}",
        "{\"event\":\"posted\",\"data\":{\"post\":{\"id\":7}}}",
        "{\"event\":\"post_edited\",\"data\":{\"post\":\"{\\\"edit_at\\\":9}\"}}",
        "{\"event\":\"reaction_added\",\"data\":{\"reaction\":\"[]\"}}"
      })
  void what_says_nothing_is_passed_by(String event) {
    assertThat(events.read(Objects.requireNonNull(Json.readObject(event)))).isNull();
  }

  @Test
  void a_time_that_cannot_be_meant_is_none() {
    assertThat(posted(Map.of("create_at", Long.MAX_VALUE), "O").sentAt()).isNull();
  }
}
