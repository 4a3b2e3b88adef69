package dev.postrider.channels.whatsappweb;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Alias;
import dev.postrider.channel.Hook;
import dev.postrider.channel.Hook.Answer;
import dev.postrider.channel.Remembered;
import dev.postrider.channels.http.Hmac;
import dev.postrider.config.AccountConfig;
import dev.postrider.inbound.DeliveryReport;
import dev.postrider.inbound.DeliveryReport.State;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.inbound.InboundMessage.ChatKind;
import dev.postrider.inbound.InboundMessage.Kind;
import java.time.Instant;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What bridges tell, and that nobody else can. */
class WhatsAppWebHookTest {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
  private static final String KEY = "my-secret-key";

  private static final Hook WAHA =
      hook(AccountConfig.of("wa", "whatsapp-web").set("apiKey", "k").set("webhookSecret", KEY));
  private static final Hook GOWA =
      hook(
          AccountConfig.of("wa", "whatsapp-web")
              .set("bridge", "gowa")
              .set("deviceId", "org_2")
              .set("webhookSecret", KEY));

  private static Hook hook(AccountConfig account) {
    return Objects.requireNonNull(new WhatsAppWebChannel().hook(account));
  }

  private static Answer post(Hook hook, String body, Map<String, String> headers) {
    return hook.read(new Hook.Request("POST", headers, Map.of(), body.getBytes(UTF_8), NOW));
  }

  private static String sha512(String text) {
    return HexFormat.of().formatHex(Hmac.sha512(KEY.getBytes(UTF_8), text.getBytes(UTF_8)));
  }

  private static Answer.Genuine waha(String event, String payload) {
    String body =
        "{\"id\":\"evt_1\",\"timestamp\":%d,\"event\":\"%s\",\"session\":\"default\","
            .concat("\"payload\":%s}")
            .formatted(NOW.toEpochMilli(), event, payload);
    return (Answer.Genuine) post(WAHA, body, Map.of("x-webhook-hmac", sha512(body)));
  }

  private static Answer.Genuine gowa(String event, String payload) {
    String body =
        """
        {"event":"%s","device_id":"4930123456@s.whatsapp.net","session_id":"org_2",
         "timestamp":"2026-03-01T11:59:00Z","payload":%s}"""
            .formatted(event, payload);
    String signature =
        HexFormat.of().formatHex(Hmac.sha256(KEY.getBytes(UTF_8), body.getBytes(UTF_8)));
    return (Answer.Genuine) post(GOWA, body, Map.of("x-hub-signature-256", "sha256=" + signature));
  }

  private static InboundMessage only(Answer.Genuine genuine) {
    assertThat(genuine.arrivals()).hasSize(1);
    return genuine.arrivals().getFirst();
  }

  private static Map<String, String> remembered(Answer.Genuine genuine) {
    Map<String, String> all = new HashMap<>();
    for (Remembered one : genuine.memory()) {
      all.put(one.chat() + " " + one.key(), String.valueOf(one.value()));
    }
    return all;
  }

  // ---- signatures

  @Test
  void wahas_signature_is_the_one_of_its_pages() {
    String body = "{\"event\":\"message\",\"session\":\"default\",\"engine\":\"WEBJS\"}";
    String signature =
        "208f8a55dde9e05519e898b10b89bf0d0b3b0fdf11fdbf09b6b90476301b98d8"
            + "097c462b2b17a6ce93b6b47a136cf2e78a33a63f6752c2c1631777076153fa89";
    assertThat(sha512(body)).isEqualTo(signature);
    assertThat(post(WAHA, body, Map.of("x-webhook-hmac", signature)))
        .as("genuine, though without a payload")
        .isInstanceOf(Answer.Malformed.class);
  }

  @Test
  void a_signature_of_version_two_covers_the_time() {
    String body = "{\"event\":\"session.status\",\"session\":\"default\",\"payload\":{}}";
    String time = String.valueOf(NOW.toEpochMilli());
    Map<String, String> headers =
        Map.of(
            "x-webhook-hmac",
            sha512(time + "." + body),
            "x-webhook-timestamp",
            time,
            "x-webhook-hmac-version",
            "2");
    assertThat(post(WAHA, body, headers)).isInstanceOf(Answer.Genuine.class);
    Map<String, String> later = new HashMap<>(headers);
    later.put("x-webhook-timestamp", "1");
    assertThat(post(WAHA, body, later)).isInstanceOf(Answer.Forged.class);
    later.remove("x-webhook-timestamp");
    assertThat(post(WAHA, body, later)).isInstanceOf(Answer.Forged.class);
  }

  @Test
  void forged_unsigned_and_old_events_are_refused() {
    String body = "{\"event\":\"message\",\"payload\":{}}";
    assertThat(post(WAHA, body, Map.of())).isInstanceOf(Answer.Forged.class);
    assertThat(post(WAHA, body, Map.of("x-webhook-hmac", "00"))).isInstanceOf(Answer.Forged.class);
    assertThat(post(GOWA, body, Map.of())).isInstanceOf(Answer.Forged.class);
    assertThat(post(GOWA, body, Map.of("x-hub-signature-256", "sha256=00")))
        .isInstanceOf(Answer.Forged.class);
    String old =
        "{\"event\":\"message\",\"payload\":{},\"timestamp\":%d}"
            .formatted(NOW.minusSeconds(30 * 86_400).toEpochMilli());
    assertThat(post(WAHA, old, Map.of("x-webhook-hmac", sha512(old))))
        .isInstanceOf(Answer.Malformed.class);
  }

  @Test
  void what_concerns_another_session_of_the_bridge_is_left_alone() {
    String body =
        "{\"event\":\"message\",\"session\":\"other\",\"payload\":"
            + "{\"id\":\"false_4917@c.us_1\",\"from\":\"4917@c.us\",\"body\":\"x\"}}";
    assertThat(post(WAHA, body, Map.of("x-webhook-hmac", sha512(body))))
        .isInstanceOfSatisfying(Answer.Genuine.class, it -> assertThat(it.arrivals()).isEmpty());
  }

  // ---- WAHA's events

  @Test
  void a_message_of_a_person() {
    Answer.Genuine genuine =
        waha(
            "message",
            """
            {"id":"false_491701234567@c.us_AA","timestamp":1772366400,"from":"491701234567@c.us",
             "fromMe":false,"to":"4930123456@c.us","body":"hello","hasMedia":true,
             "media":{"url":"http://localhost:3000/api/files/a.oga",
              "mimetype":"audio/ogg; codecs=opus","filename":null},
             "replyTo":{"id":"3EB0","_data":{"mediaKey":"k"}},
             "_data":{"pushName":"Ann","mediaKey":"secret"}}""");
    InboundMessage message = only(genuine);
    assertThat(message.platformId()).isEqualTo("false_491701234567@c.us_AA");
    assertThat(message.messageId()).isEqualTo("false_491701234567@c.us_AA");
    assertThat(message.kind()).isEqualTo(Kind.MESSAGE);
    assertThat(message.chat()).isEqualTo("491701234567@c.us");
    assertThat(message.chatKind()).isEqualTo(ChatKind.DM);
    assertThat(message.sender()).isEqualTo(new InboundMessage.Sender(message.chat(), "Ann"));
    assertThat(message.text()).isEqualTo("hello");
    assertThat(message.replyToId()).isEqualTo("3EB0");
    assertThat(message.sentAt()).isEqualTo(NOW);
    assertThat(message.media())
        .containsExactly(
            new InboundMessage.File(
                "voice",
                null,
                "http://localhost:3000/api/files/a.oga",
                null,
                "audio/ogg; codecs=opus",
                null));
    assertThat(message.raw().toString()).doesNotContain("mediaKey");
    assertThat(remembered(genuine)).containsEntry("491701234567@c.us known", "in");
  }

  @Test
  void a_message_in_a_group_has_its_writer() {
    InboundMessage message =
        only(
            waha(
                "message",
                """
                {"id":"false_120363@g.us_AA_491@c.us","from":"120363@g.us","fromMe":false,
                 "participant":"491701234567@c.us","body":"hi"}"""));
    assertThat(message.chat()).isEqualTo("120363@g.us");
    assertThat(message.chatKind()).isEqualTo(ChatKind.GROUP);
    assertThat(message.sender().id()).isEqualTo("491701234567@c.us");
  }

  @Test
  void what_the_owner_writes_on_the_phone_is_told_as_something_else_and_ours_is_not_told() {
    String own =
        """
        {"id":"true_491701234567@c.us_AA","from":"4930123456@c.us","to":"491701234567@c.us",
         "fromMe":true,"source":"%s","body":"I take over"}""";
    InboundMessage message = only(waha("message.any", own.formatted("app")));
    assertThat(message.kind()).isEqualTo(Kind.OTHER);
    assertThat(message.chat()).isEqualTo("491701234567@c.us");
    assertThat(message.sender().id()).isEqualTo("4930123456@c.us");
    assertThat(message.text()).isEqualTo("I take over");
    assertThat(message.raw().get("fromMe")).isEqualTo(true);
    assertThat(waha("message.any", own.formatted("api")).arrivals()).isEmpty();
  }

  @Test
  void a_hidden_id_and_a_number_are_one_chat_when_the_engine_tells_both() {
    for (String data :
        new String[] {
          "{\"key\":{\"remoteJidAlt\":\"491701234567@s.whatsapp.net\"}}",
          "{\"Info\":{\"SenderAlt\":\"491701234567:3@s.whatsapp.net\"}}"
        }) {
      Answer.Genuine genuine =
          waha(
              "message",
              "{\"id\":\"false_25155@lid_AA\",\"from\":\"25155@lid\",\"fromMe\":false,"
                  + "\"body\":\"x\",\"_data\":"
                  + data
                  + "}");
      assertThat(only(genuine).chat()).isEqualTo("491701234567@c.us");
      assertThat(genuine.aliases()).containsExactly(new Alias("25155@lid", "491701234567@c.us"));
    }
    Answer.Genuine alone =
        waha("message", "{\"id\":\"false_25155@lid_AA\",\"from\":\"25155@lid\",\"body\":\"x\"}");
    assertThat(only(alone).chat()).isEqualTo("25155@lid");
    assertThat(alone.aliases()).isEmpty();
  }

  @Test
  void reactions_edits_and_withdrawals() {
    InboundMessage reaction =
        only(
            waha(
                "message.reaction",
                """
                {"id":"false_4917@c.us_RR","from":"4917@c.us","fromMe":false,
                 "timestamp":1772366400.853,
                 "reaction":{"text":"🙏","messageId":"true_4917@c.us_AA"}}"""));
    assertThat(reaction.kind()).isEqualTo(Kind.REACTION);
    assertThat(reaction.text()).isEqualTo("🙏");
    assertThat(reaction.messageId()).isEqualTo("true_4917@c.us_AA");
    assertThat(reaction.platformId()).isEqualTo("evt_1");

    InboundMessage edit =
        only(
            waha(
                "message.edited",
                """
                {"id":"false_4917@c.us_BB","from":"4917@c.us","fromMe":false,
                 "editedMessageId":"AA","body":"new"}"""));
    assertThat(edit.kind()).isEqualTo(Kind.EDIT);
    assertThat(edit.text()).isEqualTo("new");
    assertThat(edit.messageId()).isEqualTo("AA");

    InboundMessage revoked =
        only(
            waha(
                "message.revoked",
                """
                {"after":{"id":"false_4917@c.us_CC","from":"4917@c.us","fromMe":false},
                 "revokedMessageId":"AA","before":null}"""));
    assertThat(revoked.kind()).isEqualTo(Kind.OTHER);
    assertThat(revoked.messageId()).isEqualTo("AA");
  }

  @ParameterizedTest
  @CsvSource({
    "message.ack, 4917@c.us, 1, SENT",
    "message.ack, 4917@c.us, 2, DELIVERED",
    "message.ack, 4917@c.us, 3, READ",
    "message.ack, 4917@c.us, 4, READ",
    "message.ack, 120363@g.us, 1, SENT",
    "message.ack.group, 120363@g.us, 2, DELIVERED",
    "message.ack.group, 120363@g.us, 3, DELIVERED",
    "message.ack.group, 120363@g.us, 4, DELIVERED"
  })
  void acknowledgements_are_reports_and_one_reader_of_a_group_does_not_speak_for_all(
      String event, String chat, int ack, State state) {
    assertThat(
            waha(
                    event,
                    "{\"id\":\"true_%s_3EB0AA_9@lid\",\"from\":\"%s\",\"fromMe\":true,\"ack\":%d}"
                        .formatted(chat, chat, ack))
                .reports())
        .containsExactly(new DeliveryReport("3EB0AA", state, NOW, null));
  }

  @Test
  void an_acknowledgement_that_is_pending_or_not_ours_says_nothing() {
    assertThat(waha("message.ack", "{\"id\":\"true_4917@c.us_A\",\"ack\":0}").reports()).isEmpty();
    assertThat(
            waha("message.ack", "{\"id\":\"false_4917@c.us_A\",\"fromMe\":false,\"ack\":3}")
                .reports())
        .isEmpty();
  }

  @Test
  void a_refusal_with_463_closes_the_account_to_strangers_until_it_says() {
    Answer.Genuine genuine =
        waha(
            "message.ack",
            """
            {"id":"true_4917@c.us_3EB0AA","from":"4917@c.us","fromMe":true,"ack":-1,
             "error":{"code":463,"blocked":true,"reason":"account_restricted",
              "until":"2026-03-02T10:00:00Z"}}""");
    assertThat(genuine.reports())
        .singleElement()
        .satisfies(
            it -> {
              assertThat(it.state()).isEqualTo(State.FAILED);
              assertThat(it.permanent()).as("it may pass later").isFalse();
              assertThat(it.detail()).contains("463", "until 2026-03-02T10:00:00Z");
            });
    assertThat(remembered(genuine))
        .containsEntry("null closed-to-strangers", "2026-03-02T10:00:00Z")
        .containsEntry("4917@c.us known", "null");
  }

  @ParameterizedTest
  @CsvSource({
    "1772445600, 2026-03-02T10:00:00Z",
    "1772445600000, 2026-03-02T10:00:00Z",
    "null, 2026-03-02T12:00:00Z",
    "5, 2026-03-02T12:00:00Z"
  })
  void a_restriction_ends_in_a_day_if_nobody_says_when(String until, String end) {
    Answer.Genuine genuine =
        waha(
            "message.ack",
            "{\"id\":\"true_4917@c.us_3EB0AA\",\"ack\":-1,\"error\":{\"code\":463,\"until\":"
                + until
                + "}}");
    assertThat(remembered(genuine)).containsEntry("null closed-to-strangers", end);
  }

  @Test
  void any_other_refusal_is_this_parts_own() {
    Answer.Genuine genuine =
        waha(
            "message.ack",
            "{\"id\":\"true_4917@c.us_3EB0AA\",\"ack\":-1,\"error\":{\"code\":479}}");
    assertThat(genuine.reports())
        .singleElement()
        .satisfies(it -> assertThat(it.permanent()).isTrue());
    assertThat(remembered(genuine)).doesNotContainKey("null closed-to-strangers");
  }

  // ---- GOWA's events

  @Test
  void gowas_messages_join_the_hidden_id_with_the_number() {
    Answer.Genuine genuine =
        gowa(
            "message",
            """
            {"id":"3EB0AA","chat_id":"4930123456@s.whatsapp.net",
             "from":"491701234567@s.whatsapp.net",
             "from_lid":"251556368777322@lid","from_name":"Ann","timestamp":"2026-03-01T12:00:00Z",
             "is_from_me":false,"body":"hello","replied_to_id":"3EB0BB",
             "image":{"path":"statics/media/1.jpeg","caption":"hello"}}""");
    InboundMessage message = only(genuine);
    assertThat(message.chat()).isEqualTo("491701234567@c.us");
    assertThat(message.sender()).isEqualTo(new InboundMessage.Sender("491701234567@c.us", "Ann"));
    assertThat(message.text()).isEqualTo("hello");
    assertThat(message.replyToId()).isEqualTo("3EB0BB");
    assertThat(message.sentAt()).isEqualTo(NOW);
    assertThat(message.media().getFirst().id()).isEqualTo("statics/media/1.jpeg");
    assertThat(genuine.aliases())
        .containsExactly(new Alias("251556368777322@lid", "491701234567@c.us"));
  }

  @Test
  void gowas_groups_edits_reactions_and_the_owners_own_words() {
    String rest = "\"chat_id\":\"120363@g.us\",\"from\":\"4917@s.whatsapp.net\"";
    InboundMessage group = only(gowa("message", "{\"id\":\"A\",\"body\":\"x\"," + rest + "}"));
    assertThat(group.chat()).isEqualTo("120363@g.us");
    assertThat(group.sender().id()).isEqualTo("4917@c.us");
    assertThat(
            only(gowa("message", "{\"id\":\"A\",\"is_from_me\":true,\"body\":\"x\"," + rest + "}"))
                .kind())
        .isEqualTo(Kind.OTHER);
    InboundMessage edit =
        only(
            gowa(
                "message.edited",
                "{\"id\":\"B\",\"original_message_id\":\"A\",\"body\":\"y\"," + rest + "}"));
    assertThat(edit.kind()).isEqualTo(Kind.EDIT);
    assertThat(edit.messageId()).isEqualTo("A");
    InboundMessage reaction =
        only(
            gowa(
                "message.reaction",
                "{\"id\":\"C\",\"reacted_message_id\":\"A\",\"reaction\":\"👍\"," + rest + "}"));
    assertThat(reaction.kind()).isEqualTo(Kind.REACTION);
    assertThat(reaction.text()).isEqualTo("👍");
    assertThat(
            only(gowa(
                    "message.revoked", "{\"id\":\"D\",\"revoked_message_id\":\"A\"," + rest + "}"))
                .messageId())
        .isEqualTo("A");
  }

  @Test
  void gowas_receipts_name_several_messages() {
    Instant told = Instant.parse("2026-03-01T11:59:00Z");
    assertThat(
            gowa(
                    "message.ack",
                    "{\"ids\":[\"A\",\"B\"],\"chat_id\":\"4917@s.whatsapp.net\","
                        + "\"receipt_type\":\"read\"}")
                .reports())
        .containsExactly(
            new DeliveryReport("A", State.READ, told, null),
            new DeliveryReport("B", State.READ, told, null));
    assertThat(
            gowa(
                    "message.ack",
                    "{\"ids\":[\"A\"],\"chat_id\":\"120363@g.us\",\"receipt_type\":\"read\"}")
                .reports())
        .containsExactly(new DeliveryReport("A", State.DELIVERED, told, null));
  }
}
