package dev.postrider.channels.zalopersonal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.channel.TextLimit;
import dev.postrider.config.AccountConfig;
import dev.postrider.message.Format;
import dev.postrider.message.Message;
import dev.postrider.message.MessageId;
import dev.postrider.message.Part;
import dev.postrider.message.Plan;
import dev.postrider.problem.InvalidInput;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ZaloPersonalChannelTest {
  private final ZaloPersonalChannel channel = new ZaloPersonalChannel();
  private final AccountConfig account = AccountConfig.of("z", "zalo-personal");

  private void check(Map<String, Object> data) {
    channel.check(
        Message.to("z", "7").text("x").channelData(data).build(),
        new Plan(
            new MessageId(new UUID(0, 0)), List.of(new Part("x", null, List.of(), List.of()))));
  }

  @Test
  void styles_stand_beside_the_text() {
    var written =
        channel
            .capabilities(account)
            .dialect()
            .write("**Hi** _you_", Format.MARKDOWN, TextLimit.of(2000, TextLimit.Unit.UTF16))
            .getFirst();
    assertThat(written.text()).isEqualTo("Hi you");
    assertThat(written.styles()).containsExactlyInAnyOrder("0:2:BOLD", "3:3:ITALIC");
  }

  @Test
  void channel_data_is_held_to_what_the_sidecar_knows() {
    check(Map.of("urgency", "important", "ttl", 1000));
    assertThatThrownBy(() -> check(Map.of("sticker", 1)))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("urgency and ttl");
    assertThatThrownBy(() -> check(Map.of("urgency", "very"))).hasMessageContaining("urgent");
    assertThatThrownBy(() -> check(Map.of("ttl", 0))).hasMessageContaining("milliseconds");
    assertThatThrownBy(() -> check(Map.of("ttl", 1.5))).hasMessageContaining("milliseconds");
  }

  @Test
  void an_account_without_a_program_is_refused() {
    assertThatThrownBy(() -> channel.checkAccount(account)).hasMessageContaining("[node, FILE]");
  }
}
