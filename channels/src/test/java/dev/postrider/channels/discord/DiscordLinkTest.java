package dev.postrider.channels.discord;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Link;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Outcome.Blame;
import dev.postrider.channel.Probe;
import dev.postrider.channel.Reconciliation;
import dev.postrider.channel.ThrottleScope;
import dev.postrider.channels.TestAccount;
import dev.postrider.channels.http.Json;
import dev.postrider.config.AccountConfig;
import dev.postrider.message.Fix;
import dev.postrider.message.Message;
import dev.postrider.message.Receipt;
import dev.postrider.testkit.platform.FakePlatform;
import dev.postrider.testkit.platform.FormData;
import dev.postrider.testkit.platform.Reply;
import dev.postrider.testkit.platform.Request;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class DiscordLinkTest {
  private static final String TOKEN = "MTIz.very-secret.token";

  private final FakePlatform discord = FakePlatform.start();
  private final TestAccount account =
      TestAccount.of(
          AccountConfig.of("dc", "discord")
              .set("token", TOKEN)
              .set("baseUrl", discord.baseUrl() + "/")
              .set("timeout", "5m"));
  private final Link link = new DiscordChannel().open(account);

  @AfterEach
  void close() {
    link.close();
    discord.close();
  }

  private static Reply.Answer taken(String id) {
    return Reply.json(200, "{\"id\":\"" + id + "\"}");
  }

  private static Reply.Answer error(int status, int code) {
    return Reply.json(status, "{\"code\":" + code + ",\"message\":\"No\"}");
  }

  private Outcome send(String to) throws Exception {
    return link.send(account.part(to, "hello"));
  }

  private List<String> paths() {
    return discord.requests().stream().map(Request::path).toList();
  }

  @Test
  void a_part_goes_to_its_channel_and_gets_discords_id() throws Exception {
    discord.answer(taken("77"));

    assertThat(send("42")).isEqualTo(Outcome.delivered("77"));

    Request request = discord.onlyRequest();
    assertThat(request.path()).isEqualTo("/channels/42/messages");
    assertThat(request.headers()).containsEntry("authorization", "Bot " + TOKEN);
    assertThat(request.headers().get("user-agent")).matches("DiscordBot \\(https://.+, .+\\)");
  }

  @Test
  void a_thread_is_a_channel_of_its_own() throws Exception {
    discord.answer(taken("77"));

    link.send(account.part(Message.to("dc", "42").text("x").threadId("43")));

    assertThat(paths()).containsExactly("/channels/43/messages");
  }

  @Test
  void a_repeat_has_the_nonce_of_the_first_try() throws Exception {
    Dispatch part = account.part("42", "hello");
    discord.answer(new Reply.HangUp(), taken("77"));

    assertThat(link.send(part)).isInstanceOf(Outcome.Unknown.class);
    assertThat(link.send(part)).isEqualTo(Outcome.delivered("77"));

    assertThat(discord.requests())
        .extracting(request -> Json.readObject(request.text()).path("nonce").asString())
        .containsOnly(DiscordRequest.nonce(part.key()));
  }

  @Test
  void files_come_as_a_form_with_the_message_in_it() throws Exception {
    discord.answer(taken("77"));
    Dispatch part =
        account
            .part("42", "hello")
            .carrying(
                List.of(Held.file("a.pdf", "application/pdf", 300_000), Held.file("b", null, 7)));

    assertThat(link.send(part)).isEqualTo(Outcome.delivered("77"));

    FormData form = FormData.read(discord.onlyRequest());
    assertThat(form.field("payload_json").path("content").asString()).isEqualTo("hello");
    assertThat(form.field("payload_json").path("enforce_nonce").asBoolean()).isTrue();
    assertThat(form.file("files[0]").filename()).isEqualTo("a.pdf");
    assertThat(form.file("files[0]").bytes()).hasSize(300_000);
    assertThat(form.file("files[1]").bytes()).hasSize(7);
  }

  @Test
  void a_reply_to_something_that_is_no_message_is_dropped_without_asking() throws Exception {
    assertThat(link.send(account.part(Message.to("dc", "42").text("x").replyToId("m-1"))))
        .isInstanceOfSatisfying(
            Outcome.Repairable.class, it -> assertThat(it.fix()).isEqualTo(new Fix.DropReply()));
    assertThat(discord.requests()).isEmpty();
  }

  // ---- users

  @Test
  void a_user_is_written_to_in_the_chat_with_him_which_is_opened_once() throws Exception {
    discord.answer(taken("900"), taken("77"), taken("78"));

    assertThat(send("user:7")).isEqualTo(Outcome.delivered("77"));
    assertThat(send("user:7")).isEqualTo(Outcome.delivered("78"));

    assertThat(paths())
        .containsExactly("/users/@me/channels", "/channels/900/messages", "/channels/900/messages");
    assertThat(discord.requests().getFirst().text()).isEqualTo("{\"recipient_id\":\"7\"}");
  }

  @Test
  void a_chat_that_was_perhaps_opened_leaves_no_doubt_about_the_message() throws Exception {
    discord.answer(new Reply.HangUp());
    assertThat(send("user:7")).isInstanceOf(Outcome.NotSent.class);
    discord.answer(error(403, 50007));
    assertThat(send("user:7")).isEqualTo(new Outcome.Rejected(Blame.TARGET, "403 50007 No"));
  }

  @Test
  void opening_chats_too_fast_waits_without_asking_for_each_user() throws Exception {
    discord.answer(error(400, 40003), taken("77"));

    assertThat(send("user:7")).isInstanceOf(Outcome.Throttled.class);
    assertThat(send("user:8")).isInstanceOf(Outcome.Throttled.class);
    assertThat(send("42")).isEqualTo(Outcome.delivered("77"));
    assertThat(paths()).containsExactly("/users/@me/channels", "/channels/42/messages");
  }

  // ---- limits

  @Test
  void a_used_up_limit_is_waited_for_without_asking() throws Exception {
    discord.answer(
        taken("77").header("X-RateLimit-Remaining", "0").header("X-RateLimit-Reset-After", "1.25"),
        taken("78"),
        taken("79"));

    assertThat(send("42")).isEqualTo(Outcome.delivered("77"));
    assertThat(send("42"))
        .isEqualTo(
            new Outcome.Throttled(
                ThrottleScope.CHAT, Duration.ofMillis(1250), "the rate limit is used up"));
    assertThat(send("43")).isEqualTo(Outcome.delivered("78"));
    account.scheduler().pass(Duration.ofMillis(1250));
    assertThat(send("42")).isEqualTo(Outcome.delivered("79"));
    assertThat(paths()).hasSize(3);
  }

  @Test
  void a_limit_that_is_not_used_up_is_none() throws Exception {
    discord.answer(
        taken("77").header("X-RateLimit-Remaining", "1").header("X-RateLimit-Reset-After", "5"),
        taken("78"));

    assertThat(send("42")).isEqualTo(Outcome.delivered("77"));
    assertThat(send("42")).isEqualTo(Outcome.delivered("78"));
  }

  @Test
  void a_global_429_holds_the_account() throws Exception {
    discord.answer(
        Reply.json(429, "{\"message\":\"Slow\",\"retry_after\":0.5,\"global\":true}")
            .header("X-RateLimit-Scope", "global"));

    assertThat(send("42"))
        .isEqualTo(
            new Outcome.Throttled(ThrottleScope.ACCOUNT, Duration.ofMillis(500), "429 0 Slow"));
  }

  // ---- interactions

  private Dispatch followUp(Map<String, Object> interaction) {
    return account.part(
        Message.to("dc", "user:7").text("done").channelData(Map.of("interaction", interaction)));
  }

  private static Map<String, Object> interaction(Instant at) {
    return Map.of("id", Snowflake.at(at), "applicationId", "5", "token", "token-of-it");
  }

  @Test
  void the_answer_to_an_interaction_goes_to_its_webhook() throws Exception {
    discord.answer(taken("77"));

    assertThat(link.send(followUp(interaction(account.scheduler().instant()))))
        .isEqualTo(Outcome.delivered("77"));

    Request request = discord.onlyRequest();
    assertThat(request.path()).isEqualTo("/webhooks/5/token-of-it?wait=true");
    assertThat(request.headers()).doesNotContainKey("authorization");
    assertThat(Json.readObject(request.text()).has("nonce")).isFalse();
  }

  @Test
  void an_interaction_that_is_over_is_not_answered_elsewhere() throws Exception {
    Instant begun = account.scheduler().instant();
    account.scheduler().pass(Duration.ofMinutes(15));

    assertThat(link.send(followUp(interaction(begun))))
        .isInstanceOfSatisfying(
            Outcome.Rejected.class,
            it -> {
              assertThat(it.blame()).isEqualTo(Blame.MESSAGE);
              assertThat(it.cause()).contains("15 minutes").doesNotContain("token-of-it");
            });
    assertThat(discord.requests()).isEmpty();
  }

  @Test
  void discord_may_also_say_that_it_is_over() throws Exception {
    discord.answer(error(401, 50027));

    assertThat(link.send(followUp(Map.of("applicationId", "5", "token", "token-of-it"))))
        .isInstanceOf(Outcome.Rejected.class);
    assertThat(paths()).hasSize(1);
  }

  @Test
  void the_token_of_an_interaction_is_in_no_outcome() throws Exception {
    discord.answer(Reply.html(404, "<p>no /webhooks/5/token-of-it</p>"));

    assertThat(link.send(followUp(interaction(account.scheduler().instant()))).toString())
        .contains("404")
        .doesNotContain("token-of-it");
  }

  // ---- after an unknown outcome

  private Reconciliation reconcile(Dispatch part, String messages) throws Exception {
    discord.answer(Reply.json(200, messages));
    return link.reconcile(part);
  }

  @Test
  void a_message_with_our_nonce_arrived() throws Exception {
    Dispatch part = account.part("42", "hello");
    String nonce = DiscordRequest.nonce(part.key());

    assertThat(
            reconcile(
                part,
                "[{\"id\":\"5\",\"author\":{\"bot\":true}},{\"id\":\"6\",\"nonce\":\""
                    + nonce
                    + "\",\"author\":{\"bot\":true}}]"))
        .isEqualTo(new Reconciliation.Found(new Receipt("6", false)));
    assertThat(discord.onlyRequest().path())
        .isEqualTo(
            "/channels/42/messages?limit=100&after="
                + Snowflake.at(part.plan().origin().givenAt().minusSeconds(60)));
  }

  @Test
  void where_no_bot_wrote_without_a_nonce_it_did_not_arrive() throws Exception {
    Dispatch part = account.part("42", "hello");

    assertThat(
            reconcile(
                part,
                "[{\"id\":\"5\",\"author\":{\"id\":\"1\"}},"
                    + "{\"id\":\"6\",\"nonce\":\"x\",\"author\":{\"bot\":true}}]"))
        .isEqualTo(new Reconciliation.Absent());
  }

  @Test
  void an_empty_history_proves_nothing_unless_older_messages_can_be_read() throws Exception {
    Dispatch part = account.part("42", "hello");

    discord.answer(Reply.json(200, "[]"));
    discord.answer(Reply.json(200, "[]")); // as a bot without READ_MESSAGE_HISTORY is shown it
    assertThat(link.reconcile(part)).isEqualTo(new Reconciliation.Inconclusive());

    discord.answer(Reply.json(200, "[]"));
    discord.answer(Reply.json(200, "[{\"id\":\"5\",\"author\":{\"id\":\"1\"}}]"));
    assertThat(link.reconcile(part)).isEqualTo(new Reconciliation.Absent());
    assertThat(discord.requests().getLast().path()).isEqualTo("/channels/42/messages?limit=1");
  }

  @Test
  void the_look_begins_with_the_first_try_that_may_have_arrived() throws Exception {
    Dispatch part = account.part("42", "hello");
    Instant tried = part.plan().origin().givenAt().plusSeconds(600);

    reconcile(part.inDoubt(tried), "[{\"id\":\"5\",\"author\":{\"id\":\"1\"}}]");

    assertThat(discord.onlyRequest().path())
        .endsWith("after=" + Snowflake.at(tried.minusSeconds(60)));
  }

  @Test
  void what_may_be_ours_or_was_not_seen_leaves_the_doubt() throws Exception {
    Dispatch part = account.part("42", "hello");

    assertThat(reconcile(part, "[{\"id\":\"5\",\"author\":{\"bot\":true}}]"))
        .isEqualTo(new Reconciliation.Inconclusive());
    assertThat(reconcile(part, Json.write(Collections.nCopies(100, Map.of("id", "1")))))
        .isEqualTo(new Reconciliation.Inconclusive());
    assertThat(reconcile(part, "{}")).isEqualTo(new Reconciliation.Inconclusive());
    discord.answer(error(403, 50013));
    assertThat(link.reconcile(part)).isEqualTo(new Reconciliation.Inconclusive());
    assertThat(link.reconcile(followUp(Map.of("applicationId", "5", "token", "t"))))
        .isEqualTo(new Reconciliation.Inconclusive());
  }

  // ---- the account

  @Test
  void a_probe_names_the_bot_and_tells_a_refused_one_from_an_unreachable_platform()
      throws Exception {
    discord.answer(
        Reply.json(200, "{\"id\":\"1\",\"username\":\"rider\"}"),
        error(401, 0),
        Reply.html(502, "Bad Gateway"));

    assertThat(link.probe()).isEqualTo(new Probe.Healthy("rider"));
    assertThat(link.probe()).isEqualTo(new Probe.Broken("401 0 No"));
    assertThat(link.probe()).isInstanceOf(Probe.Unreachable.class);
    assertThat(paths()).containsOnly("/users/@me");
    discord.close();
    assertThat(link.probe()).isInstanceOf(Probe.Unreachable.class);
  }

  static List<Reply> repliesThatQuoteTheToken() {
    return List.of(
        Reply.json(400, "{\"code\":0,\"message\":\"bad Bot " + TOKEN + "\"}"),
        Reply.json(401, "{\"message\":\"401: " + TOKEN + "\",\"code\":0}"),
        Reply.html(403, "<p>" + TOKEN + "</p>"),
        new Reply.HangUp());
  }

  @ParameterizedTest
  @MethodSource("repliesThatQuoteTheToken")
  void the_token_is_in_no_outcome(Reply reply) throws Exception {
    discord.answer(reply, reply);
    assertThat(send("42").toString()).doesNotContain("very-secret");
    assertThat(link.probe().toString()).doesNotContain("very-secret");
  }

  @Test
  void useless_settings_are_refused_without_showing_them() {
    AccountConfig config = account.config();
    assertThatThrownBy(
            () -> new DiscordChannel().open(TestAccount.of(config.set("baseUrl", "x y"))))
        .hasMessageStartingWith("account dc: baseUrl is not an address");
    assertThatThrownBy(() -> new DiscordChannel().open(TestAccount.of(config.set("token", "a\nb"))))
        .hasMessage("account dc: token has characters that no token has");
    assertThatThrownBy(
            () -> new DiscordChannel().open(TestAccount.of(AccountConfig.of("dc", "discord"))))
        .hasMessage("account dc: token is missing");
  }
}
