package dev.postrider.channels.nostr;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.Sha256;
import dev.postrider.channels.nostr.Nip44.MessageKeys;
import java.io.IOException;
import java.io.InputStream;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Held to the vectors that the standards' authors publish. */
class NostrCryptographyTest {
  private static final HexFormat HEX = HexFormat.of();
  private static final JsonNode VECTORS =
      Objects.requireNonNull(Json.readObject(resource("nip44.vectors.json"))).path("v2");

  private static String resource(String name) {
    try (InputStream in =
        Objects.requireNonNull(NostrCryptographyTest.class.getResourceAsStream("/nostr/" + name))) {
      return new String(in.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static List<JsonNode> vectors(String kind, String name) {
    List<JsonNode> all = VECTORS.path(kind).path(name).valueStream().toList();
    assertThat(all).as(name).isNotEmpty();
    return all;
  }

  private static byte[] hex(JsonNode vector, String field) {
    return HEX.parseHex(vector.path(field).asString());
  }

  @Test
  void signatures_are_those_of_the_vectors_of_bip_340() {
    List<String> lines = resource("bip-0340.csv").lines().skip(1).toList();
    assertThat(lines).hasSize(19);
    int signed = 0;
    for (String line : lines) {
      String[] column = line.split(",", -1);
      byte[] message = HEX.parseHex(column[4]);
      if (message.length != 32) {
        continue; // Nostr signs hashes, and nothing else
      }
      byte[] signature = HEX.parseHex(column[5]);
      assertThat(NostrKey.verify(signature, message, HEX.parseHex(column[2])))
          .as(line)
          .isEqualTo(column[6].equals("TRUE"));
      if (!column[1].isEmpty()) {
        NostrKey key = NostrKey.of(HEX.parseHex(column[1]));
        assertThat(key.publicKey()).as(line).isEqualToIgnoringCase(column[2]);
        byte[] own = key.sign(message);
        assertThat(NostrKey.verify(own, message, HEX.parseHex(key.publicKey()))).isTrue();
        if (column[3].matches("0*")) { // without added randomness, as here
          assertThat(own).as(line).isEqualTo(signature);
          signed++;
        }
      }
    }
    assertThat(signed).isPositive();
  }

  @Test
  void conversation_keys_are_those_of_the_vectors() {
    for (JsonNode vector : vectors("valid", "get_conversation_key")) {
      NostrKey key = NostrKey.of(hex(vector, "sec1"));
      assertThat(Nip44.conversationKey(key, vector.path("pub2").asString()))
          .isEqualTo(hex(vector, "conversation_key"));
    }
    for (JsonNode vector : vectors("invalid", "get_conversation_key")) {
      assertThatThrownBy(
              () ->
                  Nip44.conversationKey(
                      NostrKey.of(hex(vector, "sec1")), vector.path("pub2").asString()))
          .as(vector.path("note").asString())
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void message_keys_are_those_of_the_vectors() {
    JsonNode vectors = VECTORS.path("valid").path("get_message_keys");
    byte[] conversation = hex(vectors, "conversation_key");
    assertThat(vectors.path("keys").size()).isPositive();
    for (JsonNode vector : vectors.path("keys").valueStream().toList()) {
      MessageKeys keys = MessageKeys.of(conversation, hex(vector, "nonce"));
      assertThat(keys.cipherKey()).isEqualTo(hex(vector, "chacha_key"));
      assertThat(keys.cipherNonce()).isEqualTo(hex(vector, "chacha_nonce"));
      assertThat(keys.macKey()).isEqualTo(hex(vector, "hmac_key"));
    }
  }

  @Test
  void padding_is_that_of_the_vectors() {
    for (JsonNode vector : vectors("valid", "calc_padded_len")) {
      assertThat(Nip44.paddedLength(vector.get(0).longValue()))
          .as(vector.toString())
          .isEqualTo(vector.get(1).longValue());
    }
  }

  @Test
  void texts_are_encrypted_and_decrypted_as_the_vectors_say() throws Exception {
    for (JsonNode vector : vectors("valid", "encrypt_decrypt")) {
      NostrKey one = NostrKey.of(hex(vector, "sec1"));
      NostrKey two = NostrKey.of(hex(vector, "sec2"));
      byte[] key = Nip44.conversationKey(one, two.publicKey());
      String text = vector.path("plaintext").asString();
      String payload = vector.path("payload").asString();
      assertThat(key).isEqualTo(hex(vector, "conversation_key"));
      assertThat(Nip44.conversationKey(two, one.publicKey())).isEqualTo(key);
      assertThat(Nip44.encrypt(text, key, hex(vector, "nonce"))).isEqualTo(payload);
      assertThat(Nip44.decrypt(payload, key)).isEqualTo(text);
    }
  }

  @Test
  void long_texts_are_too() throws Exception {
    for (JsonNode vector : vectors("valid", "encrypt_decrypt_long_msg")) {
      String text = vector.path("pattern").asString().repeat(vector.path("repeat").intValue());
      byte[] key = hex(vector, "conversation_key");
      String payload = Nip44.encrypt(text, key, hex(vector, "nonce"));
      assertThat(Sha256.hex(text)).isEqualTo(vector.path("plaintext_sha256").asString());
      assertThat(Sha256.hex(payload)).isEqualTo(vector.path("payload_sha256").asString());
      assertThat(Nip44.decrypt(payload, key)).isEqualTo(text);
    }
  }

  /** The three that NIP-44 has in its text, on both sides of the long prefix. */
  @Test
  void texts_of_64_kib_and_more_have_the_long_prefix() throws Exception {
    byte[] key = HEX.parseHex("c41c775356fd92eadc63ff5a0dc1da211b268cbea22316767095b2871ea1412d");
    byte[] nonce = new byte[32];
    nonce[31] = 1;
    List<String> hashes =
        List.of(
            "6d8c2810d1e870fbaa1f0a0937126cca837a15f9260e27060c331d70a3c0bc84",
            "b7b4edb36ba92e267d322d56d9aebc22e7fa96ff52e3c12adc07f07a43cbc616",
            "eeb7c7c5373894ea2c1547cfd3ccb15d5a0b2d619da852e5c79df792dcc9e435");
    for (int i = 0; i < 3; i++) {
      String text = "a".repeat(65535 + i);
      String payload = Nip44.encrypt(text, key, nonce);
      assertThat(Sha256.hex(payload)).isEqualTo(hashes.get(i));
      assertThat(Nip44.decrypt(payload, key)).isEqualTo(text);
    }
  }

  @Test
  void what_is_broken_or_forged_is_not_decrypted() {
    for (JsonNode vector : vectors("invalid", "decrypt")) {
      assertThatThrownBy(
              () ->
                  Nip44.decrypt(vector.path("payload").asString(), hex(vector, "conversation_key")))
          .as(vector.path("note").asString())
          .isInstanceOf(Nip44.Unreadable.class);
    }
    assertThatThrownBy(() -> Nip44.encrypt("", new byte[32], new byte[32]))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
