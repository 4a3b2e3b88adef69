package dev.postrider.channels.feishu;

import static dev.postrider.channels.feishu.FeishuSigning.encrypted;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channel.Hook;
import dev.postrider.channel.Hook.Answer;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.peers.VerifiedAgainst;
import dev.postrider.config.AccountConfig;
import dev.postrider.inbound.InboundMessage;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What Feishu encrypts and signs is taken, and nothing else. */
@VerifiedAgainst(value = "vectors that Feishu's own SDK took", channels = "feishu")
class FeishuHookTest {
  private static final String KEY = "test-encrypt-key";
  private static final String TOKEN = "v-token-of-ours";
  private static final Instant NOW = Instant.ofEpochSecond(1_700_000_000);
  private static final String EVENT =
      """
      {"schema":"2.0","header":{"event_id":"e1","token":"v-token-of-ours",\
      "create_time":"1700000000000","event_type":"im.message.receive_v1","app_id":"cli_1"},
      "event":{"sender":{"sender_id":{"open_id":"ou_1"},"sender_type":"user"},
      "message":{"message_id":"om_1","chat_id":"oc_1","chat_type":"p2p","message_type":"text",
      "create_time":"1699999999000","content":"{\\"text\\":\\"héllo 🌍\\"}"}}}
      """;

  private final Hook both = hook(Map.of("encryptKey", KEY, "verificationToken", TOKEN));
  private final Hook keyed = hook(Map.of("encryptKey", KEY));
  private final Hook plain = hook(Map.of("verificationToken", TOKEN));

  private static Hook hook(Map<String, String> settings) {
    AccountConfig account = AccountConfig.of("fs", "feishu");
    for (Map.Entry<String, String> setting : settings.entrySet()) {
      account = account.set(setting.getKey(), setting.getValue());
    }
    return Objects.requireNonNull(new FeishuChannel().hook(account));
  }

  private static Hook.Request request(String body, Map<String, String> headers, Instant at) {
    return new Hook.Request("POST", headers, Map.of(), body.getBytes(UTF_8), at);
  }

  private static Map<String, String> signed(String body, String key, Instant at) {
    return FeishuSigning.signed(body.getBytes(UTF_8), key, at);
  }

  private static Answer genuine(Hook hook, String event) {
    String body = encrypted(event, KEY);
    return hook.read(request(body, signed(body, KEY, NOW), NOW));
  }

  @Test
  void the_vectors_that_feishus_sdk_took_are_read_and_genuine() {
    FeishuCipher cipher = new FeishuCipher(KEY);
    assertThat(
            Json.readObject(
                String.valueOf(
                    cipher.decrypt(
                        "BwcHBwcHBwcHBwcHBwcHB2KCdZpCMyz98ugASoe56J4atJRBclp+6HOjIft/FMHw"))))
        .isNotNull();
    String body =
        "{\"encrypt\":\"BwcHBwcHBwcHBwcHBwcHB227eeiD5kIGuFMFN6lDLFXnFlMMRjy9OTn3CZQdyb4W\"}";
    String signature = "ab886125887b7d59c29e40687368ebfa75f4b1bc341246627f6783d2a9319b01";
    assertThat(cipher.signed(signature, "1700000000", "n", body.getBytes(UTF_8))).isTrue();
    assertThat(cipher.signed(signature, "1700000001", "n", body.getBytes(UTF_8))).isFalse();
    assertThat(cipher.signed(signature, "1700000000", "m", body.getBytes(UTF_8))).isFalse();
    assertThat(cipher.signed(signature, "1700000000", "n", (body + " ").getBytes(UTF_8))).isFalse();
    assertThat(new FeishuCipher("other").signed(signature, "1700000000", "n", body.getBytes(UTF_8)))
        .isFalse();
  }

  @Test
  void an_event_that_is_encrypted_and_signed_is_told_and_answered() {
    assertThat(genuine(both, EVENT))
        .isInstanceOfSatisfying(
            Answer.Genuine.class,
            genuine -> {
              assertThat(genuine.arrivals())
                  .singleElement()
                  .extracting(InboundMessage::text)
                  .isEqualTo("héllo 🌍");
              assertThat(reply(genuine)).isEqualTo("{}");
            });
    assertThat(genuine(keyed, EVENT)).isInstanceOf(Answer.Genuine.class);
    assertThat(genuine(hook(Map.of("webhookSecret", KEY)), EVENT))
        .isInstanceOf(Answer.Genuine.class);
  }

  @Test
  void an_event_delivered_again_has_the_same_id() {
    String body = encrypted(EVENT, KEY);
    Instant later = NOW.plus(Duration.ofHours(6));
    Answer again = both.read(request(body, signed(body, KEY, later), later));
    assertThat(id(again)).isEqualTo(id(genuine(both, EVENT)));
  }

  private static String id(Answer answer) {
    return ((Answer.Genuine) answer).arrivals().getFirst().platformId();
  }

  @Test
  void the_verification_token_is_not_kept() {
    assertThat(((Answer.Genuine) genuine(both, EVENT)).arrivals().getFirst().raw().toString())
        .contains("om_1")
        .doesNotContain(TOKEN);
  }

  @Test
  void what_is_signed_with_another_key_is_forged() {
    String body = encrypted(EVENT, KEY);
    assertThat(both.read(request(body, signed(body, "another", NOW), NOW)))
        .isEqualTo(new Answer.Forged("the signature is missing or wrong"));
    assertThat(both.read(request(body, Map.of(), NOW))).isInstanceOf(Answer.Forged.class);
    String other = encrypted(EVENT, "another");
    assertThat(both.read(request(other, signed(other, KEY, NOW), NOW)))
        .isEqualTo(new Answer.Forged("encrypted with another key than encryptKey"));
  }

  @Test
  void what_is_not_encrypted_is_forged_where_it_must_be() {
    assertThat(both.read(request(EVENT, signed(EVENT, KEY, NOW), NOW)))
        .isEqualTo(new Answer.Forged("not encrypted, though encryptKey is set"));
    String challenge = "{\"type\":\"url_verification\",\"challenge\":\"c\",\"token\":\"t\"}";
    assertThat(keyed.read(request(challenge, Map.of(), NOW))).isInstanceOf(Answer.Forged.class);
  }

  @Test
  void another_verification_token_is_forged() {
    assertThat(genuine(both, EVENT.replace(TOKEN, "v-token-of-others")))
        .isEqualTo(new Answer.Forged("the verification token is missing or wrong"));
    assertThat(plain.read(request(EVENT.replace(TOKEN, ""), Map.of(), NOW)))
        .isInstanceOf(Answer.Forged.class);
  }

  @Test
  void what_is_old_is_forged() {
    String body = encrypted(EVENT, KEY);
    Hook.Request old = request(body, signed(body, KEY, NOW), NOW.plus(Duration.ofHours(9)));
    assertThat(both.read(old))
        .isEqualTo(new Answer.Forged("signed too long ago, or by a wrong clock"));
    Hook strict = hook(Map.of("encryptKey", KEY, "tolerance", "1m"));
    assertThat(strict.read(request(body, signed(body, KEY, NOW), NOW.plusSeconds(61))))
        .isInstanceOf(Answer.Forged.class);
    assertThat(strict.read(request(body, signed(body, KEY, NOW), NOW.plusSeconds(59))))
        .isInstanceOf(Answer.Genuine.class);
    assertThat(plain.read(request(EVENT, Map.of(), NOW.plus(Duration.ofHours(9)))))
        .as("without a signature, by when it was created")
        .isInstanceOf(Answer.Forged.class);
  }

  @Test
  void without_an_encrypt_key_the_token_must_do() {
    assertThat(plain.read(request(EVENT, Map.of(), NOW))).isInstanceOf(Answer.Genuine.class);
  }

  @Test
  void a_challenge_is_answered_whether_encrypted_or_not() {
    String challenge =
        "{\"type\":\"url_verification\",\"challenge\":\"ajls384k\",\"token\":\"" + TOKEN + "\"}";
    Answer expected = Answer.Genuine.only(Hook.Reply.json("{\"challenge\":\"ajls384k\"}"));
    assertThat(reply(plain.read(request(challenge, Map.of(), NOW)))).isEqualTo(reply(expected));
    assertThat(reply(both.read(request(encrypted(challenge, KEY), Map.of(), NOW))))
        .isEqualTo(reply(expected));
    assertThat(reply(keyed.read(request(encrypted(challenge, KEY), Map.of(), NOW))))
        .isEqualTo(reply(expected));
    assertThat(plain.read(request(challenge.replace(TOKEN, "x"), Map.of(), NOW)))
        .isInstanceOf(Answer.Forged.class);
  }

  private static String reply(Answer answer) {
    assertThat(answer).isInstanceOf(Answer.Genuine.class);
    return new String(((Answer.Genuine) answer).reply().body(), UTF_8);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "[]", "hello", "{\"encrypt\":", "{\"encrypt\":7}", "{}"})
  void what_is_no_event_is_refused(String body) {
    assertThat(both.read(request(body, signed(body, KEY, NOW), NOW)))
        .isNotInstanceOf(Answer.Genuine.class);
  }

  @Test
  void without_anything_to_know_feishu_by_there_is_no_hook() {
    assertThat(new FeishuChannel().hook(AccountConfig.of("fs", "feishu"))).isNull();
  }
}
