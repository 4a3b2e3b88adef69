package dev.postrider.channels.nextcloud;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.channel.Channel;
import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Link;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.Probe;
import dev.postrider.channel.Reconciliation;
import dev.postrider.channel.Remembered;
import dev.postrider.channels.TestAccount;
import dev.postrider.channels.http.Json;
import dev.postrider.config.AccountConfig;
import dev.postrider.message.Fix;
import dev.postrider.message.Message;
import dev.postrider.message.Part;
import dev.postrider.message.Plan;
import dev.postrider.message.Receipt;
import dev.postrider.problem.InvalidInput;
import dev.postrider.testkit.platform.Reply;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

class NextcloudLinkTest {
  private static final String ROOM = "n3xtc10ud";
  private static final String OTHER = "room2345";
  private static final String STRANGE = "strange1";

  private final FakeTalk talk = new FakeTalk();
  private final Channel channel = new NextcloudChannel();
  private final List<Link> links = new ArrayList<>();
  private TestAccount account = TestAccount.of(config());

  private AccountConfig config() {
    return AccountConfig.of("nc", "nextcloud-talk")
        .set("baseUrl", talk.baseUrl() + "/")
        .set("secret", FakeTalk.SECRET)
        .set("timeout", "5m");
  }

  private Link link() {
    links.add(channel.open(account));
    return links.getLast();
  }

  private Link link(AccountConfig config) {
    account = new TestAccount(config, account.scheduler(), new ArrayList<>(), account.memory());
    return link();
  }

  @AfterEach
  void close() {
    links.forEach(Link::close);
    talk.close();
  }

  private Outcome send(Link link, String conversation) throws Exception {
    return link.send(account.part(conversation, "hello"));
  }

  // ---- sending

  @Test
  void what_is_signed_is_the_text_and_not_the_request() throws Exception {
    Dispatch part = account.part(ROOM, "Grüße, 👋 \"world\" \\ {braces}");

    Outcome outcome = link().send(part);

    assertThat(outcome).isInstanceOf(Outcome.Delivered.class);
    assertThat(talk.posts())
        .containsExactly(
            Json.tree(
                Map.of("message", "Grüße, 👋 \"world\" \\ {braces}", "referenceId", part.key())));
  }

  @Test
  void the_receipt_is_the_reference_id_since_talk_tells_no_other() throws Exception {
    Dispatch part = account.part(ROOM, "hello");

    assertThat(link().send(part))
        .isInstanceOfSatisfying(
            Outcome.Delivered.class,
            it -> assertThat(it.receipt()).isEqualTo(new Receipt(part.key(), false)));
  }

  @Test
  void every_request_has_a_random_value_of_its_own_and_every_try_the_same_reference()
      throws Exception {
    Link link = link();
    Dispatch part = account.part(ROOM, "hello");
    link.send(part);
    link.send(part);

    assertThat(talk.platform.requests())
        .extracting(each -> each.headers().get("x-nextcloud-talk-bot-random"))
        .doesNotHaveDuplicates();
    assertThat(talk.posts())
        .extracting(each -> each.path("referenceId").asString())
        .containsOnly(part.key());
  }

  @Test
  void a_reply_a_thread_and_silence_go_along() throws Exception {
    talk.add(ROOM, "", 0);
    Message.Builder message =
        Message.to("nc", ROOM).text("x").replyToId("1").threadId("17").silent(true);

    assertThat(link().send(account.part(message))).isInstanceOf(Outcome.Delivered.class);
    JsonNode post = talk.posts().getFirst();
    assertThat(post.path("replyTo").isIntegralNumber()).isTrue();
    assertThat(post.path("replyTo").asInt()).isEqualTo(1);
    assertThat(post.path("threadId").asInt()).isEqualTo(17);
    assertThat(post.path("silent").asBoolean()).isTrue();
  }

  @Test
  void a_reply_to_what_is_not_there_is_sent_without_the_quote() throws Exception {
    Link link = link();
    Message.Builder message = Message.to("nc", ROOM).text("x").replyToId("999");

    assertThat(link.send(account.part(message)))
        .isInstanceOfSatisfying(
            Outcome.Repairable.class, it -> assertThat(it.fix()).isEqualTo(new Fix.DropReply()));
    assertThat(link.send(account.part(message, new Fix.DropReply())))
        .isInstanceOf(Outcome.Delivered.class);
    assertThat(talk.posts().getLast().has("replyTo")).isFalse();
  }

  @Test
  void a_reply_to_an_id_that_talk_cannot_have_given_is_not_even_tried() throws Exception {
    Dispatch part = account.part(Message.to("nc", ROOM).text("x").replyToId("ab12"));

    assertThat(link().send(part)).isInstanceOf(Outcome.Repairable.class);
    assertThat(talk.platform.requests()).isEmpty();
  }

  @Test
  void a_title_begins_a_thread() throws Exception {
    Message.Builder message =
        Message.to("nc", ROOM).text("x").channelData(Map.of("threadTitle", "Deploys"));

    link().send(account.part(message));

    assertThat(talk.posts().getFirst().path("threadTitle").asString()).isEqualTo("Deploys");
  }

  @Test
  void channel_data_that_talk_could_only_refuse_is_refused_early() {
    Message.Builder message = Message.to("nc", ROOM).text("x");
    assertRefused(
        message.channelData(Map.of("actor", "x")), "channelData.actor", "known is threadTitle");
    assertRefused(
        message.channelData(Map.of("threadTitle", " ")), "channelData.threadTitle", "200");
    assertRefused(
        message.channelData(Map.of("threadTitle", "T")).threadId("5"),
        "channelData.threadTitle",
        "leave out");
    assertRefused(
        Message.to("nc", ROOM).text("x").threadId("x"), "threadId", "number of a Talk message");
  }

  private void assertRefused(Message.Builder message, String field, String remedy) {
    Message built = message.build();
    Dispatch part = account.part(message);
    assertThatThrownBy(() -> channel.check(built, part.plan()))
        .isInstanceOfSatisfying(InvalidInput.class, e -> assertThat(e.field()).isEqualTo(field))
        .hasMessageContaining(remedy);
  }

  @Test
  void a_title_does_not_go_with_a_text_of_several_parts() {
    Message message =
        Message.to("nc", ROOM).text("x").channelData(Map.of("threadTitle", "T")).build();
    Part one = new Part("x", null, List.of(), List.of());
    Plan plan = new Plan(account.part(ROOM, "x").id(), List.of(one, one));

    assertThatThrownBy(() -> channel.check(message, plan)).hasMessageContaining("one message");
  }

  // ---- 401

  @Test
  void the_first_401_stops_the_account_and_names_the_missing_feature() throws Exception {
    talk.mayRespond = false;
    Link link = link();

    assertThat(send(link, ROOM))
        .isInstanceOfSatisfying(
            Outcome.AccountBroken.class,
            it -> assertThat(it.cause()).contains("--feature response", "secret", "not enabled"));
    assertThat(talk.refusals).isEqualTo(1);
  }

  @Test
  void a_wrong_secret_stops_the_account_with_one_refused_request() throws Exception {
    Link link = link(config().set("secret", "another-secret-of-more-than-forty-letters"));

    assertThat(send(link, ROOM)).isInstanceOf(Outcome.AccountBroken.class);
    assertThat(talk.refusals).isEqualTo(1);
  }

  @Test
  void a_401_in_one_conversation_is_its_own_fault_while_another_takes_the_bot() throws Exception {
    Link link = link();
    send(link, ROOM);

    assertThat(send(link, STRANGE))
        .isInstanceOfSatisfying(
            Outcome.Rejected.class,
            it -> {
              assertThat(it.blame()).isEqualTo(Blame.TARGET);
              assertThat(it.cause()).contains("not enabled in this conversation");
            });
    assertThat(send(link, ROOM)).isInstanceOf(Outcome.Delivered.class);
    assertThat(talk.messages).as("asking has left nothing behind").hasSize(2);
  }

  @Test
  void a_secret_that_was_changed_meanwhile_is_not_taken_for_the_fault_of_a_conversation()
      throws Exception {
    Link link = link();
    send(link, ROOM);
    talk.secret = "changed";

    assertThat(send(link, OTHER)).isInstanceOf(Outcome.AccountBroken.class);
    assertThat(talk.refusals).isEqualTo(2);
  }

  @Test
  void a_conversation_that_was_worked_in_before_a_restart_is_asked_too() throws Exception {
    Outcome.Delivered delivered = (Outcome.Delivered) send(link(), ROOM);
    account.memory().write(delivered.memory());

    assertThat(send(link(), STRANGE)).isInstanceOf(Outcome.Rejected.class);
  }

  @Test
  void the_conversation_of_the_settings_is_asked_before_any_has_worked() throws Exception {
    Link link = link(config().set("conversation", OTHER));

    assertThat(send(link, STRANGE)).isInstanceOf(Outcome.Rejected.class);
  }

  @Test
  void a_bot_that_was_removed_is_told_to_whoever_writes_there() throws Exception {
    account.memory().write(Remembered.of(STRANGE, "removedAt", "2026-03-01T11:00:00Z"));

    assertThat(send(link(), STRANGE))
        .isEqualTo(
            new Outcome.Rejected(
                Blame.TARGET,
                "401: the bot was removed from this conversation at 2026-03-01T11:00:00Z"));
  }

  @Test
  void if_the_other_conversation_cannot_be_asked_nothing_is_decided() throws Exception {
    Link link = link();
    send(link, ROOM);
    talk.platform.answer(FakeTalk.ocs(401, null), Reply.html(502, "<h1>Oops</h1>"));

    assertThat(send(link, STRANGE)).isInstanceOf(Outcome.NotSent.class);
  }

  @Test
  void after_too_many_refusals_the_account_waits() throws Exception {
    talk.platform.answer(FakeTalk.ocs(429, null));

    assertThat(send(link(), ROOM))
        .isInstanceOfSatisfying(
            Outcome.Throttled.class,
            it -> {
              assertThat(it.delay()).isEqualTo(Duration.ofMinutes(10));
              assertThat(it.cause()).contains("security:bruteforce:reset");
            });
  }

  // ---- probing

  private static void assertBroken(Probe probe, String... words) {
    assertThat(probe)
        .isInstanceOfSatisfying(Probe.Broken.class, it -> assertThat(it.cause()).contains(words));
  }

  @Test
  void a_probe_says_which_talk_it_is_and_that_the_secret_was_not_tried_yet() throws Exception {
    assertThat(link().probe())
        .isEqualTo(
            new Probe.Healthy(
                "a bot of Talk 21.1.0 on Nextcloud 31.0.5; its secret is seen to be right once it"
                    + " has posted"));
  }

  @Test
  void a_probe_asks_as_the_bot_where_it_is_known_to_be_and_nobody_sees_it() throws Exception {
    Link link = link(config().set("conversation", OTHER));

    assertThat(link.probe())
        .isEqualTo(new Probe.Healthy("a bot of Talk 21.1.0 on Nextcloud 31.0.5"));
    assertThat(talk.messages).isEmpty();
  }

  @Test
  void a_bot_without_the_feature_is_named_as_such() throws Exception {
    talk.mayRespond = false;
    Link link = link(config().set("conversation", OTHER));
    assertBroken(link.probe(), "--feature response", OTHER);

    talk.tellsFeatures = true;
    assertBroken(link.probe(), "the bot was installed without --feature response");

    talk.mayRespond = true;
    assertThat(link.probe()).isInstanceOf(Probe.Healthy.class);
  }

  @Test
  void what_stopped_the_account_is_asked_again_before_it_goes_on() throws Exception {
    Link link = link(config().set("secret", "another-secret-of-more-than-forty-letters"));
    send(link, ROOM);
    assertBroken(link.probe(), "401");

    talk.secret = "another-secret-of-more-than-forty-letters";
    assertThat(link.probe()).isInstanceOf(Probe.Healthy.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {"capabilities":{},"version":{"string":"31"}} | not installed
          {"capabilities":{"spreed":{"features":["audio"]}}} | too old
          """)
  void a_server_without_bots_is_named_as_such(String data, String words) throws Exception {
    talk.platform.answer(FakeTalk.ocs(200, Json.readObject(data)));

    assertBroken(link().probe(), words);
  }

  @Test
  void an_address_that_is_not_nextclouds_is_named_as_such() throws Exception {
    talk.platform.answer(Reply.text(302, "text/html", "").header("Location", "https://elsewhere/"));

    assertBroken(link().probe(), "check whether baseUrl is Nextcloud's own address");
  }

  // ---- looking it up

  private AccountConfig withUser() {
    return config().set("user", FakeTalk.USER).set("appPassword", FakeTalk.PASSWORD);
  }

  @Test
  void a_bot_alone_cannot_look_anything_up() throws Exception {
    assertThat(link().reconcile(account.part(ROOM, "x")))
        .isInstanceOf(Reconciliation.Inconclusive.class);
  }

  @Test
  void a_user_finds_a_lost_message_by_its_reference_a_page_further_on() throws Exception {
    Link link = link(withUser());
    Dispatch part = account.part(ROOM, "x").inDoubt(account.scheduler().instant());
    talk.platform.answer(new Reply.HangUp());
    assertThat(link.send(part)).isInstanceOf(Outcome.Unknown.class);
    long now = account.scheduler().instant().getEpochSecond();
    talk.add(ROOM, part.key(), now);
    for (int i = 0; i < 3; i++) {
      talk.add(ROOM, "other" + i, now);
    }

    assertThat(link.reconcile(part)).isEqualTo(new Reconciliation.Found(new Receipt("1", false)));
  }

  @Test
  void what_is_not_in_a_history_that_was_read_far_enough_is_absent() throws Exception {
    Link link = link(withUser());
    Dispatch part = account.part(ROOM, "x").inDoubt(account.scheduler().instant());
    talk.add(ROOM, "old", account.scheduler().instant().minusSeconds(3600).getEpochSecond());

    assertThat(link.reconcile(part)).isInstanceOf(Reconciliation.Absent.class);
  }

  @Test
  void a_history_that_ends_is_read_far_enough_too() throws Exception {
    Link link = link(withUser());
    Dispatch part = account.part(ROOM, "x").inDoubt(account.scheduler().instant());
    talk.add(ROOM, "new", account.scheduler().instant().getEpochSecond());

    assertThat(link.reconcile(part)).isInstanceOf(Reconciliation.Absent.class);
  }

  @Test
  void who_may_not_read_the_conversation_says_nothing_about_it() throws Exception {
    Dispatch part = account.part(ROOM, "x").inDoubt(account.scheduler().instant());
    Link stranger = link(withUser().set("appPassword", "wrong-password"));
    assertThat(stranger.reconcile(part)).isInstanceOf(Reconciliation.Inconclusive.class);

    Link link = link(withUser());
    assertThat(link.reconcile(part))
        .as("304 at once")
        .isInstanceOf(Reconciliation.Inconclusive.class);
  }

  @Test
  void a_user_without_a_password_and_a_missing_secret_are_named() {
    assertThatThrownBy(() -> link(config().set("user", "ann")))
        .hasMessageContaining("appPassword is missing: user and appPassword go together");
    assertThatThrownBy(
            () -> link(AccountConfig.of("nc", "nextcloud-talk").set("baseUrl", talk.baseUrl())))
        .hasMessageContaining("secret is missing: the one that occ talk:bot:install was given");
    assertThatThrownBy(() -> link(config().set("conversation", "Not One")))
        .hasMessageContaining("conversation is not the token");
  }

  @Test
  void no_secret_is_told() throws Exception {
    Link link = link(withUser());
    talk.platform.answer(Reply.html(500, FakeTalk.SECRET + " " + FakeTalk.PASSWORD));

    assertThat(send(link, ROOM).toString())
        .doesNotContain(FakeTalk.SECRET)
        .doesNotContain(FakeTalk.PASSWORD);
  }
}
