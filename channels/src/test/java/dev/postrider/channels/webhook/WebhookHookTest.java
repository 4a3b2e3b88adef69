package dev.postrider.channels.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import com.standardwebhooks.Webhook;
import dev.postrider.channel.Hook;
import dev.postrider.channel.Hook.Answer;
import dev.postrider.channels.Settings;
import dev.postrider.channels.peers.VerifiedAgainst;
import dev.postrider.config.AccountConfig;
import dev.postrider.inbound.InboundMessage;
import dev.postrider.inbound.InboundMessage.ChatKind;
import dev.postrider.inbound.InboundMessage.Kind;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

@VerifiedAgainst(value = "Standard Webhooks' own verifier 1.1.0", channels = "webhook")
class WebhookHookTest {
  private static final String SECRET = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
  private static final String OTHER = "whsec_ZmVkY2JhOTg3NjU0MzIxMGZlZGNiYTk4NzY1NDMyMTA=";
  private static final Instant NOW = Instant.ofEpochSecond(1_700_000_000);

  /** Made with the vendor's own library. */
  private static final String VECTOR =
      "{\"type\":\"message.sent\",\"data\":{\"id\":\"m_1\",\"text\":\"héllo 🌍\"}}";

  private static final String SIGNATURE = "v1,zB/T8nT1g4VRsM2CuNtkcwsjbZ5G0ABBZvWPtWafLE4=";

  private static final AccountConfig ACCOUNT =
      AccountConfig.of("in", "webhook").set("webhookSecret", SECRET);

  private static Hook hook(AccountConfig account) {
    return new WebhookChannel().hook(account);
  }

  private static Hook.Request request(
      String id, String timestamp, String signature, String body, Instant now) {
    Map<String, String> headers = new HashMap<>();
    headers.put("webhook-id", id);
    headers.put("webhook-timestamp", timestamp);
    headers.put("webhook-signature", signature);
    headers.values().removeIf(String::isEmpty);
    return new Hook.Request("POST", headers, Map.of(), body.getBytes(StandardCharsets.UTF_8), now);
  }

  private static Answer read(String id, String timestamp, String signature, String body) {
    return hook(ACCOUNT).read(request(id, timestamp, signature, body, NOW));
  }

  private static InboundMessage arrival(String body) throws Exception {
    String signature = new Webhook(SECRET).sign("msg_1", NOW.getEpochSecond(), body);
    Answer answer = read("msg_1", "" + NOW.getEpochSecond(), signature, body);
    assertThat(answer).isInstanceOf(Answer.Genuine.class);
    return ((Answer.Genuine) answer).arrivals().getFirst();
  }

  @Test
  void the_known_good_vector_is_genuine() {
    Answer answer = read("msg_fixed", "1700000000", SIGNATURE, VECTOR);
    assertThat(answer)
        .isInstanceOfSatisfying(
            Answer.Genuine.class,
            genuine -> {
              InboundMessage arrival = genuine.arrivals().getFirst();
              assertThat(arrival.platformId()).isEqualTo("msg_fixed");
              assertThat(arrival.text()).isEqualTo("héllo 🌍");
              assertThat(arrival.messageId()).isEqualTo("m_1");
              assertThat(genuine.reply()).isEqualTo(Hook.Reply.OK);
            });
  }

  @Test
  void what_the_vendors_library_signs_now_is_genuine() throws Exception {
    Instant now = Instant.now();
    String body = "{\"type\":\"message\",\"data\":{}}";
    String signature = new Webhook(SECRET).sign("msg_2", now.getEpochSecond(), body);
    assertThat(
            hook(ACCOUNT).read(request("msg_2", "" + now.getEpochSecond(), signature, body, now)))
        .isInstanceOf(Answer.Genuine.class);
  }

  static List<Hook.Request> forgeries() {
    String other = "v1," + "A".repeat(43) + "=";
    return List.of(
        request("msg_other", "1700000000", SIGNATURE, VECTOR, NOW),
        request("msg_fixed", "1700000001", SIGNATURE, VECTOR, NOW),
        request("msg_fixed", "1700000000", SIGNATURE, VECTOR + " ", NOW),
        request("msg_fixed", "1700000000", other, VECTOR, NOW),
        request("msg_fixed", "1700000000", SIGNATURE.replace("v1,", "v2,"), VECTOR, NOW),
        request("msg_fixed", "1700000000", SIGNATURE.substring(3), VECTOR, NOW),
        request("msg_fixed", "1700000000", "v1,", VECTOR, NOW),
        request("msg_fixed", "1700000000", "v1,\u00e9", VECTOR, NOW),
        request("", "1700000000", SIGNATURE, VECTOR, NOW),
        request("msg_fixed", "", SIGNATURE, VECTOR, NOW),
        request("msg_fixed", "1700000000", "", VECTOR, NOW));
  }

  @ParameterizedTest
  @MethodSource("forgeries")
  void a_forgery_is_refused(Hook.Request request) {
    assertThat(hook(ACCOUNT).read(request)).isInstanceOf(Answer.Forged.class);
  }

  @ParameterizedTest
  @CsvSource({"-301, false", "-300, true", "0, true", "300, true", "301, false"})
  void a_replay_is_refused_once_it_is_too_old_or_too_new(long seconds, boolean genuine) {
    Hook.Request request =
        request("msg_fixed", "1700000000", SIGNATURE, VECTOR, NOW.plusSeconds(seconds));
    assertThat(hook(ACCOUNT).read(request) instanceof Answer.Genuine).isEqualTo(genuine);
    Answer patient = hook(ACCOUNT.set("tolerance", "1h")).read(request);
    assertThat(patient).isInstanceOf(Answer.Genuine.class);
  }

  @Test
  void a_signed_time_that_is_none_is_refused() throws Exception {
    for (String time : List.of("yesterday", "-5", "99999999999999999999")) {
      String signature =
          Signatures.of(settings(SECRET), "webhookSecret").sign("m", time, new byte[0]);
      assertThat(read("m", time, signature, "")).isInstanceOf(Answer.Forged.class);
    }
  }

  private static Settings settings(Object secret) {
    return Settings.of(ACCOUNT.set("webhookSecret", secret));
  }

  @Test
  void while_secrets_change_one_good_signature_is_enough() throws Exception {
    Hook both = hook(ACCOUNT.set("webhookSecret", List.of(OTHER, SECRET)));
    String others = new Webhook(OTHER).sign("msg_fixed", 1_700_000_000, VECTOR);
    String stranger = "v1a,abc v1," + "A".repeat(43) + "=";
    for (String signature :
        List.of(SIGNATURE, others, others + " " + SIGNATURE, stranger + " " + SIGNATURE)) {
      assertThat(both.read(request("msg_fixed", "1700000000", signature, VECTOR, NOW)))
          .isInstanceOf(Answer.Genuine.class);
    }
    assertThat(both.read(request("msg_fixed", "1700000000", stranger, VECTOR, NOW)))
        .isInstanceOf(Answer.Forged.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "[]", "\"x\"", "{\"type\":", "<html>"})
  void what_is_signed_rightly_but_no_object_is_malformed(String body) throws Exception {
    String signature = new Webhook(SECRET).sign("m", 1_700_000_000, body);
    assertThat(read("m", "1700000000", signature, body)).isInstanceOf(Answer.Malformed.class);
  }

  @Test
  void an_account_without_a_secret_for_it_has_no_webhook() {
    assertThat(hook(AccountConfig.of("in", "webhook").set("secret", SECRET))).isNull();
  }

  @Test
  void everything_a_sender_says_is_heard() throws Exception {
    InboundMessage arrival =
        arrival(
            """
            {"type":"message","timestamp":"2026-03-01T12:00:00.5+01:00","data":{
              "chat":{"id":"room-7","kind":"group"},"sender":{"id":42,"name":"Zoë"},
              "text":"hi","messageId":"m1","replyToId":"m0","threadId":"t",
              "media":[{"kind":"voice","url":"https://x/a.ogg","filename":"a.ogg",
                        "type":"audio/ogg","size":9},
                       {"type":"image/png","id":"f1"},"https://x/b"]}}
            """);
    assertThat(arrival)
        .usingRecursiveComparison()
        .ignoringFields("raw")
        .isEqualTo(
            new InboundMessage(
                "msg_1",
                Kind.MESSAGE,
                "room-7",
                ChatKind.GROUP,
                new InboundMessage.Sender("42", "Zoë"),
                "hi",
                List.of(
                    new InboundMessage.File(
                        "voice", null, "https://x/a.ogg", "a.ogg", "audio/ogg", 9L),
                    new InboundMessage.File("image", "f1", null, null, "image/png", null),
                    new InboundMessage.File("document", null, "https://x/b", null, null, null)),
                "m1",
                "m0",
                "t",
                Instant.parse("2026-03-01T11:00:00.5Z"),
                Map.of()));
    assertThat(arrival.raw()).containsKeys("type", "timestamp", "data");
  }

  @Test
  void little_is_enough() throws Exception {
    InboundMessage arrival = arrival("{\"data\":{\"sender\":\"ann\",\"text\":\"hi\"}}");
    assertThat(arrival.kind()).isEqualTo(Kind.MESSAGE);
    assertThat(arrival.chat()).isEqualTo("ann");
    assertThat(arrival.chatKind()).isEqualTo(ChatKind.DM);
    assertThat(arrival.sender()).isEqualTo(new InboundMessage.Sender("ann", null));
    assertThat(arrival.sentAt()).isNull();
    assertThat(arrival("{\"data\":[1],\"timestamp\":{}}").chat()).isEmpty();
    assertThat(arrival("{\"timestamp\":1700000000}").sentAt()).isEqualTo(NOW);
  }

  @ParameterizedTest
  @CsvSource({
    "message, MESSAGE",
    "message.created, MESSAGE",
    "message.edited, EDIT",
    "message.deleted, OTHER",
    "action, ACTION",
    "reaction, REACTION",
    "invoice.paid, OTHER",
  })
  void a_type_says_what_happened(String type, Kind kind) throws Exception {
    assertThat(arrival("{\"type\":\"" + type + "\",\"data\":{}}").kind()).isEqualTo(kind);
  }
}
