package dev.postrider.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.event.Event;
import dev.postrider.server.http.TestServer.Reply;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class SessionsTest {
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
  void conversations_are_listed_the_latest_first_and_shown_by_name() {
    server.hear("ann", "1");
    server.hear("bob", "2");
    server.hear("ann", "3");

    JsonNode items = server.get("/v1/sessions?account=sandbox").json().path("items");
    assertThat(items.valueStream().map(session -> session.path("id").asString()))
        .containsExactly("sandbox/ann", "sandbox/bob");
    assertThat(items.at("/0/waiting").asInt()).isEqualTo(2);
    assertThat(server.get("/v1/sessions?account=other").json().path("items")).isEmpty();

    Reply one = server.get("/v1/sessions/sandbox%2Fann");
    assertThat(one.status()).isEqualTo(200);
    assertThat(one.text("chat")).isEqualTo("ann");
    assertThat(one.json().path("paused").asBoolean()).isFalse();
    assertThat(server.get("/v1/sessions/sandbox%2Fnobody").status()).isEqualTo(404);
    assertThat(server.get("/v1/sessions/sandbox%2Fnobody/history").status()).isEqualTo(404);
  }

  @Test
  void a_history_holds_what_was_heard_and_said_the_newest_first_page_by_page() {
    server.hear("ann", "hello");
    JsonNode item = server.lease("{}").json().at("/items/0");
    CompletableFuture<Event.SessionMirrored> said = server.next(Event.SessionMirrored.class);
    server.post(
        "/v1/inbound/leases/" + item.path("leaseId").asString() + "/ack",
        "{\"replies\":[\"good day\"]}");
    assertThat(said.join().session()).isEqualTo("sandbox/ann");

    Reply first = server.get("/v1/sessions/sandbox%2Fann/history?limit=1");
    JsonNode answer = first.json().at("/items/0");
    assertThat(answer.path("kind").asString()).isEqualTo("said");
    assertThat(answer.path("text").asString()).isEqualTo("good day");
    assertThat(answer.path("messageId").asString()).isEqualTo(said.join().id().toString());
    assertThat(answer.path("turnId")).isEqualTo(item.path("turnId"));
    assertThat(answer.at("/receipts/0").asString()).startsWith("sandbox-");
    Reply second =
        server.get("/v1/sessions/sandbox%2Fann/history?limit=1&cursor=" + first.text("next"));
    JsonNode heard = second.json().at("/items/0");
    assertThat(heard.path("kind").asString()).isEqualTo("heard");
    assertThat(heard.at("/message/text").asString()).isEqualTo("hello");
    assertThat(server.get("/v1/sessions/sandbox%2Fann/history?cursor=x").status()).isEqualTo(400);
  }

  @Test
  void what_waits_in_a_paused_conversation_is_not_handed_out() {
    server.hear("ann", "hello");
    String ann = "{\"id\":\"sandbox/ann\"}";

    Reply paused =
        server.post("/v1/sessions/pause", "{\"id\":\"sandbox/ann\",\"reason\":\"a person\"}");
    assertThat(paused.json().path("paused").asBoolean()).isTrue();
    assertThat(paused.text("pauseReason")).isEqualTo("a person");
    assertThat(server.lease("{}").json().path("items")).isEmpty();

    Reply resumed = server.post("/v1/sessions/resume", ann);
    assertThat(resumed.json().path("paused").asBoolean()).isFalse();
    assertThat(server.lease("{\"wait\":\"10s\"}").json().path("items")).hasSize(1);
    for (String verb : List.of("pause", "resume")) {
      assertThat(server.post("/v1/sessions/" + verb, "{\"id\":\"nobody\"}").status())
          .isEqualTo(404);
      assertThat(server.post("/v1/sessions/" + verb, "{}").status()).isEqualTo(422);
    }
  }

  @Test
  void what_a_person_has_answered_is_not_handed_out_when_the_conversation_goes_on() {
    server.hear("ann", "hello");
    server.hear("ann", "anybody there?");
    server.post("/v1/sessions/pause", "{\"id\":\"sandbox/ann\"}");
    String last = server.get("/v1/inbound?status=pending").json().at("/items/0/id").asString();

    Reply reply = server.post("/v1/inbound/" + last + "/ack", "{\"replies\":[\"Yes, me.\"]}");

    assertThat(reply.status()).isEqualTo(200);
    Reply said = server.get("/v1/messages/" + reply.json().at("/replies/0/id").asString());
    assertThat(said.text("turnId")).isEqualTo(last);
    assertThat(server.post("/v1/inbound/" + last + "/ack", "").status()).isEqualTo(409);
    server.hear("ann", "thank you");
    server.post("/v1/sessions/resume", "{\"id\":\"sandbox/ann\"}");
    JsonNode items = server.lease("{\"wait\":\"10s\"}").json().path("items");
    assertThat(items.valueStream().map(item -> item.at("/message/text").asString()))
        .containsExactly("thank you");
    assertThat(server.post("/v1/inbound/" + last + "/ack", "{\"replies\":7}").status())
        .isEqualTo(422);
    assertThat(server.get("/v1/audit").json().path("items").valueStream())
        .anySatisfy(entry -> assertThat(entry.path("action").asString()).isEqualTo("inbound ack"));
  }
}
