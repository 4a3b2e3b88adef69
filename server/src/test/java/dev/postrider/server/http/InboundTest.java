package dev.postrider.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.event.Event;
import dev.postrider.server.http.TestServer.Reply;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Inbound dead letters, turns, and messages that belong to one. */
class InboundTest {
  private TestServer server;

  @BeforeEach
  void start(@TempDir Path dir) {
    server = TestServer.start(dir, "inbound: { maxAttempts: 1 }");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  /** Somebody writes, and whoever takes it cannot handle it. */
  private String dead(String chat, String text) {
    JsonNode item = taken(chat, text);
    Reply failed = server.post("/v1/inbound/leases/" + id(item) + "/nack", "{\"error\":\"no\"}");
    assertThat(failed.status()).isEqualTo(204);
    return item.path("turnId").asString();
  }

  private JsonNode taken(String chat, String text) {
    server.hear(chat, text);
    return server.lease("{\"wait\":\"10s\",\"max\":1}").json().at("/items/0");
  }

  private static String id(JsonNode item) {
    return item.path("leaseId").asString();
  }

  // ---- dead letters

  @Test
  void a_dead_letter_is_replayed_as_a_new_message_that_points_to_it() {
    String id = dead("ann", "hello");

    Reply again = server.post("/v1/inbound/" + id + "/replay", "");

    assertThat(again.status()).isEqualTo(202);
    assertThat(again.text("replayOf")).isEqualTo(id);
    assertThat(again.text("status")).isEqualTo("pending");
    assertThat(server.get("/v1/inbound/" + id).text("replayedAs")).isEqualTo(again.text("id"));
    assertThat(server.post("/v1/inbound/" + id + "/replay", "").status()).isEqualTo(409);
    assertThat(server.lease("{}").json().at("/items/0/turnId").asString())
        .isEqualTo(again.text("id"));
  }

  @Test
  void a_dead_letter_is_discarded_and_stays_known() {
    String id = dead("ann", "hello");

    assertThat(server.delete("/v1/inbound/" + id).status()).isEqualTo(204);

    assertThat(server.get("/v1/inbound/" + id).text("status")).isEqualTo("discarded");
    assertThat(server.get("/v1/inbound?status=failed").json().path("items")).isEmpty();
    assertThat(server.delete("/v1/inbound/" + id).status()).isEqualTo(409);
  }

  @Test
  void what_is_no_dead_letter_can_be_neither_replayed_nor_discarded() {
    String id = taken("ann", "hello").path("turnId").asString();

    assertThat(server.post("/v1/inbound/" + id + "/replay", "").status()).isEqualTo(409);
    assertThat(server.delete("/v1/inbound/" + id).status()).isEqualTo(409);
    for (String unknown : List.of(UUID.randomUUID().toString(), "nonsense")) {
      assertThat(server.get("/v1/inbound/" + unknown).status()).isEqualTo(404);
      assertThat(server.post("/v1/inbound/" + unknown + "/replay", "").status()).isEqualTo(404);
      assertThat(server.delete("/v1/inbound/" + unknown).status()).isEqualTo(404);
      assertThat(server.get("/v1/turns/" + unknown).status()).isEqualTo(404);
    }
  }

  @Test
  void those_that_match_are_replayed_the_oldest_first_after_a_look() {
    List<String> anns = List.of(dead("ann", "1"), dead("ann", "2"), dead("ann", "3"));
    dead("bob", "4");
    String filter = "\"sessionId\":\"sandbox/ann\"";

    Reply look = server.post("/v1/inbound/replay", "{" + filter + ",\"dryRun\":true}");
    assertThat(look.json().path("matched").asInt()).isEqualTo(3);
    assertThat(look.json().path("replayed").asInt()).isZero();

    Reply some = server.post("/v1/inbound/replay", "{" + filter + ",\"limit\":2}");
    assertThat(some.json().path("remaining").asInt()).isEqualTo(1);
    assertThat(replayOf(some, 0)).isEqualTo(anns.get(0));
    assertThat(replayOf(some, 1)).isEqualTo(anns.get(1));
    assertThat(server.post("/v1/inbound/replay", "{}").json().path("replayed").asInt())
        .isEqualTo(2);
  }

  private String replayOf(Reply replayed, int index) {
    String id = replayed.json().path("ids").path(index).asString();
    return server.get("/v1/inbound/" + id).text("replayOf");
  }

  // ---- turns

  @Test
  void a_turn_tells_what_came_in_what_it_caused_and_how_it_ended() {
    JsonNode item = taken("ann", "hello");
    String turn = item.path("turnId").asString();
    assertThat(server.get("/v1/turns/" + turn).text("state")).isEqualTo("open");

    CompletableFuture<Event.TurnEnded> over = server.next(Event.TurnEnded.class);
    server.post("/v1/inbound/leases/" + id(item) + "/ack", "{\"replies\":[\"one\",\"two\"]}");
    assertThat(over.join().id().toString()).isEqualTo(turn);

    JsonNode story = server.get("/v1/turns/" + turn).json();
    assertThat(story.path("state").asString()).isEqualTo("delivered");
    assertThat(story.path("attempts").asInt()).isEqualTo(1);
    assertThat(story.at("/message/text").asString()).isEqualTo("hello");
    assertThat(story.path("handedOutAt").isNull()).isFalse();
    assertThat(story.path("messages").valueStream().map(said -> said.path("text").asString()))
        .containsExactly("one", "two");
    assertThat(story.at("/messages/0/parts/0/status").asString()).isEqualTo("delivered");
  }

  @Test
  void a_turn_that_says_nothing_is_empty_and_one_that_was_never_handed_out_is_not_open() {
    JsonNode item = taken("ann", "hello");
    server.post("/v1/inbound/leases/" + id(item) + "/ack", "");
    server.hear("bob", "anybody?");
    String waiting = server.get("/v1/inbound?status=pending").json().at("/items/0/id").asString();

    assertThat(server.get("/v1/turns/" + item.path("turnId").asString()).text("state"))
        .isEqualTo("empty");
    assertThat(server.get("/v1/turns/" + waiting).text("state")).isNull();
  }

  @Test
  void a_message_that_names_a_turn_goes_to_where_it_came_from() {
    JsonNode item = taken("ann", "hello");
    String turn = item.path("turnId").asString();

    Reply sent =
        server.post(
            "/v1/messages",
            "{\"turnId\":\"%s\",\"text\":\"a moment\",\"dispatchKind\":\"tool\"}".formatted(turn));

    assertThat(sent.status()).isEqualTo(202);
    JsonNode message = server.get("/v1/messages/" + sent.text("id")).json();
    assertThat(message.path("account").asString()).isEqualTo("sandbox");
    assertThat(message.path("to").asString()).isEqualTo("ann");
    assertThat(message.path("replyToId")).isEqualTo(item.at("/message/messageId"));
    assertThat(message.path("sessionId").asString()).isEqualTo("sandbox/ann");
    assertThat(message.path("dispatchKind").asString()).isEqualTo("tool");
    assertThat(server.get("/v1/messages?turnId=" + turn).json().path("items")).hasSize(1);
  }

  @Test
  void what_a_message_says_itself_goes_before_what_its_turn_says() {
    String turn = taken("ann", "hello").path("turnId").asString();

    Reply own =
        server.post(
            "/v1/messages",
            "{\"turnId\":\"%s\",\"text\":\"x\",\"threadId\":\"9\",\"replyToId\":\"\"}"
                .formatted(turn));
    JsonNode message = server.get("/v1/messages/" + own.text("id")).json();
    assertThat(message.path("threadId").asString()).isEqualTo("9");
    assertThat(message.path("replyToId").isNull()).isTrue();

    Reply elsewhere =
        server.post(
            "/v1/messages",
            "{\"turnId\":\"%s\",\"account\":\"sandbox\",\"to\":\"bob\",\"text\":\"x\"}"
                .formatted(turn));
    message = server.get("/v1/messages/" + elsewhere.text("id")).json();
    assertThat(message.path("to").asString()).isEqualTo("bob");
    assertThat(message.path("replyToId").isNull()).isTrue();
    assertThat(message.path("sessionId").isNull()).isTrue();
  }

  @Test
  void a_message_without_a_chat_needs_a_turn_that_is_there() {
    for (String unknown : List.of(UUID.randomUUID().toString(), "nonsense")) {
      String message = "{\"turnId\":\"%s\",\"text\":\"x\"}".formatted(unknown);
      Reply refused = server.post("/v1/messages", message);
      assertThat(refused.status()).isEqualTo(422);
      assertThat(refused.json().at("/errors/0/field").asString()).isEqualTo("turnId");
      assertThat(server.post("/v1/messages/preview", message).status()).isEqualTo(422);
    }
    Reply half = server.post("/v1/messages", "{\"account\":\"sandbox\",\"text\":\"x\"}");
    assertThat(half.json().at("/errors/0/field").asString()).isEqualTo("to");
  }

  @Test
  void lines_of_a_batch_and_previews_may_name_a_turn_too() {
    String turn = taken("ann", "hello").path("turnId").asString();
    String line = "{\"turnId\":\"%s\",\"text\":\"x\"}".formatted(turn);

    Reply batch =
        server.send(
            server
                .request("/v1/messages/batch", "Content-Type", "application/x-ndjson")
                .POST(BodyPublishers.ofString(line + "\n{\"turnId\":\"?\",\"text\":\"x\"}\n")));

    List<String> answers = batch.raw().body().lines().toList();
    assertThat(TestServer.json(answers.get(0)).path("to").asString()).isEqualTo("ann");
    assertThat(TestServer.json(answers.get(1)).path("status").asInt()).isEqualTo(422);
    assertThat(server.post("/v1/messages/preview", line).text("to")).isEqualTo("ann");
  }
}
