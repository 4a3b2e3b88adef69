package dev.postrider.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.server.log.LogCapture;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Those who try tokens and signatures, against a real server. */
class FailuresOverHttpTest {
  private static final String CONFIG =
      """
      http:
        failuresPerMinute: 3
        tokens: [ { name: ops, secret: ruling-the-server-for-good, role: admin } ]
      accounts:
        - { id: tg, channel: telegram, token: "1:x", baseUrl: "http://127.0.0.1:1", \
      webhookSecret: s3cret }
      """;

  @TempDir Path dir;

  @Test
  void who_tries_tokens_is_told_to_wait_and_a_right_one_is_let_in_all_the_same() {
    try (TestServer server = TestServer.start(dir, CONFIG);
        LogCapture log = new LogCapture()) {
      assertThat(server.get("/v1/stats").status()).isEqualTo(401);
      assertThat(server.get("/v1/stats", "Authorization", "Bearer wrong").status()).isEqualTo(401);
      assertThat(server.post("/hooks/tg", "{}").status()).isEqualTo(401);

      TestServer.Reply refused = server.get("/v1/stats", "Authorization", "Bearer wrong");
      assertThat(refused.status()).isEqualTo(429);
      assertThat(refused.text("type")).isEqualTo("urn:postrider:problem:too-many-failures");
      assertThat(refused.text("detail")).contains("http.failuresPerMinute");
      assertThat(Integer.parseInt(refused.header("Retry-After"))).isBetween(1, 61);
      assertThat(server.post("/hooks/tg", "{}").status()).isEqualTo(429);

      assertThat(
              server
                  .get("/v1/stats", "Authorization", "Bearer ruling-the-server-for-good")
                  .status())
          .isEqualTo(200);
      assertThat(
              server
                  .post(
                      "/hooks/tg", "{\"update_id\":1}", "X-Telegram-Bot-Api-Secret-Token", "s3cret")
                  .status())
          .isEqualTo(200);
      assertThat(server.get("/healthz").status()).isEqualTo(200);
      assertThat(log.sentences())
          .filteredOn(line -> line.contains("429"))
          .singleElement()
          .asString()
          .contains("127.0.0.1");
    }
  }
}
