package dev.postrider.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.server.http.TestServer.Reply;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Webhooks, and what came by them. */
class HooksTest {
  private static final String UPDATE =
      """
      {"update_id":%d,"message":{"message_id":77,"date":1763222400,"from":{"id":5,\
      "first_name":"Ann"},
       "chat":{"id":12345,"type":"private"},"text":"hello"}}""";

  private TestServer server;

  @BeforeEach
  void start(@TempDir Path dir) {
    server =
        TestServer.start(
            dir,
            """
            http: { tokens: [ { name: ops, secret: t0ken-of-the-tests, role: admin } ] }
            accounts:
              - { id: tg, channel: telegram, token: "1:x", baseUrl: "http://127.0.0.1:1", \
            webhookSecret: s3cret }
              - { id: box, channel: sandbox }
              - { id: mute, channel: webhook, url: "http://127.0.0.1:1", secret: whsec_MTIz }
            """);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private Reply hook(String account, String secret, String body) {
    return server.send(
        server
            .request(
                "/hooks/" + account,
                "Content-Type",
                "application/json",
                "X-Telegram-Bot-Api-Secret-Token",
                secret)
            .POST(BodyPublishers.ofString(body)));
  }

  private Reply inbound(String query) {
    return server.get("/v1/inbound" + query, "Authorization", "Bearer t0ken-of-the-tests");
  }

  @Test
  void a_genuine_webhook_needs_no_token_and_is_stored_once() {
    assertThat(hook("tg", "s3cret", UPDATE.formatted(1)).status()).isEqualTo(200);
    assertThat(hook("tg", "s3cret", UPDATE.formatted(1)).status()).isEqualTo(200);
    assertThat(hook("tg", "s3cret", UPDATE.formatted(2)).status()).isEqualTo(200);

    JsonNode items = inbound("").json().path("items");
    assertThat(items.size()).isEqualTo(2);
    JsonNode newest = items.path(0);
    assertThat(newest.path("platformId").asString()).isEqualTo("2");
    assertThat(newest.path("channel").asString()).isEqualTo("telegram");
    assertThat(newest.path("sessionId").asString()).isEqualTo("tg/12345");
    assertThat(newest.path("chatKind").asString()).isEqualTo("dm");
    assertThat(newest.path("sender").path("name").asString()).isEqualTo("Ann");
    assertThat(newest.path("text").asString()).isEqualTo("hello");
    assertThat(newest.path("status").asString()).isEqualTo("pending");
    assertThat(newest.path("raw").path("message").path("message_id").asInt()).isEqualTo(77);
    String id = newest.path("id").asString();
    JsonNode shown =
        server.get("/v1/inbound/" + id, "Authorization", "Bearer t0ken-of-the-tests").json();
    assertThat(shown.path("text")).isEqualTo(newest.path("text"));
    assertThat(shown.path("history").isArray()).isTrue();
  }

  @Test
  void what_is_not_genuine_is_refused_and_not_stored() {
    assertThat(hook("tg", "guessed", UPDATE.formatted(1)).status()).isEqualTo(401);
    assertThat(hook("tg", "s3cret", "{").status()).isEqualTo(400);
    assertThat(hook("tg", "s3cret", "x".repeat(5 << 20)).status()).isEqualTo(413);
    assertThat(hook("box", "s3cret", UPDATE.formatted(1)).status()).isEqualTo(401);
    assertThat(hook("mute", "s3cret", UPDATE.formatted(1)).status()).isEqualTo(404);
    assertThat(hook("nobody", "s3cret", UPDATE.formatted(1)).status()).isEqualTo(404);

    assertThat(inbound("").json().path("items").size()).isZero();
  }

  @Test
  void a_stranger_is_not_told_which_accounts_there_are() {
    Reply near = hook("tgg", "s3cret", UPDATE.formatted(1));
    Reply silent = hook("mute", "s3cret", UPDATE.formatted(1));

    assertThat(near.status()).isEqualTo(404);
    assertThat(near.raw().body()).contains("No webhooks are taken here.");
    assertThat(near.raw().body().replace("tgg", "")).doesNotContain("tg", "box", "mute");
    assertThat(silent.status()).isEqualTo(near.status());
    assertThat(silent.raw().body().replace("mute", "tgg")).isEqualTo(near.raw().body());
  }

  @Test
  void the_list_can_be_narrowed_and_paged() {
    for (int i = 1; i <= 3; i++) {
      hook("tg", "s3cret", UPDATE.formatted(i));
    }

    Reply page = inbound("?sessionId=tg/12345&status=pending&limit=2");
    assertThat(page.json().path("items").size()).isEqualTo(2);
    String next = page.json().path("next").asString();
    assertThat(
            inbound("?sessionId=tg/12345&status=pending&limit=2&cursor=" + next)
                .json()
                .path("items")
                .size())
        .isEqualTo(1);
    assertThat(inbound("?account=box").json().path("items").size()).isZero();
    assertThat(inbound("?status=nonsense").status()).isEqualTo(422);
    assertThat(server.get("/v1/inbound").status()).isEqualTo(401);
    assertThat(
            server
                .get(
                    "/v1/inbound/00000000-0000-7000-8000-000000000000",
                    "Authorization",
                    "Bearer t0ken-of-the-tests")
                .status())
        .isEqualTo(404);
  }

  @Test
  void a_full_inbox_asks_the_platform_to_come_back(@TempDir Path dir) {
    try (TestServer small =
        TestServer.start(
            dir,
            """
            inbound: { maxDepth: 1 }
            accounts:
              - { id: tg, channel: telegram, token: "1:x", baseUrl: "http://127.0.0.1:1", \
            webhookSecret: s3cret }
            """)) {
      assertThat(told(small, 1).status()).isEqualTo(200);

      Reply full = told(small, 2);
      assertThat(full.status()).isEqualTo(503);
      assertThat(full.header("Retry-After")).isNotNull();
      assertThat(full.text("type")).endsWith("inbox-full");

      String lease = small.lease("{}").json().at("/items/0/leaseId").asString();
      small.post("/v1/inbound/leases/" + lease + "/ack", "");
      assertThat(told(small, 2).status()).isEqualTo(200);
    }
  }

  @Test
  void whoever_stalls_in_the_middle_of_a_webhook_is_cut_off(@TempDir Path dir) throws Exception {
    try (TestServer hasty = TestServer.start(dir, "http: { bodyTimeout: 50ms }")) {
      String answer =
          hasty.raw(
              "POST /hooks/sandbox HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{");

      assertThat(answer).doesNotContain("200");
      assertThat(hasty.get("/healthz").status()).isEqualTo(200);
    }
  }

  private static Reply told(TestServer server, int update) {
    return server.post(
        "/hooks/tg", UPDATE.formatted(update), "X-Telegram-Bot-Api-Secret-Token", "s3cret");
  }
}
