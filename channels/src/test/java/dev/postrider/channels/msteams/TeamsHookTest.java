package dev.postrider.channels.msteams;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Alias;
import dev.postrider.channel.Hook;
import dev.postrider.channel.Link;
import dev.postrider.channel.Outcome;
import dev.postrider.channels.TestAccount;
import dev.postrider.channels.http.Json;
import dev.postrider.config.AccountConfig;
import dev.postrider.inbound.DeliveryReport;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.inbound.InboundMessage.ChatKind;
import dev.postrider.inbound.InboundMessage.Kind;
import dev.postrider.testkit.platform.Reply;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TeamsHookTest {
  private static final String SERVICE = "https://smba.trafficmanager.net/emea/t-1/";
  private static final String BOT = "28:" + FakeTeams.APP;

  private final FakeKeys keys = new FakeKeys();
  private final FakeTeams teams = new FakeTeams();
  private final TeamsChannel channel = new TeamsChannel();
  private final AccountConfig config = teams.account().set("openIdUrl", keys.address());
  private final TestAccount account = TestAccount.of(config);
  private final Hook hook = Objects.requireNonNull(channel.hook(config));
  private final Map<String, Object> claims =
      FakeKeys.claims(FakeTeams.APP, SERVICE, account.scheduler().instant());

  @AfterEach
  void close() {
    keys.close();
    teams.close();
  }

  private static Map<String, Object> activity(String type) {
    Map<String, Object> activity = new HashMap<>();
    activity.put("type", type);
    activity.put("id", "1700000000001");
    activity.put("timestamp", "2026-03-01T11:59:58.123Z");
    activity.put("channelId", "msteams");
    activity.put("serviceUrl", SERVICE);
    activity.put(
        "from",
        Map.of(
            "id",
            "29:ann",
            "name",
            "Ann Lee",
            "aadObjectId",
            "1B4E28BA-2FA1-11D2-883F-0016D3CCA427"));
    activity.put("recipient", Map.of("id", BOT, "name", "Postrider"));
    activity.put(
        "conversation", Map.of("id", "a:ann", "conversationType", "personal", "tenantId", "t-1"));
    activity.put("text", "hello");
    return activity;
  }

  private static Map<String, Object> inChannel(String type) {
    Map<String, Object> activity = activity(type);
    activity.put(
        "conversation",
        Map.of(
            "id",
            "19:general@thread.tacv2;messageid=1699999999999",
            "conversationType",
            "channel",
            "isGroup",
            true));
    activity.put("channelData", Map.of("tenant", Map.of("id", "t-1")));
    return activity;
  }

  private Hook.Answer read(@Nullable String token, Map<String, ?> body) {
    return read(token, Json.write(body), account.scheduler().instant());
  }

  private Hook.Answer read(@Nullable String token, String body, Instant at) {
    return hook.read(
        new Hook.Request(
            "POST",
            token == null ? Map.of() : Map.of("authorization", "Bearer " + token),
            Map.of(),
            body.getBytes(StandardCharsets.UTF_8),
            at));
  }

  private Hook.Answer.Genuine genuine(Map<String, ?> body) {
    Hook.Answer answer = read(FakeKeys.token(claims), body);
    assertThat(answer).isInstanceOf(Hook.Answer.Genuine.class);
    return (Hook.Answer.Genuine) answer;
  }

  private InboundMessage arrival(Map<String, ?> body) {
    List<InboundMessage> all = genuine(body).arrivals();
    assertThat(all).hasSize(1);
    return all.getFirst();
  }

  private void assertUnverified(String why) {
    assertThat(read(FakeKeys.token(claims), activity("message")))
        .isInstanceOfSatisfying(
            Hook.Answer.Unverified.class, it -> assertThat(it.cause()).contains(why));
  }

  private void assertForged(String why, @Nullable String token) {
    assertThat(read(token, activity("message")))
        .isInstanceOfSatisfying(
            Hook.Answer.Forged.class, it -> assertThat(it.cause()).contains(why));
  }

  // ---- genuine or not

  @Test
  void a_genuine_activity_is_taken_and_the_keys_are_fetched_once() {
    for (int i = 0; i < 3; i++) {
      assertThat(genuine(activity("message")).arrivals()).hasSize(1);
    }
    assertThat(keys.platform.requests()).hasSize(2);
  }

  @Test
  void keys_are_fetched_anew_when_microsoft_signs_with_another() {
    genuine(activity("message"));
    keys.publish("key-2", FakeKeys.OTHER, null);
    account.scheduler().pass(Duration.ofMinutes(2));
    assertThat(read(FakeKeys.token("key-2", FakeKeys.OTHER, claims), activity("message")))
        .isInstanceOf(Hook.Answer.Genuine.class);
  }

  @Test
  void what_is_not_microsofts_is_forged() {
    assertForged("no token", null);
    assertForged("no token", "nonsense");
    assertForged("does not have", FakeKeys.token("key-9", FakeKeys.OURS, claims));
    assertForged("signature is wrong", FakeKeys.token("key-1", FakeKeys.OTHER, claims));
  }

  private String tokenWith(Consumer<Map<String, Object>> change) {
    Map<String, Object> other = new HashMap<>(claims);
    change.accept(other);
    return FakeKeys.token(other);
  }

  @Test
  void what_is_for_another_bot_or_of_another_issuer_is_forged() {
    assertForged("for somebody else", tokenWith(it -> it.put("aud", "another-app")));
    assertForged("by somebody else", tokenWith(it -> it.put("iss", "https://sts.windows.net/x/")));
  }

  @Test
  void what_is_old_or_without_an_end_is_forged() {
    long now = account.scheduler().instant().getEpochSecond();
    assertForged("not good at this time", tokenWith(it -> it.put("exp", now - 3600)));
    assertForged("not good at this time", tokenWith(it -> it.remove("exp")));
    assertForged("not good at this time", tokenWith(it -> it.put("nbf", now + 3600)));
  }

  @Test
  void a_token_of_another_service_does_not_vouch_for_the_one_named() {
    assertForged("another service", tokenWith(it -> it.put("serviceurl", "https://evil.example/")));
    assertForged("another service", tokenWith(it -> it.remove("serviceurl")));
  }

  @Test
  void a_key_that_is_endorsed_for_other_channels_only_signs_nothing_here() {
    keys.publish("key-2", FakeKeys.OTHER, List.of("webchat"));
    assertForged("does not have", FakeKeys.token("key-2", FakeKeys.OTHER, claims));
  }

  @Test
  void an_activity_that_is_played_back_is_known_by_its_id_and_in_the_end_too_old() {
    String token = FakeKeys.token(claims);
    String body = Json.write(activity("message"));
    Instant now = account.scheduler().instant();
    assertThat(((Hook.Answer.Genuine) read(token, body, now)).arrivals())
        .isEqualTo(((Hook.Answer.Genuine) read(token, body, now.plusSeconds(60))).arrivals());
    assertThat(read(token, body, now.plus(Duration.ofHours(2))))
        .isInstanceOf(Hook.Answer.Forged.class);
  }

  @Test
  void keys_that_cannot_be_had_are_told_apart_from_forgery() {
    keys.platform.answer(Reply.html(503, "<h1>Oops</h1>"));
    assertUnverified("keys could not be fetched: 127.0.0.1 answered 503");
  }

  @Test
  void an_error_in_json_is_no_set_of_keys() {
    keys.platform.answer(
        Reply.json(200, Json.write(Map.of("jwks_uri", keys.platform.baseUrl() + "/keys"))),
        Reply.json(500, "{\"error\":\"oops\"}"));
    assertUnverified("keys could not be fetched: 127.0.0.1 answered 500");
  }

  @Test
  void keys_are_not_fetched_from_a_stranger() {
    try (FakeKeys stranger = new FakeKeys()) {
      keys.platform.answer(
          Reply.json(200, Json.write(Map.of("jwks_uri", stranger.platform.baseUrl() + "/keys"))));
      assertUnverified("no address of their own");
      assertThat(stranger.platform.requests()).isEmpty();
    }
  }

  @Test
  void what_is_not_of_teams_is_malformed() {
    Map<String, Object> other = activity("message");
    other.put("channelId", "webchat");
    assertThat(read(FakeKeys.token(claims), other)).isInstanceOf(Hook.Answer.Malformed.class);
    assertThat(read(FakeKeys.token(claims), Map.of())).isInstanceOf(Hook.Answer.Malformed.class);
    Map<String, Object> nowhere = activity("message");
    nowhere.remove("conversation");
    assertThat(read(FakeKeys.token(claims), nowhere)).isInstanceOf(Hook.Answer.Malformed.class);
  }

  @Test
  void a_webhook_account_takes_nothing_in() {
    AccountConfig flow =
        AccountConfig.of("flow", "msteams").set("webhookUrl", "https://flows.example/x?sig=1");
    assertThat(channel.hook(flow)).isNull();
  }

  // ---- what is said

  @Test
  void a_personal_message_is_read_and_its_chat_has_the_persons_names() {
    Hook.Answer.Genuine told = genuine(activity("message"));
    InboundMessage message = told.arrivals().getFirst();
    assertThat(message.platformId()).isEqualTo("a:ann/1700000000001");
    assertThat(message.kind()).isEqualTo(Kind.MESSAGE);
    assertThat(message.chat()).isEqualTo("a:ann");
    assertThat(message.chatKind()).isEqualTo(ChatKind.DM);
    assertThat(message.sender()).isEqualTo(new InboundMessage.Sender("29:ann", "Ann Lee"));
    assertThat(message.text()).isEqualTo("hello");
    assertThat(message.messageId()).isEqualTo("a:ann/1700000000001");
    assertThat(message.sentAt()).isEqualTo(Instant.parse("2026-03-01T11:59:58.123Z"));
    assertThat(told.reply().status()).isEqualTo(200);
    assertThat(told.aliases())
        .containsExactly(
            new Alias("29:ann", "a:ann"),
            new Alias("1b4e28ba-2fa1-11d2-883f-0016d3cca427", "a:ann"));
  }

  @Test
  void a_post_in_a_channel_belongs_to_its_thread_and_is_read_without_the_bots_name() {
    Map<String, Object> post = inChannel("message");
    post.put("text", "<at>Postrider</at>&nbsp;ask <at>Bob B</at> please\n");
    post.put(
        "entities",
        List.of(
            Map.of("type", "mention", "text", "<at>Postrider</at>", "mentioned", Map.of("id", BOT)),
            Map.of("type", "mention", "text", "<at>Bob B</at>", "mentioned", Map.of("id", "29:b")),
            Map.of("type", "clientInfo", "locale", "en-US")));
    InboundMessage message = arrival(post);
    assertThat(message.chat()).isEqualTo("19:general@thread.tacv2");
    assertThat(message.threadId()).isEqualTo("1699999999999");
    assertThat(message.chatKind()).isEqualTo(ChatKind.GROUP);
    assertThat(message.text()).isEqualTo("ask @Bob B please");
    assertThat(genuine(post).aliases()).isEmpty();
  }

  @Test
  void what_the_bot_itself_wrote_is_left_out() {
    Map<String, Object> own = activity("message");
    own.put("from", Map.of("id", BOT));
    assertThat(genuine(own).arrivals()).isEmpty();
  }

  @Test
  void a_change_is_an_edit_each_time() {
    Map<String, Object> first = activity("messageUpdate");
    Map<String, Object> second = activity("messageUpdate");
    second.put("timestamp", "2026-03-01T12:05:00Z");
    assertThat(arrival(first).kind()).isEqualTo(Kind.EDIT);
    assertThat(arrival(first).messageId()).isEqualTo("a:ann/1700000000001");
    assertThat(arrival(first).platformId())
        .isNotEqualTo(arrival(second).platformId())
        .isNotEqualTo(arrival(activity("message")).platformId());
  }

  @Test
  void that_a_person_has_read_a_message_is_word_on_that_message() {
    Map<String, Object> read = activity("event");
    read.remove("text");
    read.put("name", "application/vnd.microsoft.readReceipt");
    read.put("value", Map.of("lastReadMessageId", "1700000000007"));
    Hook.Answer.Genuine told = genuine(read);
    assertThat(told.arrivals()).isEmpty();
    assertThat(told.reports())
        .containsExactly(
            new DeliveryReport(
                "a:ann/1700000000007",
                DeliveryReport.State.READ,
                Instant.parse("2026-03-01T11:59:58.123Z"),
                null));

    read.put("value", Map.of());
    assertThat(genuine(read).reports()).isEmpty();
    read.put("name", "application/vnd.microsoft.meetingStart");
    assertThat(arrival(read).kind()).isEqualTo(Kind.OTHER);
  }

  @Test
  void a_reaction_names_what_it_is_about() {
    Map<String, Object> liked = activity("messageReaction");
    liked.remove("text");
    liked.put("id", "f:1");
    liked.put("replyToId", "1700000000001");
    liked.put("reactionsAdded", List.of(Map.of("type", "like")));
    assertThat(arrival(liked).kind()).isEqualTo(Kind.REACTION);
    assertThat(arrival(liked).text()).isEqualTo("like");
    assertThat(arrival(liked).messageId())
        .as("what our message was called when it was sent")
        .isEqualTo("a:ann/1700000000001");
    liked.remove("reactionsAdded");
    liked.put("reactionsRemoved", List.of(Map.of("type", "like")));
    assertThat(arrival(liked).text()).isEqualTo("-like");
  }

  @Test
  void a_button_that_waits_gets_an_answer_with_a_body() {
    Map<String, Object> pressed = activity("invoke");
    pressed.remove("text");
    pressed.put("name", "adaptiveCard/action");
    pressed.put("value", Map.of("action", Map.of("type", "Action.Execute", "verb", "approve")));
    Hook.Answer.Genuine told = genuine(pressed);
    assertThat(told.arrivals().getFirst().kind()).isEqualTo(Kind.ACTION);
    assertThat(told.arrivals().getFirst().text()).isEqualTo("approve");
    assertThat(told.reply().contentType()).isEqualTo("application/json");
    assertThat(new String(told.reply().body(), StandardCharsets.UTF_8))
        .contains("\"statusCode\":200")
        .contains("application/vnd.microsoft.activity.message");
    pressed.put("name", "task/fetch");
    assertThat(new String(genuine(pressed).reply().body(), StandardCharsets.UTF_8)).isEqualTo("{}");
  }

  @Test
  void a_card_that_is_sent_off_is_an_action() {
    Map<String, Object> sent = activity("message");
    sent.remove("text");
    sent.put("value", Map.of("choice", "7"));
    assertThat(arrival(sent).kind()).isEqualTo(Kind.ACTION);
    assertThat(arrival(sent).raw()).containsKey("value");
  }

  @ParameterizedTest
  @ValueSource(strings = {"signin/tokenExchange", "signin/verifyState"})
  void what_a_person_signs_in_with_is_not_kept(String name) {
    Map<String, Object> signedIn = activity("invoke");
    signedIn.put("name", name);
    signedIn.put("value", Map.of("token", "a-secret-of-anns"));
    assertThat(Json.write(arrival(signedIn).raw())).doesNotContain("a-secret-of-anns");
  }

  @Test
  void typing_is_answered_and_tells_where_the_conversation_is() {
    Hook.Answer.Genuine told = genuine(activity("typing"));
    assertThat(told.arrivals()).isEmpty();
    assertThat(told.memory()).hasSize(1);
    assertThat(told.reply().status()).isEqualTo(200);
  }

  @Test
  void files_are_told_and_cards_and_doubles_are_not() {
    Map<String, Object> sent = activity("message");
    sent.put(
        "attachments",
        List.of(
            Map.of(
                "contentType",
                "application/vnd.microsoft.teams.file.download.info",
                "name",
                "plan.pdf",
                "contentUrl",
                "https://contoso.sharepoint.com/plan.pdf",
                "content",
                Map.of("downloadUrl", "https://contoso.sharepoint.com/d?t=1", "uniqueId", "U1")),
            Map.of("contentType", "image/*", "contentUrl", SERVICE + "v3/attachments/1/views/x"),
            Map.of("contentType", "text/html", "content", "<p>hello</p>"),
            Map.of("contentType", "application/vnd.microsoft.card.adaptive", "content", Map.of())));
    assertThat(arrival(sent).media())
        .containsExactly(
            new InboundMessage.File(
                "document",
                "U1",
                "https://contoso.sharepoint.com/d?t=1",
                "plan.pdf",
                "application/pdf",
                null),
            new InboundMessage.File(
                "image", null, SERVICE + "v3/attachments/1/views/x", null, null, null));
  }

  // ---- what is known again

  @Test
  void every_activity_tells_anew_where_its_conversation_is_served() {
    account.memory().write(genuine(inChannel("message")).memory());
    assertThat(ConversationReference.read(account.memory(), "19:general@thread.tacv2"))
        .isEqualTo(new ConversationReference(SERVICE, "t-1", BOT, null));
    assertThat(ConversationReference.read(account.memory(), "29:ann").tenant())
        .as("to open a conversation with whoever wrote")
        .isEqualTo("t-1");
    String moved = "https://smba.trafficmanager.net/amer/t-1/";
    Map<String, Object> later = inChannel("typing");
    later.put("serviceUrl", moved);
    claims.put("serviceurl", moved);
    account.memory().write(genuine(later).memory());
    assertThat(ConversationReference.read(account.memory(), "19:general@thread.tacv2").serviceUrl())
        .isEqualTo(moved);
  }

  @Test
  void an_answer_goes_to_the_service_that_wrote() throws Exception {
    String service = teams.connector.baseUrl() + "/emea/t-1/";
    Map<String, Object> asked = activity("message");
    asked.put("serviceUrl", service);
    claims.put("serviceurl", service);
    account.memory().write(genuine(asked).memory());
    try (Link link = channel.open(account)) {
      assertThat(link.send(account.part("a:ann", "hi"))).isInstanceOf(Outcome.Delivered.class);
    }
    assertThat(FakeTeams.path(teams.post()))
        .isEqualTo("/emea/t-1/v3/conversations/a:ann/activities");
  }

  @Test
  void a_bot_that_is_added_and_removed_is_told_and_remembered() {
    Map<String, Object> added = inChannel("conversationUpdate");
    added.put("id", "f:1");
    added.put("membersAdded", List.of(Map.of("id", BOT)));
    assertThat(arrival(added).kind()).isEqualTo(Kind.OTHER);
    account.memory().write(genuine(added).memory());
    Map<String, Object> removed = inChannel("conversationUpdate");
    removed.put("id", "f:2");
    removed.put("membersRemoved", List.of(Map.of("id", BOT)));
    account.memory().write(genuine(removed).memory());
    assertThat(ConversationReference.read(account.memory(), "19:general@thread.tacv2").removedAt())
        .isEqualTo("2026-03-01T11:59:58.123Z");
    account.memory().write(genuine(added).memory());
    assertThat(ConversationReference.read(account.memory(), "19:general@thread.tacv2").removedAt())
        .isNull();
    Map<String, Object> uninstalled = activity("installationUpdate");
    uninstalled.put("action", "remove");
    account.memory().write(genuine(uninstalled).memory());
    assertThat(ConversationReference.read(account.memory(), "a:ann").removedAt()).isNotNull();
  }

  @Test
  void somebody_else_who_leaves_does_not_close_the_conversation() {
    Map<String, Object> left = inChannel("conversationUpdate");
    left.put("membersRemoved", List.of(Map.of("id", "29:bob")));
    account.memory().write(genuine(left).memory());
    assertThat(ConversationReference.read(account.memory(), "19:general@thread.tacv2").removedAt())
        .isNull();
  }
}
