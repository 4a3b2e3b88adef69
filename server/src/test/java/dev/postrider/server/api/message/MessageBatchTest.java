package dev.postrider.server.api.message;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.server.http.MessagesTest;
import dev.postrider.server.http.TestServer;
import dev.postrider.server.http.TestServer.Reply;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class MessageBatchTest {
  private TestServer server;

  @BeforeEach
  void start(@TempDir Path dir) {
    server = TestServer.start(dir, "http: {bodyLimit: 1kb, batchLimit: 8kb}");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void every_line_is_answered_in_order_and_a_wrong_one_does_not_disturb_the_others() {
    Reply reply =
        batch(
            """
            {"account":"sandbox","to":"a","text":"1"}
            {"account":"sandbox","to":"a","txt":"2"}

            {"account":"nobody","to":"a","text":"3"}
            not json
            %s
            {"account":"sandbox","to":"b","text":"4"}"""
                .formatted("{\"text\":\"" + "x".repeat(2000) + "\"}"));

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.header("Content-Type")).isEqualTo("application/x-ndjson");
    List<JsonNode> lines = reply.raw().body().lines().map(TestServer::json).toList();
    assertThat(lines).hasSize(6);
    assertThat(lines.get(0).get("to").asString()).isEqualTo("a");
    assertThat(lines.get(0).get("id").asString()).isNotEmpty();
    assertThat(lines.get(1).get("status").asInt()).isEqualTo(422);
    assertThat(lines.get(1).get("line").asInt()).isEqualTo(2);
    assertThat(lines.get(2).get("type").asString()).endsWith("unknown-account");
    assertThat(lines.get(2).get("line").asInt()).isEqualTo(4);
    assertThat(lines.get(3).get("status").asInt()).isEqualTo(400);
    assertThat(lines.get(4).get("status").asInt()).isEqualTo(413);
    assertThat(lines.get(5).get("to").asString()).isEqualTo("b");
    assertThat(MessagesTest.ids(server.get("/v1/messages"))).hasSize(2);
  }

  @Test
  void a_batch_keeps_its_order_in_the_lane() {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < 100; i++) {
      lines.append("{\"account\":\"sandbox\",\"to\":\"a\",\"text\":\"").append(i).append("\"}\n");
    }
    batch(lines.toString());
    server.say("a", "last");

    JsonNode inbox = server.get("/v1/sandbox/sandbox/inbox?limit=200").json().get("items");
    assertThat(inbox).hasSize(101);
    for (int i = 0; i < 100; i++) {
      assertThat(inbox.get(100 - i).get("text").asString()).isEqualTo(Integer.toString(i));
    }
  }

  @Test
  void an_empty_batch_is_answered_with_nothing() {
    assertThat(batch("").status()).isEqualTo(200);
    assertThat(batch("\n \n").raw().body()).isEmpty();
  }

  @Test
  void too_large_a_batch_and_a_wrong_type_are_refused_as_a_whole() {
    assertThat(batch("{\"text\":\"x\"}\n".repeat(1000)).status()).isEqualTo(413);
    assertThat(server.post("/v1/messages/batch", "{}").status()).isEqualTo(415);
  }

  @Test
  void a_batch_of_several_groups_is_answered_line_by_line_with_each_lines_own_number(
      @TempDir Path dir) {
    try (TestServer roomy = TestServer.start(dir)) {
      StringBuilder lines = new StringBuilder();
      for (int i = 1; i <= 5_000; i++) {
        String text = i % 1_000 == 0 ? "" : ",\"text\":\"" + "x".repeat(300) + "\"";
        lines.append("{\"account\":\"sandbox\",\"to\":\"").append(i).append('"').append(text);
        lines.append("}\n\n");
      }

      Reply reply =
          roomy.send(
              roomy
                  .request("/v1/messages/batch", "Content-Type", "application/x-ndjson")
                  .POST(BodyPublishers.ofString(lines.toString())));

      List<JsonNode> answers = reply.raw().body().lines().map(TestServer::json).toList();
      assertThat(answers).hasSize(5_000);
      for (int i = 1; i <= 5_000; i++) {
        JsonNode answer = answers.get(i - 1);
        if (i % 1_000 == 0) {
          assertThat(answer.get("line").asInt()).isEqualTo(2 * i - 1);
        } else {
          assertThat(answer.path("to").asString("")).isEqualTo(Integer.toString(i));
        }
      }
    }
  }

  private Reply batch(String lines) {
    return server.send(
        server
            .request("/v1/messages/batch", "Content-Type", "application/x-ndjson")
            .POST(BodyPublishers.ofString(lines)));
  }
}
