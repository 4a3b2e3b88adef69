package dev.postrider.channels.telegram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Link;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Probe;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.channels.DeafPort;
import dev.postrider.channels.TestAccount;
import dev.postrider.config.AccountConfig;
import dev.postrider.message.Fix;
import dev.postrider.message.Message;
import dev.postrider.testkit.platform.FakeTelegram;
import dev.postrider.testkit.platform.Reply;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TelegramLinkTest {
  private static final String TOKEN = "123456:AAH-very-secret";

  private final FakeTelegram telegram = FakeTelegram.start();
  private final TestAccount account =
      TestAccount.of(
          AccountConfig.of("tg", "telegram")
              .set("token", TOKEN)
              .set("baseUrl", telegram.baseUrl() + "/")
              .set("timeout", "5m"));
  private Link link = new TelegramChannel().open(account);

  @AfterEach
  void close() {
    link.close();
    telegram.close();
  }

  private Outcome send(String chat) throws Exception {
    return link.send(account.part(chat, "hello"));
  }

  private void reopenWith(String key, Object value) {
    link.close();
    link =
        new TelegramChannel()
            .open(
                new TestAccount(
                    account.config().set(key, value), account.scheduler(), account.readiness()));
  }

  @Test
  void a_delivered_part_gets_telegrams_message_id() throws Exception {
    assertThat(send("42")).isEqualTo(Outcome.delivered("1"));
    assertThat(send("42")).isEqualTo(Outcome.delivered("2"));
    assertThat(telegram.deliveries()).extracting("chat").containsExactly("42", "42");
    assertThat(telegram.platform().requests().getFirst().path())
        .isEqualTo("/bot" + TOKEN + "/sendMessage");
  }

  @Test
  void a_method_that_answers_true_has_done_its_work() throws Exception {
    telegram.platform().answer(Reply.json(200, "{\"ok\":true,\"result\":true}"));
    Message.Builder answer =
        Message.to("tg", "42")
            .channelData(Map.of("method", "answerCallbackQuery", "callback_query_id", "7"));
    assertThat(link.send(account.part(answer))).isEqualTo(Outcome.delivered(""));
    assertThat(telegram.platform().onlyRequest().path())
        .isEqualTo("/bot" + TOKEN + "/answerCallbackQuery");
  }

  @Test
  void a_429_holds_the_chat_for_the_time_the_platform_says() throws Exception {
    telegram.refuse(FakeTelegram.tooManyRequests(6775));
    assertThat(send("42"))
        .isEqualTo(
            new Outcome.Throttled(
                ThrottleScope.CHAT,
                Duration.ofSeconds(6775),
                "429 Too Many Requests: retry after 6775"));
    assertThat(send("42")).isEqualTo(Outcome.delivered("1"));
  }

  @Test
  void a_429_in_three_chats_within_ten_seconds_holds_the_account() throws Exception {
    telegram.script((_, _) -> new FakeTelegram.Step.Refuse(FakeTelegram.tooManyRequests(3)));
    assertThat(scope(send("1"))).isEqualTo(ThrottleScope.CHAT);
    assertThat(scope(send("1"))).isEqualTo(ThrottleScope.CHAT);
    assertThat(scope(send("2"))).isEqualTo(ThrottleScope.CHAT);
    account.scheduler().pass(Duration.ofSeconds(10));
    assertThat(scope(send("3"))).isEqualTo(ThrottleScope.ACCOUNT);
    account.scheduler().pass(Duration.ofSeconds(11));
    assertThat(scope(send("4"))).isEqualTo(ThrottleScope.CHAT);
  }

  private static ThrottleScope scope(Outcome outcome) {
    return ((Outcome.Throttled) outcome).scope();
  }

  @Test
  void a_moved_chat_is_reported_with_its_new_id_and_reached_there() throws Exception {
    telegram.refuse(FakeTelegram.migratedTo(-100777));
    Outcome.Repairable moved = (Outcome.Repairable) send("-5");
    Dispatch again = account.part(account.part("-5", "hello").message().toBuilder(), moved.fix());
    assertThat(link.send(again)).isEqualTo(Outcome.delivered("1"));
    assertThat(telegram.deliveries().getFirst().chat()).isEqualTo("-100777");
  }

  static List<Reply> repliesThatLoseTheVerdict() {
    return List.of(
        new Reply.HangUp(),
        new Reply.Reset(),
        new Reply.Silence(),
        new Reply.HalfAnswer(Reply.json(200, "{\"ok\":true,\"result\":{\"message_id\":1}}")),
        new Reply.EndlessBody(200),
        Reply.json(200, "{\"ok\":true,\"resu"),
        Reply.html(502, "<h1>Bad Gateway</h1>"),
        FakeTelegram.error(500, "Internal Server Error: restart"));
  }

  @ParameterizedTest
  @MethodSource("repliesThatLoseTheVerdict")
  void a_message_that_arrived_without_a_verdict_is_unknown_and_sent_once(Reply reply)
      throws Exception {
    reopenWith("timeout", reply instanceof Reply.Silence ? "1s" : "10s");
    telegram.lose(reply);
    assertThat(send("42")).isInstanceOf(Outcome.Unknown.class);
    assertThat(telegram.deliveries()).hasSize(1);
  }

  @Test
  void a_refused_connection_is_an_outage() throws Exception {
    try (DeafPort port = new DeafPort()) {
      reopenWith("baseUrl", port.baseUrl());
      assertThat(send("42")).isInstanceOf(Outcome.Unreachable.class);
    }
  }

  @Test
  void own_permanent_errors_end_what_telegram_leaves_open() throws Exception {
    reopenWith("permanentErrors", List.of("sticker .* frozen"));
    telegram.refuse(FakeTelegram.error(500, "sticker set frozen"));
    assertThat(send("42")).isInstanceOf(Outcome.Rejected.class);
  }

  @Test
  void a_probe_names_the_bot() throws Exception {
    assertThat(link.probe()).isEqualTo(new Probe.Healthy("@fake_bot"));
  }

  @Test
  void a_probe_tells_a_refused_bot_from_an_unreachable_platform() throws Exception {
    telegram.platform().answer(FakeTelegram.unauthorized());
    assertThat(link.probe()).isEqualTo(new Probe.Broken("401 Unauthorized"));
    telegram.platform().answer(Reply.html(502, "Bad Gateway"));
    assertThat(link.probe()).isInstanceOf(Probe.Unreachable.class);
    telegram.close();
    assertThat(link.probe()).isInstanceOf(Probe.Unreachable.class);
  }

  static List<Reply> repliesThatQuoteTheToken() {
    return List.of(
        FakeTelegram.error(400, "Bad Request: no method at /bot" + TOKEN + "/x"),
        FakeTelegram.error(401, "Unauthorized: AAH-very-secret"),
        Reply.html(404, "<p>/bot123456%3AAAH-very-secret/sendMessage not found</p>"),
        Reply.text(302, "text/plain", TOKEN).header("Location", "https://x/bot" + TOKEN));
  }

  @ParameterizedTest
  @MethodSource("repliesThatQuoteTheToken")
  void the_token_is_in_no_outcome(Reply reply) throws Exception {
    telegram.refuse(reply);
    assertThat(send("42").toString()).doesNotContain("very-secret");
    telegram.platform().answer(reply);
    assertThat(link.probe().toString()).doesNotContain("very-secret");
  }

  @Test
  void the_token_is_in_no_outcome_when_nothing_answers() throws Exception {
    telegram.lose(new Reply.HangUp());
    assertThat(send("42").toString()).doesNotContain("very-secret");
    telegram.close();
    assertThat(send("42").toString()).doesNotContain("very-secret");
  }

  @Test
  void a_mangled_token_makes_an_address_that_telegram_can_refuse() throws Exception {
    reopenWith("token", "not a token\n{}");
    telegram.refuse(FakeTelegram.error(404, "Not Found"));
    assertThat(send("42")).isInstanceOf(Outcome.AccountBroken.class);
  }

  @Test
  void a_useless_base_url_is_refused_without_showing_the_token() {
    for (String base : List.of("no url", "ftp://host", "http://", "api.telegram.org")) {
      assertThatThrownBy(() -> reopenWith("baseUrl", base))
          .hasMessageStartingWith("account tg: baseUrl is not an address")
          .hasNoCause();
    }
  }

  @Test
  void an_account_without_a_token_is_refused() {
    assertThatThrownBy(
            () -> new TelegramChannel().open(TestAccount.of(AccountConfig.of("tg", "telegram"))))
        .hasMessage("account tg: token is missing");
  }

  @Test
  void a_reply_to_something_that_is_no_message_id_is_dropped_without_asking() throws Exception {
    Dispatch part = account.part(account.part("42", "hi").message().toBuilder().replyToId("m-1"));
    assertThat(link.send(part))
        .isInstanceOfSatisfying(
            Outcome.Repairable.class, r -> assertThat(r.fix()).isEqualTo(new Fix.DropReply()));
    assertThat(telegram.platform().requests()).isEmpty();
  }
}
