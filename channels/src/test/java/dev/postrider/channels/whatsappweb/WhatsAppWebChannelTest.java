package dev.postrider.channels.whatsappweb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.config.AccountConfig;
import dev.postrider.config.DeliverySettings;
import dev.postrider.config.Pace;
import dev.postrider.message.Message;
import dev.postrider.message.MessageId;
import dev.postrider.message.OnReceiptFailed;
import dev.postrider.message.Part;
import dev.postrider.message.Plan;
import dev.postrider.problem.InvalidInput;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What an account may say, and how careful it is by default. */
class WhatsAppWebChannelTest {
  private final WhatsAppWebChannel channel = new WhatsAppWebChannel();

  private static AccountConfig waha() {
    return AccountConfig.of("wa", "whatsapp-web").set("apiKey", "k");
  }

  @Test
  void an_account_sends_forty_a_minute_at_uneven_intervals_unless_it_says_otherwise() {
    assertThat(channel.capabilities(waha()).pace()).isEqualTo(Pace.perMinute(40));
    assertThat(channel.capabilities(waha()).jitter()).isEqualTo(0.5);
    assertThat(channel.capabilities(waha().set("jitter", 0.2)).jitter()).isEqualTo(0.2);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          bridge | evolution | neither waha nor gowa
          username | me | is not for this bridge
          deviceId | 7 | is not for this bridge
          session | a b | no name of a session
          jitter | -1 | fraction from 0 to 10
          jitter | 11 | fraction from 0 to 10
          warmup | soon | not a duration
          newChatsPerDay | 0 | whole number above zero
          """)
  void what_cannot_be_is_refused_when_the_configuration_is_read(
      String key, String value, String why) {
    assertThatThrownBy(() -> channel.checkAccount(waha().set(key, value)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(key + " ")
        .hasMessageContaining(why);
  }

  @Test
  void what_a_restriction_holds_up_is_kept_for_days_and_sent_again() {
    DeliverySettings delivery = new WhatsAppWebChannel().delivery(DeliverySettings.DEFAULTS);
    assertThat(delivery.expireAfter()).isGreaterThan(Strangers.USUALLY_CLOSED.multipliedBy(2));
    assertThat(delivery.onReceiptFailed()).isEqualTo(OnReceiptFailed.RETRY);
  }

  @Test
  void waha_needs_its_key_and_gowa_has_none() {
    channel.checkAccount(waha());
    channel.checkAccount(AccountConfig.of("wa", "whatsapp-web").set("bridge", "gowa"));
    assertThatThrownBy(() -> channel.checkAccount(AccountConfig.of("wa", "whatsapp-web")))
        .hasMessageContaining("apiKey is missing");
    assertThatThrownBy(() -> channel.checkAccount(waha().set("bridge", "gowa")))
        .hasMessageContaining("apiKey is not for this bridge");
  }

  @Test
  void channel_data_that_neither_bridge_takes_is_refused() {
    Message message =
        Message.to("wa", "1@g.us").text("x").channelData(Map.of("poll", Map.of())).build();
    Plan plan =
        new Plan(
            new MessageId(UUID.fromString("01990000-0000-7000-8000-000000000001")),
            List.of(new Part("x", null, List.of(), List.of())));
    assertThatThrownBy(() -> channel.check(message, plan))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("poll");
  }
}
