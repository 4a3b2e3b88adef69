package dev.postrider.channels.discord;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.postrider.channel.Hook;
import dev.postrider.channel.Hook.Answer;
import dev.postrider.channel.Remembered;
import dev.postrider.channels.http.Json;
import dev.postrider.config.AccountConfig;
import dev.postrider.inbound.InboundMessage;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DiscordHookTest {
  private static final Instant NOW = Instant.ofEpochSecond(1_700_000_000);
  private static final KeyPair KEYS = keys();

  private Hook hook = hook(publicKey());

  private static KeyPair keys() {
    try {
      return KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** As the developer portal shows it: the last 32 bytes of the usual form. */
  private static String publicKey() {
    byte[] encoded = KEYS.getPublic().getEncoded();
    return HexFormat.of()
        .formatHex(Arrays.copyOfRange(encoded, encoded.length - 32, encoded.length));
  }

  private static Hook hook(String key) {
    return new DiscordChannel().hook(AccountConfig.of("dc", "discord").set("publicKey", key));
  }

  private static String signature(String timestamp, byte[] body) throws GeneralSecurityException {
    Signature signer = Signature.getInstance("Ed25519");
    signer.initSign(KEYS.getPrivate());
    signer.update(timestamp.getBytes(StandardCharsets.UTF_8));
    signer.update(body);
    return HexFormat.of().formatHex(signer.sign());
  }

  private Answer read(Map<String, String> headers, byte[] body) {
    return hook.read(new Hook.Request("POST", headers, Map.of(), body, NOW));
  }

  private Answer signed(Instant at, byte[] body) throws GeneralSecurityException {
    String timestamp = "" + at.getEpochSecond();
    return read(
        Map.of(
            "x-signature-ed25519", signature(timestamp, body), "x-signature-timestamp", timestamp),
        body);
  }

  private Answer signed(String body) throws GeneralSecurityException {
    return signed(NOW, body.getBytes(StandardCharsets.UTF_8));
  }

  private static String reply(Answer answer) {
    Hook.Reply reply = ((Answer.Genuine) answer).reply();
    assertThat(reply.status()).isEqualTo(200);
    return new String(reply.body(), StandardCharsets.UTF_8);
  }

  @Test
  void an_account_without_a_key_has_no_hook_and_a_wrong_key_is_refused() {
    assertThat(new DiscordChannel().hook(AccountConfig.of("dc", "discord"))).isNull();
    for (String key : List.of("x", "abcd", "0".repeat(63), "0".repeat(66))) {
      assertThatThrownBy(() -> hook(key)).hasMessageStartingWith("account dc: publicKey is not");
    }
  }

  @Test
  void a_ping_is_answered_and_brings_nothing() throws Exception {
    Answer answer = signed("{\"type\":1,\"id\":\"1\"}");

    assertThat(reply(answer)).isEqualTo("{\"type\":1}");
    assertThat(((Answer.Genuine) answer).arrivals()).isEmpty();
  }

  @Test
  void a_command_is_told_to_wait_and_a_button_shows_nothing() throws Exception {
    Answer command = signed(interaction(2));

    assertThat(reply(command)).isEqualTo("{\"type\":5}");
    assertThat(((Answer.Genuine) command).arrivals())
        .extracting(InboundMessage::kind, InboundMessage::platformId)
        .containsExactly(tuple(InboundMessage.Kind.ACTION, "70"));
    assertThat(reply(signed(interaction(3)))).isEqualTo("{\"type\":6}");
    assertThat(reply(signed(interaction(5)))).isEqualTo("{\"type\":5}");
  }

  @Test
  void a_private_command_is_told_to_wait_in_private() throws Exception {
    hook =
        new DiscordChannel()
            .hook(
                AccountConfig.of("dc", "discord")
                    .set("publicKey", publicKey())
                    .set("privateCommands", List.of("salary")));
    String salary = interaction(2).replace("\"data\":{}", "\"data\":{\"name\":\"salary\"}");

    assertThat(Json.readObject(reply(signed(salary))))
        .isEqualTo(Json.readObject("{\"type\":5,\"data\":{\"flags\":64}}"));
    assertThat(reply(signed(interaction(2)))).isEqualTo("{\"type\":5}");
  }

  @Test
  void what_may_be_answered_is_remembered_and_its_token_is_not_kept_elsewhere() throws Exception {
    String command =
        interaction(2).replace("\"data\"", "\"application_id\":\"9\",\"token\":\"tok\",\"data\"");

    assertThat(((Answer.Genuine) signed(command)).memory())
        .extracting(Remembered::chat, Remembered::key)
        .containsExactly(tuple("42", "command:70"), tuple("42", "command"));
    assertThat(((Answer.Genuine) signed(command)).arrivals().getFirst().messageId())
        .as("what an answer replies to")
        .isEqualTo("70");
    assertThat(((Answer.Genuine) signed(command.replace("\"type\":2", "\"type\":3"))).memory())
        .extracting(Remembered::key)
        .as("a button, which is no chat's last command")
        .containsExactly("command:70");
    assertThat(((Answer.Genuine) signed(command)).arrivals().getFirst().raw())
        .containsKey("application_id")
        .doesNotContainKey("token");
  }

  @Test
  void somebody_who_is_still_typing_gets_no_suggestions() throws Exception {
    Answer answer = signed(interaction(4));

    assertThat(reply(answer)).contains("\"choices\":[]").contains("\"type\":8");
    assertThat(((Answer.Genuine) answer).arrivals()).isEmpty();
  }

  private static String interaction(int type) {
    return "{\"id\":\"70\",\"type\":%d,\"channel_id\":\"42\",\"user\":{\"id\":\"5\"},\"data\":{}}"
        .formatted(type);
  }

  @Test
  void what_is_signed_but_no_interaction_is_malformed() throws Exception {
    for (String body :
        List.of(
            "",
            "[]",
            "<html>",
            "{\"type\":2}",
            "{\"id\":\"x\",\"type\":2}",
            "{",
            "[".repeat(9999))) {
      assertThat(signed(body)).as(body).isInstanceOf(Answer.Malformed.class);
    }
  }

  @Test
  void what_is_not_signed_by_discord_is_forged() throws Exception {
    byte[] body = interaction(2).getBytes(StandardCharsets.UTF_8);
    String time = "" + NOW.getEpochSecond();
    String good = signature(time, body);

    assertThat(read(signed(good, time), body)).isInstanceOf(Answer.Genuine.class);
    for (Map<String, String> headers :
        List.of(
            Map.<String, String>of(),
            Map.of("x-signature-ed25519", good),
            Map.of("x-signature-timestamp", time),
            signed(good.replace(good.charAt(0), good.charAt(0) == 'a' ? 'b' : 'a'), time),
            signed(good.substring(2), time),
            signed("zz", time),
            signed("", time),
            signed(good, "" + (NOW.getEpochSecond() + 1)),
            signed(good, "now"),
            signed(good, "9".repeat(40)))) {
      assertThat(read(headers, body)).as("%s", headers).isInstanceOf(Answer.Forged.class);
    }
    body[5] ^= 1;
    assertThat(read(signed(good, time), body)).isInstanceOf(Answer.Forged.class);
  }

  private static Map<String, String> signed(String signature, String timestamp) {
    return Map.of("x-signature-ed25519", signature, "x-signature-timestamp", timestamp);
  }

  @Test
  void what_was_signed_long_ago_is_a_replay() throws Exception {
    byte[] body = interaction(2).getBytes(StandardCharsets.UTF_8);

    assertThat(signed(NOW.minus(Duration.ofMinutes(5)), body)).isInstanceOf(Answer.Genuine.class);
    assertThat(signed(NOW.minus(Duration.ofSeconds(301)), body)).isInstanceOf(Answer.Forged.class);
    assertThat(signed(NOW.plus(Duration.ofSeconds(301)), body)).isInstanceOf(Answer.Forged.class);
  }

  @Test
  void what_is_larger_than_any_interaction_is_not_even_checked() throws Exception {
    assertThat(signed(NOW, new byte[(1 << 20) + 1])).isInstanceOf(Answer.Forged.class);
  }

  /** Made with discord-interactions' {@code verifyKey}. */
  @Test
  void the_vendors_own_vector_passes_and_fails_when_touched() {
    Hook vendors = hook("9df4f11881a307e1eeedd8adea136d33a1ff0bd3a8b8fd3fd60190c3573f5ab2");
    String signature =
        "a1560a2c71210ebfc3b56b1856b6b90d3cdc1904f41a990c223b118262c17685"
            + "40d5a72a50a73b40a00d9c676dc9e369237a1b20d88aeae0f11d6ab847fb1601";
    String body = "{\"type\":\"message.sent\",\"data\":{\"id\":\"m_1\",\"text\":\"héllo 🌍\"}}";

    assertThat(vendors.read(request(signature, body)))
        .as("genuine, though no interaction")
        .isEqualTo(new Answer.Malformed("not an interaction"));
    assertThat(vendors.read(request(signature, body.replace("é", "e"))))
        .isInstanceOf(Answer.Forged.class);
  }

  private static Hook.Request request(String signature, String body) {
    return new Hook.Request(
        "POST",
        signed(signature, "1700000000"),
        Map.of(),
        body.getBytes(StandardCharsets.UTF_8),
        NOW);
  }
}
