package dev.postrider.channels.telegram;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Capabilities;
import dev.postrider.channel.Channel;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.Pace;
import java.time.Duration;
import java.util.Map;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;

class TelegramChannelTest {
  private final Channel channel = new TelegramChannel();

  @Test
  void both_channels_are_found_on_the_class_path() {
    assertThat(ServiceLoader.load(Channel.class))
        .extracting(Channel::name)
        .contains("telegram", "sandbox");
  }

  @Test
  void groups_are_paced_more_slowly_than_people() {
    Capabilities can = channel.capabilities(AccountConfig.of("tg", "telegram"));
    Pace group = new Pace(Map.of(Duration.ofMinutes(1), 20, Duration.ofSeconds(1), 1), 1);
    assertThat(can.chatPace().apply("-100123")).isEqualTo(group);
    assertThat(can.chatPace().apply("@news")).isEqualTo(group);
    assertThat(can.chatPace().apply("42")).isEqualTo(Pace.perSecond(1).burst(3));
    assertThat(can.pace()).isEqualTo(Pace.perSecond(30).burst(30));
  }

  @Test
  void what_is_secret_is_declared_so() {
    assertThat(channel.settings())
        .filteredOn(Channel.Setting::secret)
        .extracting(Channel.Setting::name)
        .containsExactly("token", "webhookSecret");
  }
}
