package dev.postrider.channels.line;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Link;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Probe;
import dev.postrider.channel.Remembered;
import dev.postrider.channels.TestAccount;
import dev.postrider.config.AccountConfig;
import dev.postrider.message.Fix;
import dev.postrider.message.Message;
import dev.postrider.testkit.platform.Reply;
import dev.postrider.testkit.platform.Request;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LineLinkTest {
  private static final String ANN = "U4af4980629000000000000000000abcd";
  private static final Duration DAY = Duration.ofHours(24);

  private final FakeLine line = new FakeLine();
  private final AccountConfig config =
      AccountConfig.of("shop", "line")
          .set("token", "long-lived-token")
          .set("baseUrl", line.platform.baseUrl())
          .set("timeout", "5m");
  private final TestAccount account = TestAccount.of(config);
  private final Link link = new LineChannel().open(account);

  @AfterEach
  void close() {
    link.close();
    line.close();
  }

  // ---- push

  @Test
  void a_part_is_pushed_with_a_key_made_of_its_own() throws Exception {
    Dispatch part = account.part(ANN, "hello");

    assertThat(link.send(part)).isEqualTo(Outcome.delivered("1"));

    Request request = line.platform.onlyRequest();
    assertThat(request.path()).isEqualTo("/v2/bot/message/push");
    assertThat(request.headers()).containsEntry("authorization", "Bearer long-lived-token");
    UUID key = UUID.fromString(Objects.requireNonNull(request.headers().get("x-line-retry-key")));
    assertThat(key).hasToString(LineRequest.retryKey(part.key()));
    assertThat(key.version()).isEqualTo(5);
    assertThat(line.shown().getFirst().path("to").asString()).isEqualTo(ANN);
  }

  @Test
  void a_push_that_got_no_answer_is_sent_again_with_the_same_key_and_body_and_shown_once()
      throws Exception {
    Dispatch part = account.part(ANN, "hello");
    assertThat(link.send(part)).isEqualTo(Outcome.delivered("1"));

    Dispatch again = part.inDoubt(account.scheduler().instant());
    assertThat(link.remembers(again, DAY)).isEqualTo(DAY);
    assertThat(link.send(again))
        .as("409, with the ids of the first time")
        .isEqualTo(Outcome.delivered("1"));

    assertThat(line.shown()).hasSize(1);
    assertThat(line.platform.requests().stream().map(Request::text).distinct()).hasSize(1);
  }

  @Test
  void a_user_who_has_blocked_the_account_is_delivered_with_a_word_about_it() throws Exception {
    account.memory().write(Remembered.of(ANN, LineLink.UNFOLLOWED, "2026-02-01T00:00:00Z"));
    assertThat(link.send(account.part(ANN, "hello")))
        .isInstanceOfSatisfying(
            Outcome.Delivered.class,
            it -> assertThat(it.note()).contains("blocked the account since 2026-02-01"));
  }

  // ---- replies

  private void heard(String id, String token) {
    line.gives(token);
    account.memory().write(ReplyTokens.remember(ANN, id, token, account.scheduler().instant()));
  }

  private Message.Builder answer(String text) {
    return Message.to("shop", ANN).text(text).turnId("turn-1");
  }

  @Test
  void an_answer_uses_the_reply_token_once_and_the_next_one_is_pushed() throws Exception {
    heard("m1", "token-1");

    assertThat(link.send(account.part(answer("one")))).isInstanceOf(Outcome.Delivered.class);
    assertThat(link.send(account.part(answer("two")))).isInstanceOf(Outcome.Delivered.class);

    assertThat(line.shown().get(0).path("replyToken").asString()).isEqualTo("token-1");
    assertThat(line.shown().get(1).path("to").asString()).isEqualTo(ANN);
    assertThat(Objects.requireNonNull(line.last("/v2/bot/message/reply")).headers())
        .doesNotContainKey("x-line-retry-key");
  }

  @Test
  void each_answer_uses_the_token_of_the_message_it_replies_to() throws Exception {
    heard("m1", "token-1");
    heard("m2", "token-2");
    account.memory().write(Remembered.of(ANN, LineLink.QUOTE + "m1", "quote-1"));

    link.send(account.part(Message.to("shop", ANN).text("to one").replyToId("m1")));
    link.send(account.part(answer("to the last")));

    assertThat(line.shown().get(0).path("replyToken").asString()).isEqualTo("token-1");
    assertThat(line.shown().get(0).at("/messages/0/quoteToken").asString()).isEqualTo("quote-1");
    assertThat(line.shown().get(1).path("replyToken").asString()).isEqualTo("token-2");
  }

  @Test
  void after_a_minute_it_is_pushed() throws Exception {
    heard("m1", "token-1");
    account.scheduler().pass(Duration.ofSeconds(51));
    link.send(account.part(answer("late")));
    assertThat(line.platform.requests())
        .extracting(Request::path)
        .containsExactly("/v2/bot/message/push");
  }

  @Test
  void a_token_that_line_does_not_take_is_followed_by_a_push_at_once() throws Exception {
    account.memory().write(ReplyTokens.remember(ANN, "m1", "used", account.scheduler().instant()));
    Dispatch part = account.part(answer("hello"));

    assertThat(link.send(part)).isEqualTo(Outcome.delivered("1"));
    assertThat(line.shown()).hasSize(1);
    assertThat(line.shown().getFirst().path("to").asString()).isEqualTo(ANN);
    assertThat(link.remembers(part, DAY)).isEqualTo(DAY);
  }

  @Test
  void a_reply_that_got_no_answer_is_not_silently_pushed_again() throws Exception {
    heard("m1", "token-1");
    line.platform.answer(new Reply.HangUp());
    Dispatch part = account.part(answer("hello"));

    assertThat(link.send(part)).isInstanceOf(Outcome.Unknown.class);

    Dispatch again = part.inDoubt(account.scheduler().instant());
    assertThat(link.remembers(again, DAY)).as("so that onUnknown decides").isZero();
    heard("m2", "token-2");
    assertThat(link.remembers(again, DAY)).as("whatever is heard meanwhile").isZero();

    assertThat(link.send(again)).as("it was decided to send it").isEqualTo(Outcome.delivered("1"));
    assertThat(line.shown().getFirst().path("to").asString()).as("by push").isEqualTo(ANN);
    assertThat(link.remembers(again, DAY)).as("whose key is known").isEqualTo(DAY);
  }

  @Test
  void a_push_in_doubt_is_never_repeated_as_a_reply() throws Exception {
    line.platform.answer(new Reply.HangUp());
    Dispatch part = account.part(answer("hello"));
    assertThat(link.send(part)).isInstanceOf(Outcome.Unknown.class);
    heard("m1", "token-1");
    link.send(part.inDoubt(account.scheduler().instant()));
    assertThat(line.last("/v2/bot/message/reply")).isNull();
  }

  @Test
  void of_many_answers_at_once_one_gets_the_token() throws Exception {
    heard("m1", "token-1");
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Outcome>> all =
          IntStream.range(0, 8)
              .mapToObj(i -> threads.submit(() -> link.send(account.part(answer("n" + i)))))
              .toList();
      for (Future<Outcome> one : all) {
        assertThat(one.get()).isInstanceOf(Outcome.Delivered.class);
      }
    }
    assertThat(line.shown().stream().filter(it -> it.has("replyToken"))).hasSize(1);
    assertThat(line.platform.requests().stream().filter(it -> it.path().endsWith("reply")))
        .hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({"answers, false", "always, true", "never, false"})
  void the_setting_says_whether_what_is_no_answer_uses_tokens_too(String reply, boolean uses)
      throws Exception {
    heard("m1", "token-1");
    try (Link other = new LineChannel().open(with("reply", reply))) {
      other.send(account.part(ANN, "news"));
    }
    assertThat(line.shown().getFirst().has("replyToken")).isEqualTo(uses);
  }

  @Test
  void answers_are_pushed_where_the_setting_says_never() throws Exception {
    heard("m1", "token-1");
    try (Link other = new LineChannel().open(with("reply", "never"))) {
      other.send(account.part(answer("hello")));
    }
    assertThat(line.shown().getFirst().has("to")).isTrue();
  }

  private TestAccount with(String key, String value) {
    return new TestAccount(
        config.set(key, value), account.scheduler(), account.readiness(), account.memory());
  }

  @Test
  void what_cannot_be_quoted_is_sent_without() throws Exception {
    Message.Builder message = Message.to("shop", ANN).text("hello").replyToId("m9");
    assertThat(link.send(account.part(message)))
        .isInstanceOfSatisfying(
            Outcome.Repairable.class, it -> assertThat(it.fix()).isEqualTo(new Fix.DropReply()));
    assertThat(line.platform.requests()).isEmpty();
    assertThat(link.send(account.part(message, new Fix.DropReply())))
        .isEqualTo(Outcome.delivered("1"));
  }

  // ---- the month's quota

  @Test
  void a_used_up_month_stops_the_account_until_there_is_more() throws Exception {
    line.quota(200, 200);
    assertThat(link.send(account.part(ANN, "hello")))
        .isInstanceOfSatisfying(
            Outcome.AccountBroken.class,
            it -> assertThat(it.cause()).contains("monthly limit", "200 of 200"));
    assertThat(link.probe()).isInstanceOf(Probe.Broken.class);
    account.scheduler().pass(Duration.ofDays(14));
    assertThat(link.probe()).as("two weeks later").isInstanceOf(Probe.Broken.class);

    line.quota(5000, 200);
    assertThat(link.probe()).as("another plan").isInstanceOf(Probe.Healthy.class);
  }

  @Test
  void a_new_month_lets_the_account_go_on() throws Exception {
    line.quota(200, 200);
    link.send(account.part(ANN, "hello"));
    line.quota(200, 0);
    assertThat(link.probe()).isInstanceOf(Probe.Healthy.class);
    assertThat(link.send(account.part(ANN, "hello"))).isInstanceOf(Outcome.Delivered.class);
  }

  @Test
  void a_group_that_is_larger_than_what_is_left_is_tried_again_after_hours_and_not_at_once()
      throws Exception {
    line.quota(200, 150);
    line.platform.answer(FakeLine.error(429, "You have reached your monthly limit."));
    assertThat(link.send(account.part("C4af4980629000000000000000000abcd", "hello all")))
        .isInstanceOf(Outcome.AccountBroken.class);
    assertThat(link.probe()).isInstanceOf(Probe.Broken.class);
    account.scheduler().pass(Duration.ofHours(7));
    assertThat(link.probe()).isInstanceOf(Probe.Healthy.class);
  }

  @Test
  void a_used_up_quota_that_nothing_was_refused_for_is_told_and_stops_nobody() throws Exception {
    line.quota(200, 200);
    assertThat(link.probe())
        .isEqualTo(new Probe.Healthy("Shop @216abc, 200 of 200 messages of this month sent"));
  }

  // ---- who we are

  @Test
  void a_probe_says_that_the_webhook_is_off() throws Exception {
    line.webhookIsOff();
    try (Link hearing = new LineChannel().open(with("channelSecret", "channel-secret"))) {
      assertThat(hearing.probe())
          .isInstanceOfSatisfying(
              Probe.Healthy.class,
              it -> assertThat(it.identity()).contains("switch on \"Use webhook\""));
    }
  }

  @Test
  void a_wrong_token_is_named_with_the_remedy() throws Exception {
    line.revoke();
    assertThat(link.probe())
        .isInstanceOfSatisfying(
            Probe.Broken.class, it -> assertThat(it.cause()).contains("401", "issue a new token"));
  }

  // ---- tokens

  private TestAccount exchanging(String secret) {
    return new TestAccount(
        AccountConfig.of("shop", "line")
            .set("channelId", "1234567890")
            .set("channelSecret", secret)
            .set("baseUrl", line.platform.baseUrl()),
        account.scheduler(),
        account.readiness(),
        account.memory());
  }

  @Test
  void a_token_that_expires_in_the_middle_of_a_run_is_renewed_once_for_all() throws Exception {
    try (Link other = new LineChannel().open(exchanging("channel-secret"));
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      assertThat(other.send(account.part(ANN, "first"))).isInstanceOf(Outcome.Delivered.class);
      account.scheduler().pass(Duration.ofMinutes(16));
      List<Future<Outcome>> all =
          IntStream.range(0, 8)
              .mapToObj(i -> threads.submit(() -> other.send(account.part(ANN, "n" + i))))
              .toList();
      for (Future<Outcome> one : all) {
        assertThat(one.get()).isInstanceOf(Outcome.Delivered.class);
      }
    }
    assertThat(line.issued()).isEqualTo(2);
    assertThat(line.shown()).hasSize(9);
  }

  @Test
  void a_token_that_was_revoked_is_replaced_and_nothing_is_charged() throws Exception {
    try (Link other = new LineChannel().open(exchanging("channel-secret"))) {
      other.send(account.part(ANN, "first"));
      line.revoke();
      assertThat(other.send(account.part(ANN, "second"))).isInstanceOf(Outcome.Delivered.class);
    }
    assertThat(line.issued()).isEqualTo(2);
  }

  @Test
  void a_wrong_secret_is_named_with_the_remedy() throws Exception {
    try (Link other = new LineChannel().open(exchanging("wrong-secret"))) {
      assertThat(other.probe())
          .isInstanceOfSatisfying(
              Probe.Broken.class,
              it ->
                  assertThat(it.cause())
                      .contains("check channelId and channelSecret")
                      .doesNotContain("wrong-secret"));
    }
  }

  @Test
  void an_issued_token_is_not_repeated_from_an_answer() throws Exception {
    try (Link other = new LineChannel().open(exchanging("channel-secret"))) {
      other.send(account.part(ANN, "first"));
      line.platform.answer(FakeLine.error(400, "no header: Bearer stateless-1"));
      assertThat(other.send(account.part(ANN, "second")).toString()).doesNotContain("stateless-1");
    }
  }

  @Test
  void token_and_channel_id_are_two_ways_of_which_one_must_be_chosen() {
    assertThatThrownBy(() -> new LineChannel().open(TestAccount.of(config.set("channelId", "1"))))
        .hasMessageContaining("token and channelId are both there");
    assertThatThrownBy(
            () -> new LineChannel().open(TestAccount.of(AccountConfig.of("shop", "line"))))
        .hasMessageContaining("give the channel's long-lived token, or channelId");
    assertThatThrownBy(
            () ->
                new LineChannel()
                    .open(TestAccount.of(AccountConfig.of("shop", "line").set("channelId", "1"))))
        .hasMessageContaining("channelSecret is missing");
    assertThatThrownBy(
            () -> new LineChannel().open(TestAccount.of(config.set("reply", "sometimes"))))
        .hasMessageContaining("reply is none of");
  }
}
