package dev.postrider.channels.discord;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.channel.Capabilities;
import dev.postrider.channel.Channel;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.Pace;
import dev.postrider.internal.plan.Planner;
import dev.postrider.message.Media;
import dev.postrider.message.Message;
import dev.postrider.message.MessageId;
import dev.postrider.message.Part;
import dev.postrider.message.Plan;
import dev.postrider.problem.InvalidInput;
import dev.postrider.store.media.Blob;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class DiscordChannelTest {
  private static final long MB = 1 << 20;

  private final Channel bot = new DiscordChannel();
  private final Channel webhook = new DiscordWebhookChannel();

  private static Capabilities of(Channel channel) {
    return channel.capabilities(AccountConfig.of("dc", channel.name()));
  }

  @Test
  void both_channels_are_found_on_the_class_path() {
    assertThat(ServiceLoader.load(Channel.class))
        .extracting(Channel::name)
        .contains("discord", "discord-webhook");
  }

  @Test
  void only_a_bots_messages_are_known_again() {
    assertThat(of(bot).remembers()).isEqualTo(Duration.ofMinutes(2));
    assertThat(of(webhook).deduplicates()).isFalse();
  }

  @Test
  void a_bot_is_paced_by_chat_and_a_webhook_as_a_whole() {
    assertThat(of(bot).chatPace().apply("42"))
        .isEqualTo(Pace.UNLIMITED.and(Duration.ofSeconds(5), 5).burst(5));
    assertThat(of(bot).pace()).isEqualTo(Pace.perSecond(50).burst(50));
    assertThat(of(webhook).pace())
        .isEqualTo(Pace.perMinute(30).and(Duration.ofSeconds(2), 5).burst(5));
  }

  @Test
  void what_is_secret_is_declared_so() {
    assertThat(bot.settings())
        .filteredOn(Channel.Setting::secret)
        .extracting("name")
        .containsExactly("token");
    assertThat(webhook.settings())
        .filteredOn(Channel.Setting::secret)
        .extracting("name")
        .containsExactly("url");
  }

  private List<Integer> albums(long... sizes) {
    List<Media> files =
        Arrays.stream(sizes).mapToObj(size -> Media.held("%064x".formatted(size))).toList();
    return Planner.plan(
            new MessageId(new UUID(1, 2)),
            Message.to("dc", "42").text("look").media(files).build(),
            of(bot),
            hash -> Optional.of(new Blob(hash, Long.parseLong(hash, 16), "image/png")))
        .parts()
        .stream()
        .map(Part::media)
        .map(List::size)
        .toList();
  }

  @Test
  void ten_files_share_a_message_unless_they_are_too_much_for_one_request() {
    assertThat(albums(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)).containsExactly(10, 1);
    assertThat(albums(10 * MB, 10 * MB, 4 * MB, 1)).containsExactly(3, 1);
    assertThat(albums(10 * MB, 10 * MB, 10 * MB)).containsExactly(2, 1);
  }

  @Test
  void channel_data_that_shows_nothing_is_refused_unless_a_text_comes_with_it() {
    Plan bare = new Plan(new MessageId(new UUID(1, 2)), List.of(Part.bare()));
    Message.Builder message = Message.to("dc", "42");

    assertThatThrownBy(() -> bot.check(message.channelData(Map.of("flags", 4)).build(), bare))
        .isInstanceOfSatisfying(
            InvalidInput.class, it -> assertThat(it.field()).isEqualTo("channelData"));
    assertThatCode(
            () ->
                bot.check(
                    message.channelData(Map.of("embeds", List.of(Map.of("title", "t")))).build(),
                    bare))
        .doesNotThrowAnyException();
  }
}
