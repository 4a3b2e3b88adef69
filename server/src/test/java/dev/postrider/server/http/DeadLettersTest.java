package dev.postrider.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.server.http.TestServer.Reply;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class DeadLettersTest {
  private TestServer server;

  @BeforeEach
  void start(@TempDir Path dir) {
    server = TestServer.start(dir);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void a_refused_message_is_listed_shown_replayed_and_discarded() {
    String id = server.say("ann", "#fail").text("id");
    server.say("ann", "fine");

    assertThat(MessagesTest.ids(server.get("/v1/dead-letters"))).containsExactly(id);
    assertThat(server.get("/v1/dead-letters/" + id).text("status")).isEqualTo("failed");

    Reply replayed = server.post("/v1/dead-letters/" + id + "/replay", "");
    assertThat(replayed.status()).isEqualTo(202);
    assertThat(replayed.text("replayOf")).isEqualTo(id);
    assertThat(server.get("/v1/dead-letters/" + id).text("replayedAs"))
        .isEqualTo(replayed.text("id"));

    assertThat(server.delete("/v1/dead-letters/" + id).status()).isEqualTo(204);
    assertThat(server.get("/v1/dead-letters/" + id).status()).isEqualTo(404);
  }

  @Test
  void a_message_that_is_none_is_not_shown_as_one() {
    String id = server.say("ann", "fine").text("id");

    assertThat(server.get("/v1/dead-letters/" + id).status()).isEqualTo(404);
    assertThat(server.delete("/v1/dead-letters/" + id).status()).isEqualTo(409);
    assertThat(server.post("/v1/dead-letters/" + id + "/replay", "").status()).isEqualTo(409);
  }

  @Test
  void those_that_match_are_replayed_the_oldest_first_after_a_look() {
    List<String> anns =
        List.of(
            server.say("ann", "1 #fail").text("id"),
            server.say("ann", "2 #fail").text("id"),
            server.say("ann", "3 #fail").text("id"));
    server.say("bob", "4 #fail");

    Reply look = server.post("/v1/dead-letters/replay", "{\"to\":\"ann\",\"dryRun\":true}");
    assertThat(look.json().get("matched").asInt()).isEqualTo(3);
    assertThat(look.json().get("replayed").asInt()).isZero();

    Reply some = server.post("/v1/dead-letters/replay", "{\"to\":\"ann\",\"limit\":2}");
    assertThat(some.json().get("replayed").asInt()).isEqualTo(2);
    assertThat(some.json().get("remaining").asInt()).isEqualTo(1);
    JsonNode ids = some.json().get("ids");
    assertThat(server.get("/v1/messages/" + ids.get(0).asString()).text("replayOf"))
        .isEqualTo(anns.get(0));
    assertThat(server.get("/v1/messages/" + ids.get(1).asString()).text("replayOf"))
        .isEqualTo(anns.get(1));
  }

  @Test
  void an_export_has_a_line_for_each() {
    for (int i = 0; i < 3; i++) {
      server.say("ann", i + " #fail");
    }

    Reply export = server.get("/v1/dead-letters/export?account=sandbox");
    assertThat(export.header("Content-Type")).isEqualTo("application/x-ndjson");
    assertThat(export.raw().body().lines().map(TestServer::json))
        .hasSize(3)
        .allSatisfy(letter -> assertThat(letter.get("status").asString()).isEqualTo("failed"));
  }
}
