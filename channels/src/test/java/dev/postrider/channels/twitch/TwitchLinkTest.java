package dev.postrider.channels.twitch;

import static dev.postrider.channels.twitch.FakeTwitch.ANN;
import static dev.postrider.channels.twitch.FakeTwitch.BOT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Link;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Probe;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.channels.StillTime;
import dev.postrider.channels.TestAccount;
import dev.postrider.channels.TestMemory;
import dev.postrider.config.AccountConfig;
import dev.postrider.config.Pace;
import dev.postrider.internal.plan.Planner;
import dev.postrider.message.Fix;
import dev.postrider.message.Message;
import dev.postrider.message.MessageId;
import dev.postrider.message.Part;
import dev.postrider.problem.InvalidInput;
import dev.postrider.testkit.platform.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TwitchLinkTest {
  private static final TwitchChannel CHANNEL = new TwitchChannel();

  private final StillTime time = new StillTime();
  private final FakeTwitch twitch = new FakeTwitch(time);
  private final TestMemory memory = new TestMemory(time);
  private final List<Link> opened = new ArrayList<>();

  @AfterEach
  void close() {
    opened.forEach(Link::close);
    twitch.close();
  }

  private TestAccount account(AccountConfig config) {
    return new TestAccount(config, time, new ArrayList<>(), memory);
  }

  private final TestAccount account = account(twitch.account());

  private Link start(AccountConfig config) {
    Link link = CHANNEL.open(account(config));
    opened.add(link);
    return link;
  }

  /** Sends, and keeps what is to be remembered, as the engine does. */
  private Outcome send(Link link, Dispatch part) throws Exception {
    Outcome outcome = link.send(part);
    if (outcome instanceof Outcome.Delivered it) {
      memory.write(it.memory());
    }
    return outcome;
  }

  private static String id(Outcome outcome) {
    return ((Outcome.Delivered) outcome).receipt().id();
  }

  @Test
  void a_text_is_sent_as_one_line() throws Exception {
    Outcome outcome = send(start(twitch.account()), account.part(ANN, "one\n\n  two\r\nthree "));
    assertThat(id(outcome)).isEqualTo("message-1");
    assertThat(twitch.said.getFirst().toString())
        .isEqualTo(
            "{\"broadcaster_id\":\"12826\",\"sender_id\":\"141981764\","
                + "\"message\":\"one two three\"}");
  }

  @Test
  void a_reply_names_what_it_answers_and_goes_without_once_that_is_gone() throws Exception {
    Link link = start(twitch.account());
    Message.Builder reply = Message.to("tw", ANN).text("yes").replyToId("m1");
    send(link, account.part(reply));
    send(link, account.part(Message.to("tw", ANN).text("here").threadId("t1")));
    send(link, account.part(Message.to("tw", ANN).text("no").replyToId("m1"), new Fix.DropReply()));
    assertThat(twitch.said)
        .extracting(body -> body.path("reply_parent_message_id").asString(""))
        .containsExactly("m1", "t1", "");
  }

  @Test
  void a_name_is_looked_up_once_an_hour() throws Exception {
    Link link = start(twitch.account());
    send(link, account.part("#ann", "1"));
    send(link, account.part("#ann", "2"));
    assertThat(lookups()).isEqualTo(1);
    time.pass(Duration.ofHours(2));
    send(link, account.part("#ann", "3"));
    assertThat(lookups()).isEqualTo(2);
    assertThat(twitch.said).allMatch(body -> body.path("broadcaster_id").asString().equals(ANN));
    assertThat(send(link, account.part("#nobody", "x")))
        .isEqualTo(new Outcome.Rejected(Outcome.Blame.TARGET, "nobody on Twitch is called nobody"));
    twitch.helix.answer(Reply.html(502, "<h1>Oops</h1>"));
    assertThat(send(link, account.part("#bob", "x")))
        .as("a question shows nothing")
        .isInstanceOf(Outcome.NotSent.class);
  }

  private long lookups() {
    return twitch.helix.requests().stream()
        .filter(request -> request.path().startsWith("/helix/users"))
        .count();
  }

  // ---- the same text

  @Test
  void a_repeat_of_our_own_that_twitch_drops_has_arrived_before() throws Exception {
    Link link = start(twitch.account());
    Dispatch part = account.part(ANN, "hello");
    twitch.helix.when(_ -> twitch.said.isEmpty(), request -> hungUpAfter(request));
    assertThat(send(link, part)).isInstanceOf(Outcome.Unknown.class);
    Dispatch again = part.inDoubt(time.instant());
    time.pass(Duration.ofSeconds(5));
    assertThat(send(link, again))
        .isInstanceOfSatisfying(
            Outcome.Delivered.class,
            it -> assertThat(it.note()).contains("an earlier try had arrived"));
    assertThat(twitch.said).hasSize(1);
  }

  private Reply hungUpAfter(dev.postrider.testkit.platform.Request request) {
    twitch.helix(request);
    return new Reply.HangUp();
  }

  @Test
  void what_a_person_says_twice_waits_until_twitch_takes_it_again() throws Exception {
    Link link = start(twitch.account());
    send(link, account.part(ANN, "hello"));
    time.pass(Duration.ofSeconds(12));
    Dispatch second = account.part(ANN, "hello");
    assertThat(send(link, second))
        .isEqualTo(
            new Outcome.Throttled(
                ThrottleScope.CHAT,
                Duration.ofSeconds(18),
                "msg_duplicate: Twitch takes the same text again after 30 seconds"));
    time.pass(Duration.ofSeconds(18));
    assertThat(id(send(link, second))).isEqualTo("message-2");
  }

  @Test
  void a_second_message_in_doubt_is_not_taken_for_the_first() throws Exception {
    Link link = start(twitch.account());
    send(link, account.part(ANN, "hello"));
    time.pass(Duration.ofSeconds(10));
    Dispatch second = account.part(ANN, "hello").inDoubt(time.instant());
    time.pass(Duration.ofSeconds(5));
    assertThat(send(start(twitch.account()), second))
        .as("its first try was dropped for the message before it, in another process even")
        .isInstanceOf(Outcome.Throttled.class);
    time.pass(Duration.ofSeconds(15));
    assertThat(id(send(link, second))).isEqualTo("message-2");
  }

  @Test
  void the_same_said_by_somebody_else_with_our_account_is_waited_for() throws Exception {
    twitch.helix.answer(FakeTwitch.dropped("msg_duplicate", "identical"));
    assertThat(send(start(twitch.account()), account.part(ANN, "hello")))
        .isInstanceOfSatisfying(
            Outcome.Throttled.class,
            it -> assertThat(it.delay()).isEqualTo(Duration.ofSeconds(30)));
  }

  @Test
  void in_a_chat_where_nothing_may_be_said_twice_a_repeat_of_our_own_has_arrived()
      throws Exception {
    Link link = start(twitch.account());
    twitch.helix.answer(FakeTwitch.dropped("msg_r9k", "not unique"));
    assertThat(send(link, account.part(ANN, "x").inDoubt(time.instant())))
        .isInstanceOf(Outcome.Delivered.class);
    twitch.helix.answer(FakeTwitch.dropped("msg_r9k", "not unique"));
    assertThat(send(link, account.part(ANN, "x"))).isInstanceOf(Outcome.Rejected.class);
  }

  // ---- tokens

  @Test
  void a_token_that_runs_out_between_two_messages_is_renewed_and_nothing_is_lost()
      throws Exception {
    Link link = start(twitch.renewed());
    assertThat(send(link, account.part(ANN, "1"))).isInstanceOf(Outcome.Delivered.class);
    time.pass(Duration.ofHours(4));
    assertThat(send(link, account.part(ANN, "2"))).isInstanceOf(Outcome.Delivered.class);
    assertThat(twitch.renewals).hasValue(2);
    assertThat(send(start(twitch.renewed()), account.part(ANN, "3")))
        .as("after a restart, with the token that was kept")
        .isInstanceOf(Outcome.Delivered.class);
    assertThat(twitch.renewals).hasValue(2);
  }

  @Test
  void a_token_that_is_refused_is_renewed_once_for_many_threads_and_nothing_is_charged()
      throws Exception {
    Link link = start(twitch.renewed());
    send(link, account.part(ANN, "first"));
    twitch.revoked = "access-token-1";
    List<Callable<Outcome>> many =
        IntStream.range(0, 8)
            .mapToObj(chat -> (Callable<Outcome>) () -> link.send(account.part("100" + chat, "x")))
            .toList();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<Outcome> future : threads.invokeAll(many)) {
        assertThat(future.get().label()).isIn("throttled", "delivered");
      }
    }
    assertThat(send(link, account.part(ANN, "second"))).isInstanceOf(Outcome.Delivered.class);
    assertThat(twitch.renewals).hasValue(2);
  }

  @Test
  void a_refresh_token_that_is_used_up_breaks_the_account_and_says_what_to_do() throws Exception {
    twitch.renewals.set(7);
    assertThat(send(start(twitch.renewed()), account.part(ANN, "x")))
        .isEqualTo(
            new Outcome.AccountBroken(
                "Twitch gives no access token: 400 Invalid refresh token; authorise the bot"
                    + " again, and put the new refresh token into refreshToken"));
  }

  @ParameterizedTest
  @CsvSource({
    "400, invalid client, check clientId",
    "403, invalid client secret, check clientSecret",
    "401, something else, authorise the bot again"
  })
  void whoever_gives_tokens_says_no(int status, String text, String remedy) throws Exception {
    twitch.id.answer(FakeTwitch.json(status, Map.of("status", status, "message", text)));
    assertThat(send(start(twitch.renewed()), account.part(ANN, "x")))
        .isInstanceOfSatisfying(
            Outcome.AccountBroken.class, it -> assertThat(it.cause()).contains(text, remedy));
  }

  @ParameterizedTest
  @CsvSource({"502, not-sent", "429, throttled", "404, account-broken", "302, account-broken"})
  void a_proxy_in_front_of_it_says_something(int status, String label) throws Exception {
    twitch.id.answer(Reply.html(status, "<h1>Oops</h1>"));
    assertThat(send(start(twitch.account()), account.part(ANN, "x")).label()).isEqualTo(label);
    assertThat(twitch.helix.requests()).isEmpty();
  }

  @Test
  void an_app_sends_for_the_bot_that_is_named() throws Exception {
    Link link = start(twitch.app());
    Message.Builder message =
        Message.to("tw", ANN).text("x").channelData(Map.of("for_source_only", false));
    assertThat(send(link, account.part(message))).isInstanceOf(Outcome.Delivered.class);
    assertThat(twitch.said.getFirst().path("sender_id").asString()).isEqualTo(BOT);
    assertThat(twitch.said.getFirst().path("for_source_only").asBoolean(true)).isFalse();
    assertThat(link.probe()).isEqualTo(new Probe.Healthy("an app, for user " + BOT));
  }

  @Test
  void a_scope_that_is_missing_is_named() throws Exception {
    twitch.scopes = List.of("user:read:chat", "chat:edit");
    Link link = start(twitch.account());
    String says =
        "the token lacks the scope user:write:chat; authorise the bot again with"
            + " scope=user:write:chat+user:read:chat";
    assertThat(send(link, account.part(ANN, "x"))).isEqualTo(new Outcome.AccountBroken(says));
    assertThat(link.probe()).isEqualTo(new Probe.Broken(says));
    assertThat(twitch.said).isEmpty();
  }

  @Test
  void a_token_as_it_stands_that_has_run_out_is_named() throws Exception {
    twitch.revoked = FakeTwitch.TOKEN;
    assertThat(send(start(twitch.account()), account.part(ANN, "x")))
        .isInstanceOfSatisfying(
            Outcome.AccountBroken.class,
            it -> assertThat(it.cause()).contains("401 invalid access token", "refreshToken"));
  }

  @ParameterizedTest
  @CsvSource({"clientId, other, another app than clientId", "senderId, 7, leave senderId out"})
  void settings_that_are_not_the_tokens_are_named(String key, String value, String says)
      throws Exception {
    assertThat(start(twitch.account().set(key, value)).probe())
        .isInstanceOfSatisfying(Probe.Broken.class, it -> assertThat(it.cause()).contains(says));
  }

  @Test
  void the_token_is_asked_after_once_an_hour_and_an_outage_of_that_stops_nobody() throws Exception {
    Link link = start(twitch.account());
    send(link, account.part(ANN, "1"));
    send(link, account.part(ANN, "2"));
    assertThat(twitch.id.requests()).hasSize(1);
    time.pass(Duration.ofMinutes(61));
    twitch.id.answer(Reply.html(502, "<h1>Oops</h1>"));
    assertThat(send(link, account.part(ANN, "3"))).isInstanceOf(Outcome.Delivered.class);
    assertThat(twitch.id.requests()).hasSizeGreaterThan(1);
  }

  @Test
  void a_probe_says_who_we_are() throws Exception {
    assertThat(start(twitch.account()).probe()).isEqualTo(new Probe.Healthy("rider"));
  }

  @Test
  void no_secret_is_in_any_outcome() throws Exception {
    twitch.helix.answer(FakeTwitch.error(400, "header access-token-1 is odd"));
    Link link = start(twitch.renewed());
    assertThat(send(link, account.part(ANN, "x")).toString()).doesNotContain("access-token-1");
    twitch.id.answer(
        FakeTwitch.json(400, Map.of("message", "refresh-0 client-secret-1 are unknown")));
    Link other = start(twitch.renewed().set("refreshToken", "refresh-other"));
    assertThat(send(other, account.part(ANN, "x")).toString())
        .doesNotContain("client-secret-1")
        .doesNotContain("refresh-other");
  }

  // ---- what the channel says of itself

  @ParameterizedTest
  @CsvSource({
    "token, refreshToken, '', token and refreshToken are both given",
    "'', '', '', refreshToken is missing; give clientSecret and refreshToken",
    "clientSecret, '', '', senderId is missing",
    "token, standing, '', standing is none of ordinary",
    "token, listenTo, a b, listenTo holds what is no name"
  })
  void an_account_that_cannot_work_is_refused(
      String first, String second, String value, String says) {
    AccountConfig config = AccountConfig.of("tw", "twitch").set("clientId", "c");
    config = first.isEmpty() ? config : config.set(first, "value-1");
    AccountConfig wrong =
        second.isEmpty() ? config : config.set(second, value.isEmpty() ? "value-2" : value);
    assertThatThrownBy(() -> CHANNEL.checkAccount(wrong)).hasMessageContaining(says);
  }

  @Test
  void the_standing_of_an_account_decides_how_fast_it_may_be() {
    assertThat(pace("ordinary")).isEqualTo(new Pace(Map.of(Duration.ofSeconds(30), 15), 5));
    assertThat(pace("moderator")).isEqualTo(new Pace(Map.of(Duration.ofSeconds(30), 95), 5));
    assertThat(pace("verified")).isEqualTo(new Pace(Map.of(Duration.ofSeconds(30), 7125), 375));
    assertThat(CHANNEL.capabilities(twitch.account()).remembers()).hasSeconds(25);
    assertThat(CHANNEL.capabilities(twitch.account().set("standing", "moderator")).deduplicates())
        .as("moderators may repeat themselves")
        .isFalse();
  }

  private Pace pace(String standing) {
    return CHANNEL.capabilities(twitch.account().set("standing", standing)).pace();
  }

  @Test
  void a_long_text_is_cut_as_twitch_counts() {
    Message message = Message.to("tw", ANN).text("😀".repeat(300)).build();
    List<Part> parts =
        Planner.plan(
                new MessageId(UUID.fromString("01990000-0000-7000-8000-000000000001")),
                message,
                CHANNEL.capabilities(twitch.account()),
                _ -> Optional.empty())
            .parts();
    assertThat(parts).hasSize(2);
    assertThat(parts).allMatch(part -> String.valueOf(part.text()).length() <= 500);
  }

  @Test
  void channel_data_that_twitch_does_not_know_is_refused() {
    for (Map<String, ?> data :
        List.of(Map.of("color", "red"), Map.of("for_source_only", "maybe"))) {
      Message message = Message.to("tw", ANN).text("x").channelData(Map.copyOf(data)).build();
      assertThatThrownBy(() -> TwitchRequest.check(message)).isInstanceOf(InvalidInput.class);
    }
    Message empty = Message.to("tw", ANN).channelData(Map.of("for_source_only", true)).build();
    assertThatThrownBy(() -> TwitchRequest.check(empty)).isInstanceOf(InvalidInput.class);
  }
}
