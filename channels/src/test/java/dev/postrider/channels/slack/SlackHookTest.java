package dev.postrider.channels.slack;

import static org.assertj.core.api.Assertions.assertThat;

import com.slack.api.app_backend.SlackSignature;
import dev.postrider.channel.Hook;
import dev.postrider.channel.Hook.Answer;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.peers.VerifiedAgainst;
import dev.postrider.config.AccountConfig;
import dev.postrider.inbound.InboundMessage;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Slack's own library signs; what it signs is taken, and nothing else. */
@VerifiedAgainst(value = "Slack's own verifier 1.45.3", channels = "slack")
class SlackHookTest {
  private static final String SECRET = "shhh";
  private static final Instant NOW = Instant.ofEpochSecond(1_700_000_000);
  private static final String FORM = "application/x-www-form-urlencoded";
  private static final String EVENT =
      """
      {"type":"event_callback","event_id":"Ev1","team_id":"T1","event":{"type":"message",
      "channel":"C1","channel_type":"channel","user":"U1","text":"héllo 🌍",\
      "ts":"1700000000.000100"}}
      """;

  private final SlackSignature.Generator vendor = new SlackSignature.Generator(SECRET);
  private final Hook hook = hook(Map.of("signingSecret", SECRET));

  private static Hook hook(Map<String, Object> settings) {
    AccountConfig account = AccountConfig.of("sl", "slack");
    for (Map.Entry<String, Object> setting : settings.entrySet()) {
      account = account.set(setting.getKey(), setting.getValue());
    }
    return new SlackChannel().hook(account);
  }

  private static Hook.Request request(
      String type, String timestamp, String signature, String body, Instant at) {
    Map<String, String> headers = new HashMap<>();
    headers.put("content-type", type);
    headers.put("x-slack-request-timestamp", timestamp);
    headers.put("x-slack-signature", signature);
    return new Hook.Request("POST", headers, Map.of(), body.getBytes(StandardCharsets.UTF_8), at);
  }

  private Answer read(String type, String body) {
    String timestamp = "" + NOW.getEpochSecond();
    return hook.read(request(type, timestamp, vendor.generate(timestamp, body), body, NOW));
  }

  @Test
  void the_vendors_vector_is_genuine_and_the_vendor_agrees() {
    String body = "token=x&team_id=T1";
    String signature = "v0=885d93fe82933a61a09bab9f58e53b00c32033422342be34d8e7c00e38915664";
    assertThat(
            new SlackSignature.Verifier(vendor)
                .isValid("1700000000", body, signature, NOW.toEpochMilli()))
        .isTrue();
    assertThat(hook.read(request(FORM, "1700000000", signature, body, NOW)))
        .as("genuine, though it says nothing")
        .isInstanceOf(Answer.Malformed.class);
    for (String tampered : List.of(body + "&a=b", "token=y&team_id=T1", "")) {
      assertThat(hook.read(request(FORM, "1700000000", signature, tampered, NOW)))
          .isEqualTo(new Answer.Forged("the signature is wrong"));
    }
    assertThat(hook.read(request(FORM, "1700000001", signature, body, NOW)))
        .isInstanceOf(Answer.Forged.class);
  }

  @Test
  void an_event_signed_by_slack_is_told_and_answered_with_nothing() {
    assertThat(read("application/json", EVENT))
        .isInstanceOfSatisfying(
            Answer.Genuine.class,
            genuine -> {
              assertThat(genuine.arrivals())
                  .singleElement()
                  .extracting(InboundMessage::text)
                  .isEqualTo("héllo 🌍");
              assertThat(genuine.reply()).isEqualTo(Hook.Reply.OK);
            });
  }

  @Test
  void an_event_delivered_again_has_the_same_id() {
    String timestamp = "" + NOW.plusSeconds(60).getEpochSecond();
    Hook.Request again =
        request(
            "application/json",
            timestamp,
            vendor.generate(timestamp, EVENT),
            EVENT,
            NOW.plusSeconds(61));
    again.headers().put("x-slack-retry-num", "1");
    assertThat(id(hook.read(again))).isEqualTo(id(read("application/json", EVENT)));
  }

  private static String id(Answer answer) {
    return ((Answer.Genuine) answer).arrivals().getFirst().platformId();
  }

  @Test
  void a_replayed_request_is_refused_when_it_is_too_old() {
    String timestamp = "" + NOW.getEpochSecond();
    String signature = vendor.generate(timestamp, EVENT);
    for (Duration ok : List.of(Duration.ofMinutes(5), Duration.ofMinutes(-5))) {
      assertThat(hook.read(request("application/json", timestamp, signature, EVENT, NOW.plus(ok))))
          .isInstanceOf(Answer.Genuine.class);
    }
    for (Duration late : List.of(Duration.ofSeconds(301), Duration.ofSeconds(-301))) {
      assertThat(
              hook.read(request("application/json", timestamp, signature, EVENT, NOW.plus(late))))
          .isInstanceOf(Answer.Forged.class);
    }
    Hook strict = hook(Map.of("webhookSecret", SECRET, "tolerance", "10s"));
    assertThat(
            strict.read(
                request("application/json", timestamp, signature, EVENT, NOW.plusSeconds(11))))
        .isInstanceOf(Answer.Forged.class);
  }

  @Test
  void a_request_without_a_sound_signature_is_forged() {
    for (String timestamp : List.of("", "soon", "-1", "9".repeat(40))) {
      assertThat(hook.read(request("application/json", timestamp, "v0=", EVENT, NOW)))
          .isInstanceOf(Answer.Forged.class);
    }
    assertThat(
            hook.read(
                new Hook.Request(
                    "POST", Map.of(), Map.of(), EVENT.getBytes(StandardCharsets.UTF_8), NOW)))
        .isEqualTo(new Answer.Forged("not signed"));
    assertThat(read("application/json", EVENT.replace("Ev1", "E".repeat(1 << 20))))
        .isInstanceOf(Answer.Forged.class);
  }

  @Test
  void the_handshake_gets_its_challenge_back() {
    assertThat(read("application/json", "{\"type\":\"url_verification\",\"challenge\":\"3eZb\"}"))
        .isInstanceOfSatisfying(
            Answer.Genuine.class,
            genuine -> {
              assertThat(genuine.reply().body()).asString().isEqualTo("3eZb");
              assertThat(genuine.arrivals()).isEmpty();
            });
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "{\"type\":\"event_call",
        "{\"type\":\"event_callback\"}",
        "{\"type\":\"event_callback\",\"event_id\":\"Ev1\",\"event\":{}}",
        "{\"type\":\"event_callback\",\"event\":{\"type\":\"message\"}}",
        "{\"type\":\"event_callback\",\"event_id\":\"Ev1\",\"event\":{\"type\":\"message\"}}",
        "{\"type\":\"block_actions\"}",
        "{}"
      })
  void what_slack_would_not_say_is_malformed(String body) {
    assertThat(read("application/json", body)).isInstanceOf(Answer.Malformed.class);
    assertThat(read(FORM, "payload=" + URLEncoder.encode(body, StandardCharsets.UTF_8)))
        .isInstanceOf(Answer.Malformed.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"payload=%zz", "&&&", "=", "command=/x", "payload"})
  void a_form_that_slack_would_not_send_is_malformed(String body) {
    assertThat(read(FORM, body)).isInstanceOf(Answer.Malformed.class);
  }

  @Test
  void a_pressed_button_comes_as_json_in_a_form() {
    String payload =
        Json.write(
            Map.of(
                "type",
                "block_actions",
                "trigger_id",
                "13.7.a",
                "user",
                Map.of("id", "U1", "username", "ann"),
                "channel",
                Map.of("id", "C1"),
                "message",
                Map.of("ts", "17.01", "thread_ts", "16.01"),
                "actions",
                List.of(Map.of("action_id", "ok", "value", "yes & no", "action_ts", "18.5"))));
    Answer answer = read(FORM, "payload=" + URLEncoder.encode(payload, StandardCharsets.UTF_8));
    assertThat(((Answer.Genuine) answer).arrivals())
        .singleElement()
        .satisfies(
            action -> {
              assertThat(action.kind()).isEqualTo(InboundMessage.Kind.ACTION);
              assertThat(action.platformId()).isEqualTo("13.7.a");
              assertThat(action.text()).isEqualTo("yes & no");
              assertThat(action.chat()).isEqualTo("C1");
              assertThat(action.sender()).isEqualTo(new InboundMessage.Sender("U1", "ann"));
              assertThat(action.messageId()).isEqualTo("17.01");
              assertThat(action.threadId()).isEqualTo("16.01");
              assertThat(action.raw().get("trigger_id")).isEqualTo("13.7.a");
            });
    assertThat(((Answer.Genuine) answer).reply()).isEqualTo(Hook.Reply.OK);
  }

  @Test
  void a_slash_command_comes_as_a_form() {
    String body =
        "command=%2Fdeploy&text=a+%26+b&channel_id=D1&user_id=U1&user_name=ann&trigger_id=13.8.b";
    assertThat(((Answer.Genuine) read(FORM, body)).arrivals())
        .singleElement()
        .satisfies(
            action -> {
              assertThat(action.kind()).isEqualTo(InboundMessage.Kind.ACTION);
              assertThat(action.text()).isEqualTo("/deploy a & b");
              assertThat(action.chatKind()).isEqualTo(InboundMessage.ChatKind.DM);
              assertThat(action.sender()).isEqualTo(new InboundMessage.Sender("U1", "ann"));
            });
    assertThat(((Answer.Genuine) read(FORM, "ssl_check=1&token=x")).arrivals()).isEmpty();
  }

  @Test
  void what_lets_its_bearer_speak_is_not_kept() {
    String command =
        "command=%2Fdeploy&channel_id=D1&user_id=U1&trigger_id=13.8.b&token=verification"
            + "&response_url=https%3A%2F%2Fhooks.slack.com%2Fcommands%2Fsecret";
    String form =
        Json.write(
            Map.of(
                "type",
                "view_submission",
                "token",
                "verification",
                "trigger_id",
                "13.9.a",
                "user",
                Map.of("id", "U1"),
                "response_urls",
                List.of(Map.of("response_url", "https://hooks.slack.com/app/secret"))));
    for (Answer answer :
        List.of(
            read(FORM, command),
            read(FORM, "payload=" + URLEncoder.encode(form, StandardCharsets.UTF_8)))) {
      assertThat(((Answer.Genuine) answer).arrivals())
          .singleElement()
          .satisfies(
              action ->
                  assertThat(action.raw())
                      .containsKey("trigger_id")
                      .doesNotContainKeys("token", "response_url", "response_urls"));
    }
  }

  @Test
  void an_account_without_a_signing_secret_has_no_hook() {
    assertThat(hook(Map.of())).isNull();
    assertThat(hook.toString()).doesNotContain(SECRET);
  }
}
