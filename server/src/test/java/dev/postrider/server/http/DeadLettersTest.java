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
  void a_dead_letter_is_sent_again_with_changes_and_points_to_the_old_one() {
    String id = server.say("ann", "typo #fail").text("id");

    Reply again =
        server.post("/v1/dead-letters/" + id + "/replay", "{\"text\":\"mended\",\"to\":\"bob\"}");

    assertThat(again.status()).isEqualTo(202);
    assertThat(again.text("replayOf")).isEqualTo(id);
    assertThat(again.text("text")).isEqualTo("mended");
    assertThat(again.text("to")).isEqualTo("bob");
    assertThat(again.text("account")).isEqualTo("sandbox");
    assertThat(server.get("/v1/dead-letters/" + id).text("replayedAs")).isEqualTo(again.text("id"));
    assertThat(server.get("/v1/audit").json().at("/items/0/target").asString())
        .isEqualTo(id + " (changed: text to)");
  }

  @Test
  void changes_that_make_no_message_are_refused_and_nothing_happens() {
    String id = server.say("ann", "typo #fail").text("id");
    String path = "/v1/dead-letters/" + id + "/replay";

    Reply empty = server.post(path, "{\"text\":null}");
    assertThat(empty.status()).isEqualTo(422);
    assertThat(empty.json().at("/errors/0/field").asString()).isEqualTo("text");
    assertThat(
            server
                .post(path, "{\"format\":\"fancy\",\"maxAttempts\":\"two\"}")
                .json()
                .get("errors"))
        .hasSize(2);
    assertThat(server.post(path, "{\"txt\":\"x\"}").text("detail")).contains("text");
    assertThat(server.post(path, "{\"turnId\":\"x\"}").status()).isEqualTo(422);
    assertThat(server.post(path, "{\"account\":\"nobody\"}").status()).isEqualTo(422);
    assertThat(server.post(path, "[]").status()).isEqualTo(400);

    assertThat(server.get("/v1/dead-letters/" + id).text("replayedAs")).isNull();
    assertThat(server.get("/v1/messages").json().get("items")).hasSize(1);
  }

  @Test
  void they_are_added_up_by_how_they_ended() {
    server.say("ann", "1 #fail");
    server.say("ann", "2 #fail");
    String last = server.say("bob", "3 #fail").text("id");

    Reply groups = server.get("/v1/dead-letters/groups?account=sandbox&since=1h");

    assertThat(groups.json().get("complete").asBoolean()).isTrue();
    assertThat(groups.json().get("items")).hasSize(1);
    JsonNode group = groups.json().at("/items/0");
    assertThat(group.get("messages").asInt()).isEqualTo(3);
    assertThat(group.get("exampleId").asString()).isEqualTo(last);
    assertThat(group.get("reason").asString())
        .isEqualTo(server.get("/v1/dead-letters/" + last).text("reason"));
    assertThat(server.get("/v1/dead-letters/groups?status=held").json().get("items")).isEmpty();
    assertThat(server.get("/v1/dead-letters/groups?status=queued").status()).isEqualTo(422);
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
