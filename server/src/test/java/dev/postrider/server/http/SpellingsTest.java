package dev.postrider.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.server.http.TestServer.Reply;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** One number on WhatsApp is one lane and one session, however people write it. */
class SpellingsTest {
  private TestServer server;

  @BeforeEach
  void start(@TempDir Path dir) {
    server =
        TestServer.start(
            dir,
            """
            accounts:
              - { id: wa, channel: whatsapp, token: x, phoneNumberId: "1", \
            baseUrl: "http://127.0.0.1:1", appSecret: s3cret }
            """);
    assertThat(server.post("/v1/accounts/wa/pause", "{}").status()).isEqualTo(200);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private Reply send(String to, String more) {
    return server.post(
        "/v1/messages", "{\"account\":\"wa\",\"to\":\"" + to + "\",\"text\":\"hi\"" + more + "}");
  }

  private void hears(String from) throws Exception {
    String body =
        """
        {"object":"whatsapp_business_account","entry":[{"id":"0","changes":[{"field":"messages",
        "value":{"messaging_product":"whatsapp","metadata":{"phone_number_id":"1"},
        "contacts":[{"wa_id":"%1$s","profile":{"name":"Ann"}}],
        "messages":[{"from":"%1$s","id":"wamid.1","timestamp":"1763222400","type":"text",
        "text":{"body":"hello"}}]}}]}]}"""
            .formatted(from);
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec("s3cret".getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
    String signature =
        "sha256=" + HexFormat.of().formatHex(mac.doFinal(body.getBytes(StandardCharsets.UTF_8)));
    assertThat(
            server
                .send(
                    server
                        .request(
                            "/hooks/wa",
                            "Content-Type",
                            "application/json",
                            "X-Hub-Signature-256",
                            signature)
                        .POST(BodyPublishers.ofString(body)))
                .status())
        .isEqualTo(200);
  }

  @Test
  void three_spellings_of_a_number_are_one_lane_and_one_session() throws Exception {
    String key = ",\"idempotencyKey\":\"k\"";
    String first = send("+49 170 1", key).text("id");
    send("+491701", "");
    send("491701", "");
    assertThat(send("491701", key).text("id")).isEqualTo(first);
    hears("491701");

    JsonNode lanes = server.get("/v1/lanes?account=wa").json().path("items");
    assertThat(lanes.size()).isEqualTo(1);
    assertThat(lanes.path(0).path("to").asString()).isEqualTo("491701");
    assertThat(lanes.path(0).path("depth").asInt()).isEqualTo(3);
    assertThat(server.get("/v1/messages?account=wa&to=%2B49%20170%201").json().path("items").size())
        .isEqualTo(3);
    JsonNode sessions = server.get("/v1/sessions").json().path("items");
    assertThat(sessions.size()).isEqualTo(1);
    assertThat(sessions.path(0).path("chat").asString()).isEqualTo("491701");
  }

  @Test
  void a_lane_is_paused_and_resumed_by_any_spelling() {
    Reply paused = server.post("/v1/lanes/pause", "{\"account\":\"wa\",\"to\":\"+49 170 1\"}");
    assertThat(paused.json().path("to").asString()).isEqualTo("491701");
    assertThat(server.post("/v1/lanes/resume", "{\"account\":\"wa\",\"to\":\"+491701\"}").status())
        .isEqualTo(200);
  }

  @Test
  void what_cannot_be_an_address_is_refused_with_the_remedy() {
    Reply refused = send("0170 1234567", "");
    assertThat(refused.status()).isEqualTo(422);
    assertThat(refused.raw().body()).contains("country code").contains("\"to\"");
    assertThat(server.post("/v1/lanes/pause", "{\"account\":\"wa\",\"to\":\"0170\"}").status())
        .isEqualTo(422);
  }

  @Test
  void a_reminder_names_a_chat_once_and_only_what_is_one() {
    String reminder =
        """
        {"name":"r","account":"wa","timezone":"UTC","messages":[{"text":"hi"}],
        "targets":[{"to":"+49 170 1"},{"to":"%s"}]}""";
    Reply twice = server.post("/v1/reminders", reminder.formatted("491701"));
    assertThat(twice.status()).isEqualTo(422);
    assertThat(twice.raw().body()).contains("is targets[0] too");
    Reply none = server.post("/v1/reminders", reminder.formatted("0170"));
    assertThat(none.status()).isEqualTo(422);
    assertThat(none.raw().body()).contains("targets[1].to").contains("country code");
    Reply made = server.post("/v1/reminders", reminder.formatted("+49 170 2"));
    assertThat(made.json().path("targets").path(0).path("to").asString()).isEqualTo("491701");
  }
}
