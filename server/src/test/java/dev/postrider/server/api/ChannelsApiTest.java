package dev.postrider.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.server.http.TestServer;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Whoever asks is told what each channel can do. */
class ChannelsApiTest {
  @Test
  void every_channel_is_listed_with_what_it_can_do(@TempDir Path dir) {
    try (TestServer server = TestServer.start(dir)) {
      var answer = server.get("/v1/channels");
      assertThat(answer.status()).isEqualTo(200);
      Map<String, JsonNode> channels = new HashMap<>();
      answer.json().path("items").forEach(it -> channels.put(it.path("name").asString(), it));

      assertThat(channels.keySet())
          .containsAll(server.postrider().channels().stream().map(it -> it.name()).toList())
          .contains("telegram", "whatsapp", "email", "mattermost", "line");
      JsonNode telegram = channels.get("telegram");
      assertThat(telegram.at("/text/limit").asInt()).isEqualTo(4096);
      assertThat(telegram.at("/text/unit").asString()).isEqualTo("utf16");
      assertThat(telegram.at("/text/markupCounts").asBoolean(true)).isFalse();
      assertThat(telegram.at("/pace/account/0/requests").asInt()).isEqualTo(30);
      assertThat(telegram.at("/pace/account/0/in").asString()).isEqualTo("1s");
      assertThat(telegram.path("accounts")).isEmpty();
      assertThat(telegram.path("settings").valueStream())
          .anySatisfy(
              setting -> {
                assertThat(setting.path("name").asString()).isEqualTo("token");
                assertThat(setting.path("secret").asBoolean()).isTrue();
              });
      assertThat(channels.get("whatsapp").path("receipts").valueStream().map(JsonNode::asString))
          .containsExactly("sent", "delivered", "read", "failed");
      assertThat(channels.get("sandbox").path("accounts").path(0).asString()).isEqualTo("sandbox");
      assertThat(channels.get("sandbox").path("knowsRepeatsFor").asString()).isEqualTo("ever");
      assertThat(channels.get("line").path("piecesPerRequest").asInt()).isEqualTo(5);
    }
  }
}
