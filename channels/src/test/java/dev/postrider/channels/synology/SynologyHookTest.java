package dev.postrider.channels.synology;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Channel;
import dev.postrider.channel.Hook;
import dev.postrider.channel.Hook.Answer;
import dev.postrider.config.AccountConfig;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.inbound.InboundMessage.ChatKind;
import dev.postrider.inbound.InboundMessage.Kind;
import java.net.URLEncoder;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SynologyHookTest {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final Channel CHANNEL = new SynologyChannel();

  private final Hook bot =
      hook(
          AccountConfig.of("sy", "synology-chat").set("baseUrl", "http://nas").set("token", "b0t"));
  private final Hook webhook =
      hook(
          AccountConfig.of("sy", "synology-chat")
              .set("webhookUrl", "http://nas/…")
              .set("webhookSecret", List.of("0ut", "sl4sh")));

  private static Hook hook(AccountConfig account) {
    return Objects.requireNonNull(CHANNEL.hook(account));
  }

  private static Answer post(Hook hook, String form) {
    return post(hook, form, NOW);
  }

  private static Answer post(Hook hook, String form, Instant at) {
    return hook.read(new Hook.Request("POST", Map.of(), Map.of(), form.getBytes(UTF_8), at));
  }

  private static InboundMessage arrival(Hook hook, String form) {
    return arrival(hook, form, NOW);
  }

  private static InboundMessage arrival(Hook hook, String form, Instant at) {
    Answer answer = post(hook, form, at);
    assertThat(answer).isInstanceOf(Answer.Genuine.class);
    return ((Answer.Genuine) answer).arrivals().getFirst();
  }

  private static String form(String token) {
    return "token="
        + token
        + "&user_id=1&username=Ann+Lee&post_id=146028888233&thread_id=0"
        + "&timestamp=1772366400000&text=Gr%C3%BC%C3%9Fe+%26+more";
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "token=", "token=wrong&user_id=1", "user_id=1&text=x", "payload=%7B"})
  void what_does_not_show_the_token_is_forged(String form) {
    assertThat(post(bot, form)).isInstanceOf(Answer.Forged.class);
    assertThat(post(webhook, form)).isInstanceOf(Answer.Forged.class);
  }

  @Test
  void the_token_of_another_is_no_better_than_none() {
    assertThat(post(bot, form("0ut"))).isInstanceOf(Answer.Forged.class);
    assertThat(post(webhook, form("b0t"))).isInstanceOf(Answer.Forged.class);
    assertThat(post(webhook, form("sl4sh"))).isInstanceOf(Answer.Genuine.class);
  }

  @Test
  void what_a_person_writes_to_a_bot_is_answered_by_name_and_not_by_the_number_told_here() {
    InboundMessage arrival = arrival(bot, form("b0t"));

    assertThat(arrival.chat()).isEqualTo("@ann lee");
    assertThat(arrival.chatKind()).isEqualTo(ChatKind.DM);
    assertThat(arrival.kind()).isEqualTo(Kind.MESSAGE);
    assertThat(arrival.sender()).isEqualTo(new InboundMessage.Sender("1", "Ann Lee"));
    assertThat(arrival.text()).isEqualTo("Grüße & more");
    assertThat(arrival.platformId()).isEqualTo("146028888233");
    assertThat(arrival.messageId()).isEqualTo("146028888233");
    assertThat(arrival.threadId()).isNull();
    assertThat(arrival.sentAt()).isEqualTo(NOW);
    AccountConfig account = AccountConfig.of("sy", "synology-chat").set("token", "b0t");
    assertThat(CHANNEL.canonical(account, arrival.chat())).isEqualTo(arrival.chat());
  }

  @Test
  void what_is_written_in_a_channel_belongs_to_the_channel() {
    InboundMessage arrival =
        arrival(webhook, form("0ut") + "&channel_id=12&channel_name=ops&trigger_word=Gr");

    assertThat(arrival.chat()).isEqualTo("12");
    assertThat(arrival.chatKind()).isEqualTo(ChatKind.GROUP);
  }

  @Test
  void the_token_is_not_kept() {
    assertThat(arrival(bot, form("b0t")).raw().containsKey("token")).isFalse();
  }

  @Test
  void a_slash_command_is_an_action() {
    InboundMessage arrival =
        arrival(webhook, "token=sl4sh&user_id=1&username=ann&text=%2Fdeploy+now");

    assertThat(arrival.kind()).isEqualTo(Kind.ACTION);
    assertThat(arrival.text()).isEqualTo("/deploy now");
    assertThat(arrival.messageId()).isNull();
  }

  @ParameterizedTest
  @ValueSource(ints = {-3601, 3601})
  void what_is_played_back_long_afterwards_is_refused(int seconds) {
    String old = "&timestamp=" + NOW.plusSeconds(seconds).toEpochMilli();
    assertThat(post(bot, form("b0t").replace("&timestamp=1772366400000", old)))
        .isInstanceOfSatisfying(
            Answer.Forged.class, it -> assertThat(it.cause()).contains("too long ago"));
    assertThat(post(webhook, "token=sl4sh&user_id=1&username=ann&text=%2Fdeploy" + old))
        .isInstanceOf(Answer.Forged.class);
    AccountConfig patient =
        AccountConfig.of("sy", "synology-chat").set("token", "b0t").set("tolerance", "2h");
    assertThat(post(hook(patient), form("b0t").replace("&timestamp=1772366400000", old)))
        .isInstanceOf(Answer.Genuine.class);
  }

  @Test
  void a_command_that_is_played_back_is_the_same_if_chat_said_when_it_was() {
    String command = "token=sl4sh&user_id=1&username=ann&text=%2Fdeploy";
    String at = "&timestamp=" + NOW.toEpochMilli();
    assertThat(arrival(webhook, command + at, NOW).platformId())
        .isEqualTo(arrival(webhook, command + at, NOW.plusSeconds(9)).platformId())
        .isNotEqualTo(
            arrival(webhook, command + "&timestamp=" + (NOW.toEpochMilli() + 1), NOW).platformId());
    assertThat(arrival(webhook, command, NOW).platformId())
        .as("else by when it came")
        .isNotEqualTo(arrival(webhook, command, NOW.plusSeconds(9)).platformId());
  }

  @Test
  void a_button_is_an_action_on_its_post() {
    String payload =
        "{\"actions\":[{\"type\":\"button\",\"name\":\"ok\",\"value\":\"yes\",\"text\":\"Yes\"}],"
            + "\"callback_id\":\"deploy\",\"post_id\":146028888233,\"token\":\"b0t\","
            + "\"user\":{\"user_id\":1,\"username\":\"ann\"}}";
    InboundMessage arrival = arrival(bot, "payload=" + URLEncoder.encode(payload, UTF_8));

    assertThat(arrival.kind()).isEqualTo(Kind.ACTION);
    assertThat(arrival.text()).isEqualTo("yes");
    assertThat(arrival.chat()).isEqualTo("@ann");
    assertThat(arrival.replyToId()).isEqualTo("146028888233");
    assertThat(arrival.raw().containsKey("token")).isFalse();
  }

  @Test
  void who_has_no_name_cannot_be_answered_by_a_bot() {
    assertThat(post(bot, "token=b0t&user_id=1&post_id=7&text=x"))
        .isInstanceOf(Answer.Malformed.class);
  }

  @Test
  void a_webhook_without_a_secret_takes_nothing_in() {
    assertThat(
            CHANNEL.hook(AccountConfig.of("sy", "synology-chat").set("webhookUrl", "http://nas")))
        .isNull();
  }
}
