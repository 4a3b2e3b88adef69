package dev.postrider.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.server.http.TestServer.Reply;
import dev.postrider.server.log.LogCapture;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Logging in accounts that a person must let in on their phone. */
class AccountLoginTest {
  private static final String LOGIN = "/v1/accounts/phone/login";

  private TestServer server;

  @BeforeEach
  void start(@TempDir Path dir) {
    server =
        TestServer.start(
            dir,
            """
            accounts:
              - { id: phone, channel: sandbox, pairing: 0s }
              - { id: slow, channel: sandbox, pairing: 1h }
              - id: hook
                channel: webhook
                url: "http://127.0.0.1:9/"
                secret: "whsec_c2VjcmV0c2VjcmV0"
            """);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private Reply login(String account) {
    return server.post("/v1/accounts/" + account + "/login", "{}");
  }

  private JsonNode account(String id) {
    for (JsonNode account : server.get("/v1/accounts").json().path("items")) {
      if (account.path("id").asString().equals(id)) {
        return account;
      }
    }
    throw new AssertionError(id);
  }

  @Test
  void a_person_scans_and_what_waited_is_sent() {
    String waiting =
        server
            .post("/v1/messages", "{\"account\":\"phone\",\"to\":\"ann\",\"text\":\"hi\"}")
            .text("id");
    assertThat(account("phone").path("needsLogin").asBoolean()).isTrue();
    assertThat(account("phone").path("reason").asString())
        .contains("log in with 'postrider accounts login phone'");

    Reply scan = login("phone");
    assertThat(scan.text("state")).isEqualTo("scan");
    assertThat(scan.text("validUntil")).isNotNull();
    assertThat(scan.json().at("/qr/text").asString()).isEqualTo("sandbox:phone:1");
    assertThat(scan.json().at("/qr/rows").size()).isGreaterThanOrEqualTo(21);

    Reply ended = server.get("/v1/messages/" + waiting);
    while (!ended.text("status").equals("delivered")) {
      Thread.onSpinWait(); // the phone is as quick as a timer
      ended = server.get("/v1/messages/" + waiting);
    }
    assertThat(ended.json().path("attempts").asInt()).isEqualTo(1);
    assertThat(login("phone").text("state")).isEqualTo("loggedIn");
    assertThat(login("phone").text("identity")).isEqualTo("sandbox");
    assertThat(account("phone").path("needsLogin").asBoolean()).isFalse();
  }

  @Test
  void a_phone_number_gets_a_code_to_type() {
    Reply code = server.post("/v1/accounts/slow/login", "{\"phone\":\"+49 (151) 234-5678\"}");
    assertThat(code.text("state")).isEqualTo("code");
    assertThat(code.text("code")).startsWith("SAND-");

    Reply bad = server.post("/v1/accounts/slow/login", "{\"phone\":\"my own\"}");
    assertThat(bad.status()).isEqualTo(422);
    assertThat(bad.json().at("/errors/0/field").asString()).isEqualTo("phone");
  }

  @Test
  void a_login_that_is_refused_and_a_channel_without_one_say_why() {
    Reply refused = server.post("/v1/accounts/slow/login", "{\"phone\":\"491510000\"}");
    assertThat(refused.text("state")).isEqualTo("failed");
    assertThat(refused.text("cause")).contains("does not want it");

    assertThat(login("hook").text("state")).isEqualTo("notSupported");
    assertThat(login("hook").text("cause")).contains("settings");
    assertThat(login("nobody").status()).isEqualTo(404);
    assertThat(server.post(LOGIN, "{\"fone\":\"1\"}").status()).isEqualTo(422);
  }

  @Test
  void codes_are_secrets_and_a_login_stands_in_the_audit_trail_once_for_each_step() {
    String code;
    String log;
    try (LogCapture lines = new LogCapture()) {
      assertThat(login("slow").header("Cache-Control")).isEqualTo("no-store");
      code = login("slow").json().at("/qr/text").asString();
      login("slow");
      server.post("/v1/accounts/slow/login", "{\"phone\":\"491510000\"}");
      log = lines.text();
    }
    JsonNode trail = server.get("/v1/audit").json().path("items");
    assertThat(trail).hasSize(2);
    assertThat(trail.path(0).path("outcome").asString()).isEqualTo("failed");
    assertThat(trail.path(1).path("outcome").asString()).isEqualTo("scan");
    assertThat(trail.path(1).path("action").asString()).isEqualTo("accounts login");
    assertThat(code).startsWith("sandbox:slow:");
    assertThat(log).contains("accounts login").doesNotContain(code);
    assertThat(trail.toString()).doesNotContain(code);
  }
}
