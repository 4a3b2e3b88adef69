package dev.postrider.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.server.http.TestServer.Reply;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What operators did is kept, and shown to administrators. */
class AuditTest {
  private static final String TOKENS =
      """
      http:
        tokens:
          - { name: ops, secret: s3cret-of-the-ops, role: admin }
          - { name: bot, secret: s3cret-of-the-bot, role: [send, read] }
      """;
  private static final String[] OPS = {"Authorization", "Bearer s3cret-of-the-ops"};
  private static final String[] BOT = {"Authorization", "Bearer s3cret-of-the-bot"};

  @TempDir private Path dir;

  private static void assertEntry(
      JsonNode entry, String operator, String action, String target, String outcome) {
    assertThat(entry.path("operator").asString()).isEqualTo(operator);
    assertThat(entry.path("action").asString()).isEqualTo(action);
    assertThat(entry.path("target").asString()).isEqualTo(target);
    assertThat(entry.path("outcome").asString()).startsWith(outcome);
    assertThat(entry.path("at").asString()).isNotEmpty();
  }

  @Test
  void what_operators_did_is_kept_with_who_what_and_how_it_went_and_survives_a_restart() {
    try (TestServer server = TestServer.start(dir, TOKENS)) {
      server.post("/v1/accounts/sandbox/pause", "{\"reason\":\"maintenance\"}", OPS);
      assertThat(server.post("/v1/accounts/nobody/pause", "", OPS).status()).isEqualTo(404);
      server.post("/v1/accounts/sandbox/resume", "", OPS);
      server.post(
          "/v1/reminders",
          "{\"name\":\"Friday notice\",\"account\":\"sandbox\",\"timezone\":\"UTC\","
              + "\"targets\":[{\"to\":\"ann\"}],\"messages\":[{\"text\":\"x\"}]}",
          OPS);
      server.get("/v1/accounts", OPS); // looking is not told
    }
    try (TestServer server = TestServer.start(dir, TOKENS)) {
      JsonNode items = server.get("/v1/audit", OPS).json().path("items");

      assertThat(items).hasSize(4);
      String created = server.get("/v1/reminders", OPS).json().at("/items/0/id").asString();
      assertEntry(
          items.path(0),
          "ops",
          "reminders create",
          "(id: " + created + ", name: Friday notice)",
          "done");
      assertEntry(items.path(1), "ops", "accounts resume", "sandbox", "done");
      assertEntry(items.path(2), "ops", "accounts pause", "nobody", "failed: ");
      assertEntry(items.path(3), "ops", "accounts pause", "sandbox (reason: maintenance)", "done");
      assertThat(items.toString()).doesNotContain("s3cret");
    }
  }

  @Test
  void the_audit_trail_is_for_administrators_and_comes_in_pages() {
    try (TestServer server = TestServer.start(dir, TOKENS)) {
      for (int i = 0; i < 3; i++) {
        server.post("/v1/accounts/sandbox/pause", "", OPS);
      }
      assertThat(server.get("/v1/audit", BOT).status()).isEqualTo(403);
      assertThat(server.get("/v1/audit").status()).isEqualTo(401);
      Reply page = server.get("/v1/audit?limit=2", OPS);
      assertThat(page.json().path("items")).hasSize(2);
      Reply rest = server.get("/v1/audit?limit=2&cursor=" + page.text("next"), OPS);
      assertThat(rest.json().path("items")).hasSize(1);
      assertThat(rest.text("next")).isNull();
      assertThat(server.get("/v1/audit?cursor=nonsense", OPS).status()).isEqualTo(400);
      assertThat(server.get("/v1/audit?since=1h", OPS).status()).isEqualTo(400);
    }
  }

  @Test
  void a_trail_with_anything_in_it_can_be_kept() {
    try (TestServer server = TestServer.start(dir, TOKENS)) {
      String reason = "x\\u0000\\u001b" + "y".repeat(900);
      server.post("/v1/accounts/sandbox/pause", "{\"reason\":\"" + reason + "\"}", OPS);

      JsonNode entry = server.get("/v1/audit", OPS).json().path("items").path(0);
      assertThat(entry.path("target").asString()).startsWith("sandbox (reason: x").hasSize(500);
    }
  }
}
