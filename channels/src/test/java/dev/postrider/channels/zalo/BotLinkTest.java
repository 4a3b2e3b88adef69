package dev.postrider.channels.zalo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.channel.Capabilities;
import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Link;
import dev.postrider.channel.ListeningRefused;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.PartFile;
import dev.postrider.channel.Probe;
import dev.postrider.channels.TestAccount;
import dev.postrider.channels.TestInlet;
import dev.postrider.channels.http.Json;
import dev.postrider.config.AccountConfig;
import dev.postrider.internal.plan.Planner;
import dev.postrider.message.Attachment;
import dev.postrider.message.Fix;
import dev.postrider.message.Format;
import dev.postrider.message.Media;
import dev.postrider.message.MediaKind;
import dev.postrider.message.Message;
import dev.postrider.message.MessageId;
import dev.postrider.message.Plan;
import dev.postrider.problem.InvalidInput;
import dev.postrider.store.media.Blob;
import dev.postrider.testkit.platform.Reply;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class BotLinkTest {
  private static final String CHAT = "6ede9afa66b88fe6d6a9";

  private final FakeZalo zalo = new FakeZalo();
  private final TestAccount account = TestAccount.of(zalo.bot());
  private final Link link = new ZaloChannel().open(account);

  @AfterEach
  void close() {
    link.close();
    zalo.close();
  }

  private static Message.Builder message() {
    return Message.to("zb", CHAT);
  }

  private String asked() {
    return Json.readObject(zalo.api.onlyRequest().text()).toString();
  }

  private static Plan plan(Message message, AccountConfig config) {
    return Planner.plan(
        new MessageId(new UUID(1, 2)),
        message,
        new ZaloChannel().capabilities(config),
        hash -> Optional.of(new Blob(hash, 4, "image/png")));
  }

  @Test
  void a_text_is_sent_and_the_receipt_is_its_id() throws Exception {
    zalo.api.answer(FakeZalo.ok("2d758cb5e222177a4e35"));
    assertThat(link.send(account.part(CHAT, "chào 🌍")))
        .isEqualTo(Outcome.delivered("2d758cb5e222177a4e35"));
    assertThat(zalo.api.onlyRequest().method()).isEqualTo("POST");
    assertThat(zalo.api.onlyRequest().path())
        .isEqualTo("/bot1459232241454765289:very-secret/sendMessage");
    assertThat(asked()).isEqualTo("{\"chat_id\":\"6ede9afa66b88fe6d6a9\",\"text\":\"chào 🌍\"}");
  }

  @Test
  void two_thousand_characters_go_in_one_part_and_one_more_in_two() {
    assertThat(plan(message().text("x".repeat(2000)).build(), zalo.bot()).parts()).hasSize(1);
    assertThat(plan(message().text("x".repeat(2001)).build(), zalo.bot()).parts()).hasSize(2);
  }

  @Test
  void a_picture_goes_as_its_address_with_a_caption() throws Exception {
    zalo.api.answer(FakeZalo.ok("m"));
    Attachment file =
        new Attachment(
            "https://chat.example/media/x", MediaKind.IMAGE, null, "image/png", 4, false, false);
    link.send(account.part(CHAT, "look").carrying(List.of(new PartFile(file, null, null))));
    assertThat(zalo.api.onlyRequest().path()).endsWith("/sendPhoto");
    assertThat(asked())
        .isEqualTo(
            "{\"chat_id\":\"6ede9afa66b88fe6d6a9\",\"photo\":\"https://chat.example/media/x\","
                + "\"caption\":\"look\"}");
  }

  @Test
  void a_file_that_is_no_picture_goes_as_a_link() {
    Message file =
        message().media(List.of(Media.at("https://example.org/a.pdf"))).text("read").build();
    assertThat(plan(file, zalo.bot()).parts())
        .singleElement()
        .satisfies(part -> assertThat(part.text()).contains("https://example.org/a.pdf"));
  }

  // ---- markup

  @Test
  void markup_is_plain_unless_styles_are_wanted() throws Exception {
    Message bold = message().text("a **b** _c_ ~~d~~ `e`").format(Format.MARKDOWN).build();
    Plan plain = plan(bold, zalo.bot());
    assertThat(BotRequest.of(Dispatch.last(bold, plain)).fields()).doesNotContainKey("text_styles");

    Plan styled = plan(bold, zalo.bot().set("markup", "styles"));
    BotRequest request = BotRequest.of(Dispatch.last(bold, styled));
    assertThat(request.fields()).containsEntry("text", "a b c d e");
    assertThat(Json.write(request.fields().get("text_styles")))
        .satisfies(
            it ->
                assertThat(Json.readArray(it))
                    .isEqualTo(
                        Json.readArray(
                            "[{\"start\":2,\"len\":1,\"st\":[\"b\"]},"
                                + "{\"start\":4,\"len\":1,\"st\":[\"i\"]},"
                                + "{\"start\":6,\"len\":1,\"st\":[\"s\"]}]")));
  }

  @Test
  void styles_that_are_refused_are_left_out() throws Exception {
    Message bold = message().text("**b**").format(Format.MARKDOWN).build();
    Dispatch part = Dispatch.last(bold, plan(bold, zalo.bot().set("markup", "styles")));
    zalo.api.answer(FakeZalo.no(400, "text_styles is invalid"));
    assertThat(link.send(part))
        .isInstanceOfSatisfying(
            Outcome.Repairable.class, it -> assertThat(it.fix()).isEqualTo(new Fix.PlainText()));
  }

  @Test
  void a_markup_that_nobody_knows_is_refused() {
    assertThatThrownBy(
            () -> new ZaloChannel().open(TestAccount.of(zalo.bot().set("markup", "markdown"))))
        .hasMessage("account zb: markup is neither plain nor styles");
  }

  // ---- channel data

  @ParameterizedTest
  @CsvSource({
    "sticker, e9ab63c0, sendSticker",
    "voice_url, https://example.org/a.aac, sendVoice",
    "action, typing, sendChatAction"
  })
  void what_channel_data_says_by_itself_has_a_method_of_its_own(
      String field, String value, String method) throws Exception {
    Message message = message().channelData(Map.of(field, value)).build();
    Plan plan = plan(message, zalo.bot());
    new ZaloChannel().check(message, plan);
    zalo.api.answer(
        method.equals("sendChatAction") ? Reply.json(200, "{\"ok\":true}") : FakeZalo.ok("m"));
    assertThat(link.send(Dispatch.last(message, plan))).isInstanceOf(Outcome.Delivered.class);
    assertThat(zalo.api.onlyRequest().path()).endsWith("/" + method);
    assertThat(asked())
        .isEqualTo("{\"chat_id\":\"6ede9afa66b88fe6d6a9\",\"%s\":\"%s\"}".formatted(field, value));
  }

  @Test
  void an_action_may_be_repeated_and_a_message_not() {
    Message typing = message().channelData(Map.of("action", "typing")).build();
    assertThat(link.remembers(Dispatch.last(typing, plan(typing, zalo.bot())), Duration.ZERO))
        .isEqualTo(Capabilities.FOR_GOOD);
    assertThat(link.remembers(account.part(CHAT, "x"), Duration.ZERO)).isZero();
  }

  @Test
  void zalos_own_markup_goes_with_every_part_of_a_text() throws Exception {
    Message message =
        message()
            .text("<b>x</b>")
            .format(Format.NATIVE)
            .channelData(Map.of("parse_mode", "html"))
            .build();
    Plan plan = plan(message, zalo.bot());
    new ZaloChannel().check(message, plan);
    zalo.api.answer(FakeZalo.ok("m"));
    link.send(Dispatch.last(message, plan));
    assertThat(asked())
        .isEqualTo(
            "{\"chat_id\":\"6ede9afa66b88fe6d6a9\",\"text\":\"<b>x</b>\","
                + "\"parse_mode\":\"html\"}");
  }

  static List<List<Object>> wrongChannelData() {
    return List.of(
        List.of(Map.of("stiker", "1"), "channelData.stiker", "is not known to the platform"),
        List.of(Map.of("action", "dancing"), "channelData.action", "enum"),
        List.of(Map.of("parse_mode", "bbcode"), "channelData.parse_mode", "enum"),
        List.of(Map.of("sticker", 5), "channelData.sticker", "string"),
        List.of(Map.of("sticker", "1"), "channelData.sticker", "without text and media"),
        List.of(
            Map.of("text_styles", List.of(Map.of("start", 0, "len", 2))),
            "channelData.text_styles[0].st",
            "is missing"));
  }

  @ParameterizedTest
  @MethodSource("wrongChannelData")
  void wrong_channel_data_is_refused_when_it_is_handed_in(List<Object> row) {
    @SuppressWarnings("unchecked")
    Map<String, Object> data = (Map<String, Object>) row.getFirst();
    Message message = message().text("x").channelData(data).build();
    Plan plan = plan(message, zalo.bot());
    assertThatThrownBy(() -> new ZaloChannel().check(message, plan))
        .isInstanceOfSatisfying(
            InvalidInput.class,
            it -> {
              assertThat(it.field()).isEqualTo(row.get(1));
              assertThat(it.first().message()).contains(String.valueOf(row.get(2)));
            });
  }

  @Test
  void what_is_for_official_accounts_is_rejected_without_asking() throws Exception {
    Dispatch part =
        account.part(message().text("x").channelData(Map.of("attachment", Map.of("type", "file"))));
    assertThat(link.send(part))
        .isInstanceOfSatisfying(
            Outcome.Rejected.class,
            it -> assertThat(it.cause()).contains("is for Official Accounts; this is a bot"));
    assertThat(zalo.api.requests()).isEmpty();
  }

  // ---- the account

  @Test
  void a_probe_names_the_bot() throws Exception {
    zalo.api.answer(
        Reply.json(
            200, "{\"ok\":true,\"result\":{\"id\":\"145\",\"account_name\":\"bot.VDKyGxQvc\"}}"));
    assertThat(link.probe()).isEqualTo(new Probe.Healthy("bot.VDKyGxQvc"));
    assertThat(zalo.api.onlyRequest().path()).endsWith("/getMe");
    zalo.api.answer(FakeZalo.no(401, "Unauthorized"), Reply.html(502, "Bad Gateway"));
    assertThat(link.probe())
        .isEqualTo(new Probe.Broken("401 Unauthorized (check token: is it the bot's?)"));
    assertThat(link.probe()).isInstanceOf(Probe.Unreachable.class);
  }

  @Test
  void a_probe_says_if_zalo_knows_no_webhook_though_one_is_waited_for() throws Exception {
    Reply me = Reply.json(200, "{\"ok\":true,\"result\":{\"account_name\":\"bot.V\"}}");
    String set = "{\"ok\":true,\"result\":{\"url\":\"https://your.host/hooks/zb\"}}";
    TestAccount waiting = TestAccount.of(zalo.bot().set("webhookSecret", "hook-secret-1"));
    try (Link hearing = new ZaloChannel().open(waiting)) {
      for (Reply told :
          List.of(
              Reply.json(200, "{\"ok\":true,\"result\":{\"url\":\"\",\"updated_at\":1}}"),
              Reply.json(200, "{\"ok\":true,\"result\":{}}"))) {
        zalo.api.answer(me, told);
        assertThat(hearing.probe())
            .isEqualTo(
                new Probe.Healthy(
                    "bot.V; Zalo knows no webhook of this bot: tell it (setWebhook)"));
        assertThat(zalo.api.requests().getLast().path()).endsWith("/getWebhookInfo");
      }
      for (Reply told :
          List.of(Reply.json(200, set), FakeZalo.no(404, "Not found"), new Reply.HangUp())) {
        zalo.api.answer(me, told);
        assertThat(hearing.probe()).isEqualTo(new Probe.Healthy("bot.V"));
      }
    }
  }

  @Test
  void the_token_is_in_no_outcome() throws Exception {
    zalo.api.answer(
        FakeZalo.no(400, "/bot1459232241454765289:very-secret/sendMessage"),
        Reply.html(404, "<p>very-secret</p>"));
    assertThat(link.send(account.part(CHAT, "x")).toString()).doesNotContain("very-secret");
    assertThat(link.probe().toString()).doesNotContain("very-secret");
  }

  static List<AccountConfig> unclearAccounts() {
    AccountConfig none = AccountConfig.of("z", "zalo");
    return List.of(
        none,
        none.set("webhookSecret", "s"),
        none.set("token", "1:x").set("appId", "1"),
        none.set("token", "1:x").set("oaSecretKey", "k"));
  }

  @ParameterizedTest
  @MethodSource("unclearAccounts")
  void both_ways_at_once_or_neither_is_refused_by_the_names_of_both(AccountConfig config) {
    assertThatThrownBy(() -> new ZaloChannel().open(TestAccount.of(config)))
        .hasMessageStartingWith("account z: token is")
        .hasMessageContaining("for a bot")
        .hasMessageContaining("appId, appSecret")
        .hasMessageContaining("for an Official Account");
  }

  // ---- polling

  private static final String UPDATE =
      """
      {"event_name":"message.text.received","message":{"message_id":"m%d","text":"hi %d",
      "chat":{"id":"6ede","chat_type":"PRIVATE"},
      "from":{"id":"6ede","display_name":"An","is_bot":false},"date":1750316131602}}""";

  private Link polling() {
    return new ZaloChannel().open(TestAccount.of(zalo.bot().set("polling", "true")));
  }

  @Test
  void updates_come_one_at_a_time_and_an_empty_poll_is_a_408() throws Exception {
    zalo.api.answer(
        FakeZalo.no(408, "Request timeout"),
        Reply.json(200, "{\"ok\":true,\"result\":" + UPDATE.formatted(1, 1) + "}"),
        Reply.json(200, "{\"ok\":true,\"result\":{}}"),
        Reply.json(408, "{\"ok\":false,\"error_code\":408,\"description\":\"timeout\"}"),
        Reply.json(200, "{\"ok\":true,\"result\":[" + UPDATE.formatted(2, 2) + "]}"));
    TestInlet inlet = new TestInlet(null, 2);
    try (Link polling = polling()) {
      assertThat(link.listens()).isFalse();
      assertThat(polling.listens()).isTrue();
      polling.listen(inlet);
    } finally {
      Thread.interrupted();
    }
    assertThat(inlet.arrivals()).extracting(it -> it.text()).containsExactly("hi 1", "hi 2");
    assertThat(inlet.connections).hasValue(5);
    assertThat(inlet.cursor()).as("there is nothing to confirm").isNull();
    assertThat(zalo.api.requests())
        .extracting(request -> request.text())
        .startsWith("{\"timeout\":\"1\"}", "{\"timeout\":\"30\"}");
  }

  @ParameterizedTest
  @CsvSource({
    "401, Unauthorized, true, check token",
    "400, Webhook is configured; true, true, delete it",
    "500, oops, false, getUpdates: 500",
    "429, slow, false, getUpdates: 429"
  })
  void a_poll_that_is_refused_says_what_to_do(int code, String text, boolean refused, String says) {
    zalo.api.answer(FakeZalo.no(code, text));
    try (Link polling = polling()) {
      assertThatThrownBy(() -> polling.listen(new TestInlet(null, 1)))
          .isInstanceOf(refused ? ListeningRefused.class : IOException.class)
          .hasMessageContaining(says);
    }
  }
}
