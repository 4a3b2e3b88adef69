package dev.postrider.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.server.log.LogCapture;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests that a proxy has passed on, against a real server. */
class ForwardedTest {
  private static final String TOKENS =
      "tokens: [ { name: ops, secret: ruling-the-server-for-good, role: admin } ]";
  private static final String[] RIGHT = {"Authorization", "Bearer ruling-the-server-for-good"};

  @TempDir Path dir;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Forwarded: for=192.0.2.1",
        "X-Forwarded-For: 127.0.0.1",
        "x-forwarded-host: example.org",
        "X-Forwarded-Proto: https",
        "X-Forwarded-Anything:"
      })
  void without_tokens_what_a_proxy_passed_on_is_refused_with_the_remedy(String header)
      throws IOException {
    try (TestServer server = TestServer.start(dir, "http: { trustedProxies: [127.0.0.1] }")) {
      for (String path : new String[] {"/", "/v1/stats", "/healthz", "/metrics", "/nothing"}) {
        for (String version : new String[] {"1.0", "1.1"}) {
          String answer =
              server.raw(
                  "GET %s HTTP/%s\r\nHost: localhost\r\n%s\r\nConnection: close\r\n\r\n"
                      .formatted(path, version, header));

          assertThat(answer)
              .as(path)
              .startsWith("HTTP/" + version + " 403")
              .contains("Set http.tokens");
        }
      }
    }
  }

  @Test
  void webhooks_pass_a_proxy_without_tokens_because_they_are_signed() {
    String hook =
        """
        accounts:
          - { id: tg, channel: telegram, token: "1:x", baseUrl: "http://127.0.0.1:1", \
        webhookSecret: s3cret }
        """;
    try (TestServer server = TestServer.start(dir, hook)) {
      String[] proxied = {"X-Forwarded-For", "192.0.2.1"};
      assertThat(server.post("/hooks/tg", "{}", proxied).status()).isEqualTo(401);
      assertThat(server.post("/hooks/none", "{}", proxied).status()).isEqualTo(404);
    }
  }

  @Test
  void with_tokens_a_proxy_is_welcome_and_the_log_names_whom_a_trusted_one_asks_for() {
    try (TestServer server =
            TestServer.start(dir, "http: { trustedProxies: [127.0.0.0/8], " + TOKENS + " }");
        LogCapture log = new LogCapture()) {
      assertThat(
              server
                  .post(
                      "/v1/accounts/sandbox/pause",
                      "",
                      RIGHT[0],
                      RIGHT[1],
                      "X-Forwarded-For",
                      "198.51.100.1, 192.0.2.7")
                  .status())
          .isEqualTo(200);

      assertThat(log.json())
          .filteredOn(line -> line.contains("operator.action"))
          .singleElement()
          .asString()
          .contains("\"address\":\"192.0.2.7\"");
    }
  }

  @Test
  void failures_behind_a_trusted_proxy_are_counted_for_each_address() {
    try (TestServer server =
        TestServer.start(
            dir, "http: { failuresPerMinute: 2, trustedProxies: [127.0.0.1], " + TOKENS + " }")) {
      assertThat(tried(server, "192.0.2.1")).isEqualTo(401);
      assertThat(tried(server, "192.0.2.1")).isEqualTo(401);
      assertThat(tried(server, "192.0.2.1")).isEqualTo(429);
      assertThat(tried(server, "192.0.2.2")).isEqualTo(401);
    }
  }

  @Test
  void what_somebody_says_who_is_no_trusted_proxy_does_not_count() {
    try (TestServer server =
        TestServer.start(
            dir, "http: { failuresPerMinute: 2, trustedProxies: [10.0.0.1], " + TOKENS + " }")) {
      assertThat(tried(server, "192.0.2.1")).isEqualTo(401);
      assertThat(tried(server, "192.0.2.2")).isEqualTo(401);
      assertThat(tried(server, "192.0.2.3")).isEqualTo(429);
    }
  }

  private static int tried(TestServer server, String as) {
    return server.get("/v1/stats", "X-Forwarded-For", as).status();
  }
}
