package dev.postrider.channels.line;

import static org.assertj.core.api.Assertions.assertThat;

import com.linecorp.bot.parser.LineSignatureValidator;
import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Hook;
import dev.postrider.channel.Hook.Answer;
import dev.postrider.channel.Link;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.Remembered;
import dev.postrider.channels.TestAccount;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.VendorSchema;
import dev.postrider.channels.peers.VerifiedAgainst;
import dev.postrider.config.AccountConfig;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.inbound.InboundMessage.ChatKind;
import dev.postrider.inbound.InboundMessage.Kind;
import dev.postrider.message.Message;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** LINE's own library signs; what it signs is taken, and nothing else. */
@VerifiedAgainst(value = "LINE's own verifier 9.14.0", channels = "line")
class LineHookTest {
  private static final VendorSchema LINE =
      new VendorSchema(LineHookTest.class, "webhook.schema.json");
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final String ANN = "U4af4980629000000000000000000abcd";
  private static final String US = "U4af4980629000000000000000000aaaa";
  private static final String GROUP = "C4af4980629000000000000000000abcd";
  private static final String ROOM = "R4af4980629000000000000000000abcd";

  private static Hook hook(String secret) {
    return Objects.requireNonNull(
        new LineChannel().hook(AccountConfig.of("shop", "line").set("channelSecret", secret)));
  }

  private static String signature(String secret, String body) {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    LineSignatureValidator vendor =
        new LineSignatureValidator(secret.getBytes(StandardCharsets.UTF_8));
    String signature = Base64.getEncoder().encodeToString(vendor.generateSignature(bytes));
    assertThat(vendor.validateSignature(bytes, signature)).isTrue();
    return signature;
  }

  private static Answer post(String body, Map<String, String> headers) {
    return hook("chsecret")
        .read(
            new Hook.Request(
                "POST", headers, Map.of(), body.getBytes(StandardCharsets.UTF_8), NOW));
  }

  private static Answer post(String body) {
    return post(body, Map.of("x-line-signature", signature("chsecret", body)));
  }

  private static String event(String type, @Nullable String source, String more) {
    return """
        {"type":"%s"%s,"timestamp":%d,"mode":"active","replyToken":"token-1",
         "webhookEventId":"01FZ74A0TDDPYRVKNK77XKC3ZR",
         "deliveryContext":{"isRedelivery":false}%s}"""
        .formatted(
            type,
            source == null ? "" : ",\"source\":" + source,
            NOW.minusSeconds(2).toEpochMilli(),
            more);
  }

  private static String payload(String... events) {
    return "{\"destination\":\"%s\",\"events\":[%s]}".formatted(US, String.join(",", events));
  }

  private static final String USER = "{\"type\":\"user\",\"userId\":\"" + ANN + "\"}";

  private static final String TEXT =
      event(
          "message",
          USER,
          """
          ,"message":{"type":"text","id":"4687","quoteToken":"quote-1","quotedMessageId":"4686",
                      "text":"hello 🌍"}""");

  private static Answer.Genuine genuine(String... events) {
    assertThat(LINE.validate("CallbackRequest", Json.readObject(payload(events))))
        .as("as LINE describes it")
        .isEmpty();
    Answer answer = post(payload(events));
    assertThat(answer).isInstanceOf(Answer.Genuine.class);
    return (Answer.Genuine) answer;
  }

  private static InboundMessage only(String event) {
    List<InboundMessage> arrivals = genuine(event).arrivals();
    assertThat(arrivals).hasSize(1);
    return arrivals.getFirst();
  }

  // ---- signatures

  @Test
  void a_signature_that_lines_own_sdk_takes_is_taken() {
    String body = "{\"type\":\"message.sent\",\"data\":{\"id\":\"m_1\",\"text\":\"héllo 🌍\"}}";
    String theirs = "UcG4TWQ2eItjyBAvgn/3hmeDio7p9BVg5b91VLPRsb4=";
    assertThat(signature("chsecret", body)).isEqualTo(theirs);
    assertThat(post(body, Map.of("x-line-signature", theirs)))
        .as("signed rightly, but no notification")
        .isInstanceOf(Answer.Malformed.class);
  }

  @Test
  void what_is_not_signed_with_the_secret_is_forged() {
    String body = payload(TEXT);
    assertThat(post(body, Map.of())).isInstanceOf(Answer.Forged.class);
    assertThat(post(body, Map.of("x-line-signature", signature("wrong", body))))
        .isInstanceOfSatisfying(
            Answer.Forged.class, it -> assertThat(it.cause()).contains("check channelSecret"));
    assertThat(post(body + " ", Map.of("x-line-signature", signature("chsecret", body))))
        .isInstanceOf(Answer.Forged.class);
  }

  @Test
  void an_event_that_is_older_than_ids_are_remembered_is_refused() {
    String old = TEXT.replaceFirst("\"timestamp\":\\d+", "\"timestamp\":1700000000000");
    assertThat(post(payload(old))).isInstanceOf(Answer.Malformed.class);
    String late =
        TEXT.replaceFirst(
            "\"timestamp\":\\d+", "\"timestamp\":" + NOW.minus(Duration.ofDays(3)).toEpochMilli());
    assertThat(post(payload(late))).as("late, not too late").isInstanceOf(Answer.Genuine.class);
  }

  @Test
  void lines_console_may_try_the_address_out() {
    assertThat(genuine().arrivals()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"[]", "{", "{\"events\":7}", "hello"})
  void what_is_no_notification_is_malformed(String body) {
    assertThat(post(body)).isInstanceOf(Answer.Malformed.class);
  }

  @Test
  void without_a_secret_there_is_no_webhook() {
    assertThat(new LineChannel().hook(AccountConfig.of("shop", "line").set("token", "x"))).isNull();
    assertThat(
            new LineChannel()
                .hook(AccountConfig.of("shop", "line").set("webhookSecret", "by another name")))
        .isNotNull();
  }

  // ---- what happened

  @Test
  void a_text_is_read() {
    InboundMessage read = only(TEXT);
    assertThat(read.platformId()).isEqualTo("01FZ74A0TDDPYRVKNK77XKC3ZR");
    assertThat(read.kind()).isEqualTo(Kind.MESSAGE);
    assertThat(read.chat()).isEqualTo(ANN);
    assertThat(read.chatKind()).isEqualTo(ChatKind.DM);
    assertThat(read.sender().id()).isEqualTo(ANN);
    assertThat(read.text()).isEqualTo("hello 🌍");
    assertThat(read.messageId()).isEqualTo("4687");
    assertThat(read.replyToId()).isEqualTo("4686");
    assertThat(read.sentAt()).isEqualTo(NOW.minusSeconds(2));
  }

  @Test
  void the_reply_token_is_kept_out_of_what_consumers_see() {
    assertThat(Json.write(only(TEXT).raw())).doesNotContain("token-1").contains("quote-1");
    assertThat(genuine(TEXT).memory().toString()).doesNotContain("token-1");
  }

  @Test
  void a_redelivered_event_has_the_same_id() {
    String again = TEXT.replace("\"isRedelivery\":false", "\"isRedelivery\":true");
    assertThat(only(again).platformId()).isEqualTo(only(TEXT).platformId());
  }

  @Test
  void a_group_and_a_room_are_chats_and_whoever_writes_there_is_the_sender() {
    String group = "{\"type\":\"group\",\"groupId\":\"" + GROUP + "\",\"userId\":\"" + ANN + "\"}";
    String room = "{\"type\":\"room\",\"roomId\":\"" + ROOM + "\"}";
    InboundMessage inGroup = only(event("join", group, ""));
    assertThat(inGroup.chat()).isEqualTo(GROUP);
    assertThat(inGroup.chatKind()).isEqualTo(ChatKind.GROUP);
    assertThat(inGroup.sender().id()).isEqualTo(ANN);
    assertThat(only(event("leave", room, "")).sender().id())
        .as("LINE does not always say who")
        .isEqualTo(ROOM);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          image | , "quoteToken":"q", "contentProvider":{"type":"line"} | image | 9 |
          video | , "quoteToken":"q", "contentProvider":{"type":"line"}, "duration":60000 \
          | video | 9 |
          audio | , "contentProvider":{"type":"line"} | audio | 9 |
          file  | , "fileName":"plan.pdf", "fileSize":2138 | document | 9 |
          image | , "quoteToken":"q", "contentProvider":{"type":"external", \
          "originalContentUrl":"https://e.org/a"} | image |   | https://e.org/a
          """)
  void a_file_can_be_fetched_by_the_messages_id_or_where_it_is(
      String type, String more, String kind, String id, String url) {
    InboundMessage read =
        only(
            event(
                "message",
                USER,
                ",\"message\":{\"id\":\"9\",\"type\":\"" + type + "\"" + more + "}"));
    InboundMessage.File file = read.media().getFirst();
    assertThat(file.kind()).isEqualTo(kind);
    assertThat(file.id()).isEqualTo(id);
    assertThat(file.url()).isEqualTo(url);
    if (type.equals("file")) {
      assertThat(file.filename()).isEqualTo("plan.pdf");
      assertThat(file.size()).isEqualTo(2138);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"type\":\"location\",\"title\":\"Us\",\"latitude\":35.6,\"longitude\":139.7",
        "\"type\":\"sticker\",\"packageId\":\"446\",\"stickerId\":\"1988\","
            + "\"stickerResourceType\":\"STATIC\",\"quoteToken\":\"quote-1\""
      })
  void a_place_and_a_sticker_are_messages_that_raw_tells_more_of(String message) {
    InboundMessage read =
        only(event("message", USER, ",\"message\":{\"id\":\"9\"," + message + "}"));
    assertThat(read.kind()).isEqualTo(Kind.MESSAGE);
    assertThat(read.text()).isNull();
    assertThat(Json.tree(read.raw()).path("message"))
        .isEqualTo(Json.readObject("{\"id\":\"9\"," + message + "}"));
  }

  @Test
  void a_postback_is_an_action() {
    InboundMessage read = only(event("postback", USER, ",\"postback\":{\"data\":\"buy=7\"}"));
    assertThat(read.kind()).isEqualTo(Kind.ACTION);
    assertThat(read.text()).isEqualTo("buy=7");
  }

  @Test
  void a_message_that_was_taken_back_is_named() {
    InboundMessage read = only(event("unsend", USER, ",\"unsend\":{\"messageId\":\"4687\"}"));
    assertThat(read.kind()).isEqualTo(Kind.OTHER);
    assertThat(read.replyToId()).isEqualTo("4687");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          follow            | , "follow":{"isUnblocked":false}
          unfollow          | ''
          join              | ''
          leave             | ''
          memberJoined      | , "joined":{"members":[]}
          memberLeft        | , "left":{"members":[]}
          beacon            | , "beacon":{"hwid":"d41d8cd98f", "type":"enter"}
          videoPlayComplete | , "videoPlayComplete":{"trackingId":"1"}
          accountLink       | , "link":{"result":"ok", "nonce":"n"}
          membership        | , "membership":{"type":"joined", "membershipId":3189}
          somethingNew      | ''
          """)
  void whatever_else_happens_in_a_chat_is_told(String type, String more) {
    InboundMessage read = only(event(type, USER, more));
    assertThat(read.kind()).isEqualTo(Kind.OTHER);
    assertThat(read.raw().get("type")).isEqualTo(type);
  }

  @Test
  void what_another_bot_answers_is_no_message_to_us() {
    assertThat(only(TEXT.replace("active", "standby")).kind()).isEqualTo(Kind.OTHER);
  }

  @Test
  void what_concerns_no_chat_is_left_out() {
    assertThat(genuine(event("botSuspended", null, "")).arrivals()).isEmpty();
  }

  // ---- what is needed to answer

  @Test
  void an_answer_within_the_minute_is_a_reply_that_quotes() throws Exception {
    try (FakeLine line = new FakeLine()) {
      TestAccount account =
          TestAccount.of(
              AccountConfig.of("shop", "line")
                  .set("token", "long-lived-token")
                  .set("baseUrl", line.platform.baseUrl()));
      line.gives("token-1");
      account.memory().write(genuine(TEXT).memory());
      Dispatch answer = account.part(Message.to("shop", ANN).text("hi").replyToId("4687"));
      try (Link link = new LineChannel().open(account)) {
        assertThat(link.send(answer)).isInstanceOf(Outcome.Delivered.class);
      }
      assertThat(line.shown().getFirst())
          .isEqualTo(
              Json.readObject(
                  """
                  {"replyToken":"token-1","messages":[
                   {"type":"text","text":"hi","quoteToken":"quote-1"}]}"""));
    }
  }

  @Test
  void a_token_of_lines_console_is_no_token() {
    String trial =
        TEXT.replace("token-1", "0".repeat(32))
            .replace("quote-1", "q".repeat(Remembered.MAX_BYTES));
    assertThat(genuine(trial).memory()).isEmpty();
  }

  @Test
  void who_blocks_the_account_is_remembered_until_they_come_back() {
    TestAccount account = TestAccount.of(AccountConfig.of("shop", "line"));
    account.memory().write(genuine(event("unfollow", USER, "")).memory());
    assertThat(account.memory().read(ANN, LineLink.UNFOLLOWED)).contains("2026-03-01T11:59:58Z");
    account
        .memory()
        .write(genuine(event("follow", USER, ",\"follow\":{\"isUnblocked\":true}")).memory());
    assertThat(account.memory().read(ANN, LineLink.UNFOLLOWED)).isEmpty();
  }
}
