package dev.postrider.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.server.config.Token;
import dev.postrider.server.http.TestServer.Reply;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SecurityTest {
  private static final String TOKENS =
      """
      http:
        tokens:
          - {name: producer, secret: sending-sending-1, role: send}
          - {name: viewer, secret: looking-looking-1, role: read}
          - {name: ops, secret: ruling-ruling-ruling, role: admin}
      """;
  private static final String BODY = "{\"account\":\"sandbox\",\"to\":\"a\",\"text\":\"x\"}";

  @TempDir Path dir;

  @ParameterizedTest
  @CsvSource({
    "localhost:8080, , 200",
    "127.0.0.1, , 200",
    "[::1]:80, , 200",
    "evil.example, , 403",
    "localhost.evil.example:8080, , 403",
    "127.0.0.1.evil.example, , 403",
    "localhost:8080, http://localhost:8080, 200",
    "localhost:8080, http://evil.example, 403",
    "localhost:8080, http://localhost:9999, 403",
    "localhost:8080, null, 403",
    "evil.example, http://evil.example, 403"
  })
  void without_tokens_only_this_machine_and_its_own_pages_are_answered(
      String host, String origin, int expected) throws IOException {
    try (TestServer server = TestServer.start(dir)) {
      for (String path : new String[] {"/v1/stats", "/", "/healthz", "/nothing"}) {
        String answer =
            server.raw(
                "GET %s HTTP/1.1\r\nHost: %s\r\n%sConnection: close\r\n\r\n"
                    .formatted(path, host, origin == null ? "" : "Origin: " + origin + "\r\n"));

        int wanted = expected == 200 && path.equals("/nothing") ? 404 : expected;
        assertThat(answer).as(path).startsWith("HTTP/1.1 " + wanted);
        assertThat(answer).doesNotContain("Access-Control");
      }
    }
  }

  @Test
  void a_token_is_needed_and_must_be_right() {
    try (TestServer server = TestServer.start(dir, TOKENS)) {
      assertThat(server.get("/v1/stats").status()).isEqualTo(401);
      assertThat(server.get("/v1/stats").header("WWW-Authenticate")).isEqualTo("Bearer");
      assertThat(server.get("/v1/stats", "Authorization", "Bearer wrong").status()).isEqualTo(401);
      assertThat(server.get("/v1/stats", "Authorization", "Basic ruling-ruling-ruling").status())
          .isEqualTo(401);
      assertThat(server.get("/v1/stats", "Authorization", "Bearer ").status()).isEqualTo(401);
      assertThat(server.get("/v1/stats", "Authorization", "bearer ruling-ruling-ruling").status())
          .isEqualTo(200);
      assertThat(server.get("/metrics").status()).isEqualTo(401);
    }
  }

  @Test
  void a_role_opens_its_own_doors_only() {
    try (TestServer server = TestServer.start(dir, TOKENS)) {
      String[] producer = {"Authorization", "Bearer sending-sending-1"};
      String[] viewer = {"Authorization", "Bearer looking-looking-1"};
      String[] ops = {"Authorization", "Bearer ruling-ruling-ruling"};

      assertThat(server.post("/v1/messages", BODY, producer).status()).isEqualTo(202);
      assertThat(server.get("/v1/messages", producer).status()).isEqualTo(403);
      assertThat(server.post("/v1/accounts/sandbox/pause", "", producer).status()).isEqualTo(403);

      assertThat(server.post("/v1/inbound/lease", "", producer).status()).isEqualTo(200);
      assertThat(server.get("/v1/inbound", producer).status()).isEqualTo(403);
      assertThat(server.post("/v1/inbound/replay", "", producer).status()).isEqualTo(403);

      assertThat(server.get("/v1/messages", viewer).status()).isEqualTo(200);
      assertThat(server.get("/v1/inbound", viewer).status()).isEqualTo(200);
      assertThat(server.post("/v1/inbound/lease", "", viewer).status()).isEqualTo(403);
      assertThat(server.post("/v1/messages", BODY, viewer).status()).isEqualTo(403);
      assertThat(server.post("/v1/accounts/sandbox/pause", "", viewer).status()).isEqualTo(403);
      assertThat(server.post("/v1/accounts/sandbox/login", "{}", viewer).status()).isEqualTo(403);

      assertThat(server.get("/v1/messages", ops).status()).isEqualTo(200);
      assertThat(server.post("/v1/messages", BODY, ops).status()).isEqualTo(202);
      assertThat(server.post("/v1/accounts/sandbox/pause", "", ops).status()).isEqualTo(200);
    }
  }

  @Test
  void everybody_is_told_who_they_are_and_what_they_may_do() {
    try (TestServer server = TestServer.start(dir, TOKENS)) {
      assertThat(server.get("/v1/me").status()).isEqualTo(401);
      assertThat(server.get("/v1/me", "Authorization", "Bearer wrong").status()).isEqualTo(401);

      Reply producer = server.get("/v1/me", "Authorization", "Bearer sending-sending-1");
      assertThat(producer.text("name")).isEqualTo("producer");
      assertThat(producer.json().get("roles").toString()).isEqualTo("[\"send\"]");
      Reply viewer = server.get("/v1/me", "Authorization", "Bearer looking-looking-1");
      assertThat(viewer.json().get("roles").toString()).isEqualTo("[\"read\"]");
      Reply ops = server.get("/v1/me", "Authorization", "Bearer ruling-ruling-ruling");
      assertThat(ops.json().get("roles").toString()).isEqualTo("[\"send\",\"read\",\"admin\"]");
      assertThat(ops.json().get("tokensNeeded").asBoolean()).isTrue();
      assertThat(ops.raw().body()).doesNotContain("ruling-ruling-ruling");
    }
  }

  @Test
  void without_tokens_everybody_may_do_everything_and_has_no_name() {
    try (TestServer server = TestServer.start(dir)) {
      Reply me = server.get("/v1/me");

      assertThat(me.text("name")).isNull();
      assertThat(me.json().get("roles")).hasSize(3);
      assertThat(me.json().get("tokensNeeded").asBoolean()).isFalse();
      assertThat(me.text("node")).isEqualTo(server.postrider().node());
    }
  }

  @Test
  void a_token_may_stand_in_the_file_as_its_hash_and_the_hash_opens_nothing() {
    String hash = Token.hashed("what-its-bearer-sends");
    String config = "http: { tokens: [ { name: ops, secret: '" + hash + "', role: admin } ] }";
    try (TestServer server = TestServer.start(dir, config)) {
      assertThat(server.get("/v1/stats", "Authorization", "Bearer what-its-bearer-sends").status())
          .isEqualTo(200);
      assertThat(server.get("/v1/stats", "Authorization", "Bearer " + hash).status())
          .isEqualTo(401);
    }
  }

  @Test
  void roles_can_be_combined() {
    String config =
        "http: { tokens: [ { name: bot, secret: sends-and-looks-1, role: [send, read] } ] }";
    try (TestServer server = TestServer.start(dir, config)) {
      String[] both = {"Authorization", "Bearer sends-and-looks-1"};
      assertThat(server.post("/v1/messages", BODY, both).status()).isEqualTo(202);
      assertThat(server.get("/v1/messages", both).status()).isEqualTo(200);
      TestServer.Reply refused = server.post("/v1/accounts/sandbox/pause", "", both);
      assertThat(refused.status()).isEqualTo(403);
      assertThat(refused.text("detail"))
          .isEqualTo("This token has the role 'read', 'send'; 'admin' is needed.");
    }
  }

  @Test
  void who_sends_may_write_and_lead_reminders_and_who_looks_may_see_them() {
    try (TestServer server = TestServer.start(dir, TOKENS)) {
      String[] producer = {"Authorization", "Bearer sending-sending-1"};
      String[] viewer = {"Authorization", "Bearer looking-looking-1"};
      String reminder =
          """
          { "name": "x", "account": "sandbox", "timezone": "UTC", "window": "none",
            "targets": [ { "to": "a" } ], "messages": [ { "text": "hi" } ] }
          """;

      TestServer.Reply created = server.post("/v1/reminders", reminder, producer);
      assertThat(created.status()).isEqualTo(201);
      String at = "/v1/reminders/" + created.text("id");
      assertThat(server.get(at, producer).status()).isEqualTo(403);
      assertThat(server.get(at, viewer).status()).isEqualTo(200);
      assertThat(server.post("/v1/reminders", reminder, viewer).status()).isEqualTo(403);
      assertThat(server.post(at + "/fire", "", viewer).status()).isEqualTo(403);
      assertThat(server.delete(at, viewer).status()).isEqualTo(403);
      assertThat(server.delete(at, producer).status()).isEqualTo(204);
    }
  }

  @Test
  void health_and_the_dashboard_itself_are_open_so_that_it_can_ask_for_a_token() {
    try (TestServer server = TestServer.start(dir, TOKENS)) {
      for (String path :
          new String[] {"/", "/assets/app.js", "/healthz", "/readyz", "/openapi.json"}) {
        assertThat(server.get(path).status()).as(path).isEqualTo(200);
      }
    }
  }

  @Test
  void pages_may_load_nothing_from_elsewhere_and_cannot_be_framed() {
    try (TestServer server = TestServer.start(dir)) {
      assertThat(server.get("/").header("Content-Security-Policy"))
          .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
          .doesNotContain("unsafe");
      assertThat(server.get("/").header("X-Content-Type-Options")).isEqualTo("nosniff");
    }
  }
}
