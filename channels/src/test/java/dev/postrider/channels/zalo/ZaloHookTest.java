package dev.postrider.channels.zalo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Hook;
import dev.postrider.channel.Hook.Answer;
import dev.postrider.channel.Link;
import dev.postrider.channel.Outcome;
import dev.postrider.channels.TestAccount;
import dev.postrider.inbound.DeliveryReport;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.inbound.InboundMessage.ChatKind;
import dev.postrider.inbound.InboundMessage.Kind;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ZaloHookTest {
  private static final Instant NOW = Instant.parse("2026-09-24T08:00:00Z");
  private static final String MS = Long.toString(NOW.toEpochMilli());
  private static final String SECRET = "hook-secret-1";

  private final FakeZalo zalo = new FakeZalo();
  private final Hook bot =
      Objects.requireNonNull(new ZaloChannel().hook(zalo.bot().set("webhookSecret", SECRET)));
  private final Hook oa =
      Objects.requireNonNull(new ZaloChannel().hook(zalo.oa().set("oaSecretKey", FakeZalo.KEY)));

  @AfterEach
  void close() {
    zalo.close();
  }

  private static Hook.Request post(String body, Map<String, String> headers) {
    return new Hook.Request("POST", headers, Map.of(), body.getBytes(StandardCharsets.UTF_8), NOW);
  }

  private static InboundMessage only(Answer answer) {
    assertThat(answer).isInstanceOf(Answer.Genuine.class);
    assertThat(((Answer.Genuine) answer).arrivals()).hasSize(1);
    return ((Answer.Genuine) answer).arrivals().getFirst();
  }

  private static void assertNothing(Answer answer) {
    assertThat(answer)
        .isInstanceOfSatisfying(
            Answer.Genuine.class,
            it -> {
              assertThat(it.arrivals()).isEmpty();
              assertThat(it.reports()).isEmpty();
              assertThat(it.reply()).isEqualTo(Hook.Reply.OK);
            });
  }

  // ---- bots

  private Answer toBot(String body) {
    return bot.read(post(body, Map.of("x-bot-api-secret-token", SECRET)));
  }

  private static String update(String event, String more) {
    return """
        {"event_name":"%s","message":{"message_id":"2d758","chat":{"id":"c1","chat_type":"GROUP"},
        "from":{"id":"u1","display_name":"An","is_bot":false},"date":%s%s}}"""
        .formatted(event, MS, more);
  }

  @ParameterizedTest
  @ValueSource(strings = {"%s", "{\"ok\":true,\"result\":%s}"})
  void a_bots_update_is_read_bare_and_inside_of_a_result(String shape) {
    InboundMessage it =
        only(toBot(shape.formatted(update("message.text.received", ",\"text\":\"chào\""))));
    assertThat(it.platformId()).isEqualTo("2d758");
    assertThat(it.messageId()).isEqualTo("2d758");
    assertThat(it.kind()).isEqualTo(Kind.MESSAGE);
    assertThat(it.chat()).isEqualTo("c1");
    assertThat(it.chatKind()).isEqualTo(ChatKind.GROUP);
    assertThat(it.sender()).isEqualTo(new InboundMessage.Sender("u1", "An"));
    assertThat(it.text()).isEqualTo("chào");
    assertThat(it.sentAt()).isEqualTo(NOW);
  }

  @ParameterizedTest
  @ValueSource(longs = {-3 * 3_600_000 - 1, 15 * 60_000 + 1})
  void a_bots_update_that_is_played_back_long_afterwards_is_refused(long millis) {
    String update = update("message.text.received", ",\"text\":\"x\"");
    String old = update.replace(MS, "" + (NOW.toEpochMilli() + millis));
    assertThat(toBot(old))
        .isInstanceOfSatisfying(
            Answer.Forged.class, it -> assertThat(it.cause()).contains("older than three hours"));
    String late = update.replace(MS, "" + (NOW.toEpochMilli() + millis - Long.signum(millis)));
    assertThat(only(toBot(late)).platformId()).isEqualTo("2d758");
    assertThat(only(toBot(update.replace("\"date\":" + MS + ",", ""))).sentAt())
        .as("where no time is sent")
        .isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "message.image.received | \"photo\":\"https://z/a.jpg\",\"caption\":\"look\" | image"
            + " | https://z/a.jpg | look",
        "message.image.received | \"photo_url\":\"https://z/a.jpg\" | image | https://z/a.jpg |",
        "message.sticker.received | \"sticker\":\"e9\",\"url\":\"https://z/s\" | image"
            + " | https://z/s |",
        "message.voice.received | \"voice_url\":\"https://z/v.aac\" | voice | https://z/v.aac |"
      })
  void what_comes_with_a_bots_update_can_be_fetched(
      String event, String more, String kind, String url, @Nullable String text) {
    InboundMessage it = only(toBot(update(event, "," + more)));
    assertThat(it.media())
        .singleElement()
        .satisfies(
            file -> {
              assertThat(file.kind()).isEqualTo(kind);
              assertThat(file.url()).isEqualTo(url);
            });
    assertThat(it.text()).isEqualTo(text);
  }

  @Test
  void what_zalo_does_not_show_a_bot_comes_in_as_something_else() {
    assertThat(only(toBot(update("message.unsupported.received", ""))).kind())
        .isEqualTo(Kind.OTHER);
    assertNothing(toBot("{\"event_name\":\"message.unsupported.received\"}"));
  }

  @Test
  void what_bots_write_is_left_out() {
    assertNothing(
        toBot(update("message.text.received", ",\"text\":\"x\"").replace("false", "true")));
  }

  @Test
  void whoever_does_not_present_the_secret_is_refused() {
    String body = update("message.text.received", ",\"text\":\"x\"");
    for (Map<String, String> headers :
        List.of(
            Map.<String, String>of(),
            Map.of("x-bot-api-secret-token", ""),
            Map.of("x-bot-api-secret-token", "hook-secret-2"))) {
      assertThat(bot.read(post(body, headers))).isInstanceOf(Answer.Forged.class);
    }
    assertThat(bot.read(post("{}", Map.of()))).isInstanceOf(Answer.Forged.class);
    assertNothing(toBot("{}"));
    assertThat(toBot("[]")).isInstanceOf(Answer.Malformed.class);
    assertThat(toBot("{\"result\":5}")).isInstanceOf(Answer.Malformed.class);
    assertThat(new ZaloChannel().hook(zalo.bot())).as("without a secret").isNull();
  }

  // ---- Official Accounts

  private static Hook.Request signed(String body, String time, boolean header) {
    Map<String, String> headers = new HashMap<>();
    headers.put("x-zevent-signature", FakeZalo.mac(FakeZalo.APP, body, time, FakeZalo.KEY));
    if (header) {
      headers.put("x-zevent-timestamp", time);
    }
    return post(body, headers);
  }

  private Answer toOa(String body) {
    return oa.read(signed(body, MS, false));
  }

  private static String event(String name, String message) {
    return """
        {"app_id":"3608465248940903967","sender":{"id":"246845883529197922"},
        "recipient":{"id":"388613280878808645"},"user_id_by_app":"552177279717587730",
        "event_name":"%s","message":{"msg_id":"96d3cdf3af150460909"%s},"timestamp":"%s"}"""
        .formatted(name, message, MS);
  }

  @Test
  void a_signature_is_checked_against_a_digest_that_was_made_elsewhere() {
    // printf '%s' '123{"event_name":…}1727164800000key' | sha256sum
    String body =
        "{\"event_name\":\"user_send_text\",\"sender\":{\"id\":\"1\"},"
            + "\"message\":{\"msg_id\":\"m\",\"text\":\"chào 🌍\"},\"timestamp\":\"1727164800000\"}";
    Hook hook = new OaHook("123", "key", "");
    Hook.Request request =
        new Hook.Request(
            "POST",
            Map.of(
                "x-zevent-signature",
                "mac=351f2c6dd91851b21caad887ae192c079a121d7f72f12667c98dca19d7e43210"),
            Map.of(),
            body.getBytes(StandardCharsets.UTF_8),
            Instant.ofEpochMilli(1727164800000L));
    assertThat(only(hook.read(request)).text()).isEqualTo("chào 🌍");
  }

  @Test
  void a_persons_text_is_read() {
    Answer answer = toOa(event("user_send_text", ",\"text\":\"chào\",\"quote_msg_id\":\"11\""));
    InboundMessage it = only(answer);
    assertThat(it.platformId()).isEqualTo("96d3cdf3af150460909");
    assertThat(it.kind()).isEqualTo(Kind.MESSAGE);
    assertThat(it.chat()).isEqualTo("246845883529197922");
    assertThat(it.chatKind()).isEqualTo(ChatKind.DM);
    assertThat(it.sender().id()).isEqualTo("246845883529197922");
    assertThat(it.text()).isEqualTo("chào");
    assertThat(it.replyToId()).isEqualTo("11");
    assertThat(it.sentAt()).isEqualTo(NOW);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "user_send_image | image | \"url\":\"https://z/a.jpg\" | image | https://z/a.jpg |",
        "user_send_gif | gif | \"url\":\"https://z/a.gif\" | image | https://z/a.gif |",
        "user_send_sticker | sticker | \"id\":\"7\",\"url\":\"https://z/s\" | image"
            + " | https://z/s |",
        "user_send_audio | audio | \"url\":\"https://z/v\" | voice | https://z/v |",
        "user_send_video | video | \"url\":\"https://z/v\" | video | https://z/v |",
        "user_send_file | file | \"url\":\"https://z/f\",\"name\":\"a.pdf\",\"size\":\"12\""
            + " | document | https://z/f |",
        "user_send_link | link | \"url\":\"https://example.org/\" | | | https://example.org/",
        "user_send_location | location | \"coordinates\":{\"latitude\":\"10.77\","
            + "\"longitude\":\"106.7\"} | | | geo:10.77,106.7",
        "user_send_business_card | link | \"thumbnail\":\"x\" | | |"
      })
  void whatever_a_person_sends_is_read(
      String event,
      String type,
      String payload,
      @Nullable String kind,
      @Nullable String url,
      @Nullable String text) {
    InboundMessage it =
        only(
            toOa(
                event(
                    event,
                    ",\"attachments\":[{\"type\":\"%s\",\"payload\":{%s}}]"
                        .formatted(type, payload))));
    assertThat(it.kind()).isEqualTo(Kind.MESSAGE);
    assertThat(it.text()).isEqualTo(text);
    assertThat(it.media().stream().map(file -> file.kind() + " " + file.url()).toList())
        .isEqualTo(kind == null ? List.of() : List.of(kind + " " + url));
    if (event.equals("user_send_file")) {
      assertThat(it.media().getFirst().filename()).isEqualTo("a.pdf");
      assertThat(it.media().getFirst().size()).isEqualTo(12);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"follow", "unfollow"})
  void who_follows_and_who_does_not_any_more_comes_in_once_each_time(String name) {
    String body =
        """
        {"oa_id":"388613280879808645","follower":{"id":"24684588352919792"},
        "event_name":"%s","source":"oa_profile","app_id":"36084652489903967","timestamp":"%s"}"""
            .formatted(name, MS);
    Answer answer = toOa(body);
    InboundMessage it = only(answer);
    assertThat(it.kind()).isEqualTo(Kind.OTHER);
    assertThat(it.chat()).isEqualTo("24684588352919792");
    assertThat(it.platformId()).isEqualTo(name + ":24684588352919792:" + MS);
    assertThat(((Answer.Genuine) answer).memory()).hasSize(name.equals("follow") ? 1 : 0);
  }

  @Test
  void reactions_and_forms_come_in_as_such() {
    InboundMessage heart = only(toOa(event("user_reacted_message", ",\"react_icon\":\"/-heart\"")));
    assertThat(heart.kind()).isEqualTo(Kind.REACTION);
    assertThat(heart.text()).isEqualTo("/-heart");
    assertThat(heart.messageId()).isEqualTo("96d3cdf3af150460909");
    assertThat(heart.platformId()).isNotEqualTo("96d3cdf3af150460909");
    InboundMessage form = only(toOa(event("user_submit_info", "")));
    assertThat(form.kind()).isEqualTo(Kind.ACTION);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "oa_send_text",
        "oa_send_image",
        "oa_send_list",
        "oa_reacted_message",
        "oa_send_group_text",
        "user_send_group_text",
        "add_user_to_tag",
        "change_template_status"
      })
  void our_own_messages_groups_and_the_office_are_left_out(String name) {
    assertNothing(toOa(event(name, ",\"text\":\"x\"")));
  }

  @Test
  void receipts_are_reports() {
    assertThat(((Answer.Genuine) toOa(event("user_received_message", ""))).reports())
        .containsExactly(
            new DeliveryReport("96d3cdf3af150460909", DeliveryReport.State.DELIVERED, NOW, null));
    String seen =
        event("user_seen_message", "")
            .replace("\"msg_id\":\"96d3cdf3af150460909\"", "\"msg_ids\":[\"a\",\"b\"]");
    Answer.Genuine answer = (Answer.Genuine) toOa(seen);
    assertThat(answer.arrivals()).isEmpty();
    assertThat(answer.reports())
        .containsExactly(
            new DeliveryReport("a", DeliveryReport.State.READ, NOW, null),
            new DeliveryReport("b", DeliveryReport.State.READ, NOW, null));
  }

  @Test
  void of_an_app_with_several_accounts_only_ours_counts() {
    Hook one = new OaHook(FakeZalo.APP, FakeZalo.KEY, "388613280878808645");
    Hook other = new OaHook(FakeZalo.APP, FakeZalo.KEY, "9");
    Hook.Request request = signed(event("user_send_text", ",\"text\":\"x\""), MS, false);
    assertThat(only(one.read(request)).text()).isEqualTo("x");
    assertNothing(other.read(request));
  }

  // ---- genuine or not

  @Test
  void a_forged_request_is_refused() {
    String body = event("user_send_text", ",\"text\":\"x\"");
    String right = FakeZalo.mac(FakeZalo.APP, body, MS, FakeZalo.KEY);
    for (String signature :
        List.of(
            "",
            "mac=",
            right.substring(0, 20),
            FakeZalo.mac(FakeZalo.APP, body, MS, "another key"),
            FakeZalo.mac("1", body, MS, FakeZalo.KEY),
            FakeZalo.mac(FakeZalo.APP, body + " ", MS, FakeZalo.KEY),
            FakeZalo.mac(FakeZalo.APP, body, "1", FakeZalo.KEY))) {
      assertThat(oa.read(post(body, Map.of("x-zevent-signature", signature))))
          .as(signature)
          .isInstanceOf(Answer.Forged.class);
    }
    assertThat(oa.read(post(body, Map.of()))).isInstanceOf(Answer.Forged.class);
    assertThat(oa.read(post(body, Map.of("x-zevent-signature", right))))
        .isInstanceOf(Answer.Genuine.class);
  }

  @Test
  void a_time_in_the_header_is_what_is_signed_if_it_is_there() {
    String body = event("user_send_text", ",\"text\":\"x\"");
    String later = Long.toString(NOW.plusSeconds(60).toEpochMilli());
    assertThat(oa.read(signed(body, later, true))).isInstanceOf(Answer.Genuine.class);
    assertThat(oa.read(signed(body, later, false))).isInstanceOf(Answer.Forged.class);
  }

  @ParameterizedTest
  @CsvSource({"-PT2H59M, true", "-PT3H1M, false", "PT14M, true", "PT16M, false"})
  void what_zalo_tells_again_is_taken_for_three_hours_and_older_ones_are_refused(
      Duration shift, boolean taken) {
    String time = Long.toString(NOW.plus(shift).toEpochMilli());
    String body = event("user_send_text", ",\"text\":\"x\"").replace(MS, time);
    assertThat(oa.read(signed(body, time, false)))
        .isInstanceOf(taken ? Answer.Genuine.class : Answer.Forged.class);
  }

  @Test
  void a_replayed_event_has_the_same_id() {
    Hook.Request request = signed(event("user_send_text", ",\"text\":\"x\""), MS, false);
    assertThat(only(oa.read(request)).platformId()).isEqualTo(only(oa.read(request)).platformId());
  }

  @Test
  void zalo_may_look_whether_somebody_answers() {
    assertNothing(oa.read(post("{}", Map.of())));
    assertThat(oa.read(post("", Map.of()))).isInstanceOf(Answer.Forged.class);
    assertThat(new ZaloChannel().hook(zalo.oa())).as("without a key").isNull();
  }

  // ---- the seven days after a person did something

  @Test
  void a_closed_window_is_explained_by_when_the_webhook_said_they_wrote() throws Exception {
    TestAccount account = TestAccount.of(zalo.oa());
    account
        .memory()
        .write(((Answer.Genuine) toOa(event("user_send_text", ",\"text\":\"x\""))).memory());
    zalo.oauth.answer(FakeZalo.tokens(1));
    zalo.api.answer(
        FakeZalo.refused(-230, "User has not interacted with the OA in the past 7 days"),
        FakeZalo.refused(-230, "User has not interacted with the OA in the past 7 days"));
    try (Link link = new ZaloChannel().open(account)) {
      assertThat(link.send(account.part("246845883529197922", "hi")))
          .isInstanceOfSatisfying(
              Outcome.Rejected.class,
              it ->
                  assertThat(it.cause())
                      .startsWith("-230 ")
                      .contains("only a template reaches them now")
                      .endsWith("; they last did something at " + NOW));
      assertThat(link.send(account.part("1", "hi")))
          .isInstanceOfSatisfying(
              Outcome.Rejected.class,
              it -> assertThat(it.cause()).endsWith("; nothing they did has come in"));
    }
  }
}
