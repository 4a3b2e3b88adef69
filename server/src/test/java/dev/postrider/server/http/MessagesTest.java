package dev.postrider.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.event.Event;
import dev.postrider.message.MessageId;
import dev.postrider.message.Status;
import dev.postrider.server.http.TestServer.Reply;
import dev.postrider.store.message.MessageFilter;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

public class MessagesTest {
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
  void a_part_tells_what_the_platform_has_said_of_it_later() {
    CompletableFuture<Event.ReceiptUpdated> told = server.next(Event.ReceiptUpdated.class);
    String id = server.say("ann", "#read").text("id");
    told.join();

    JsonNode part = server.get("/v1/messages/" + id + "/parts").json().at("/items/0");

    assertThat(part.at("/receipts/0/receipt").asString()).isEqualTo(part.get("receipt").asString());
    assertThat(part.at("/receipts/0/state").asString()).isIn("sent", "delivered", "read");
  }

  @Test
  void its_parts_are_shown_as_the_platform_is_given_them() {
    String id =
        server
            .post(
                "/v1/messages?wait=10s",
                "{\"account\":\"sandbox\",\"to\":\"ann\",\"text\":\"**hi**\"}")
            .text("id");

    Reply parts = server.get("/v1/messages/" + id + "/parts");

    JsonNode part = parts.json().at("/items/0");
    assertThat(parts.json().get("items")).hasSize(1);
    assertThat(part.get("kind").asString()).isEqualTo("text");
    assertThat(part.get("status").asString()).isEqualTo("delivered");
    assertThat(part.get("content").asString()).contains("hi");
    assertThat(part.get("receipt").asString())
        .isEqualTo(server.get("/v1/messages/" + id).json().at("/parts/0/receipt").asString());
    assertThat(part.get("key").asString()).hasSize(32);
    assertThat(part.get("receipts")).isEmpty();
    assertThat(server.get("/v1/messages/" + UUID.randomUUID() + "/parts").status()).isEqualTo(404);
  }

  @Test
  void a_message_is_accepted_in_the_documented_shape() {
    Reply reply =
        server.post(
            "/v1/messages",
            """
            {"account": "sandbox", "to": "ann", "text": "**Hi**", "metadata": {"order": 77, \
            "deep": [1.5, null, {"a": true}]}}
            """);

    assertThat(reply.status()).isEqualTo(202);
    assertThat(reply.header("Content-Type")).isEqualTo("application/json");
    assertThat(reply.header("X-Content-Type-Options")).isEqualTo("nosniff");
    assertThat(reply.json().propertyNames())
        .contains(
            "id",
            "status",
            "account",
            "to",
            "attempts",
            "dueAt",
            "createdAt",
            "endedAt",
            "parts",
            "error",
            "reason",
            "late",
            "possibleDuplicate",
            "durable",
            "metadata",
            "history");
    assertThat(reply.json().get("durable").asBoolean()).isTrue();
    assertThat(reply.json().get("metadata").toString())
        .isEqualTo("{\"order\":77,\"deep\":[1.5,null,{\"a\":true}]}");
    assertThat(reply.json().get("parts").get(0).get("index").asInt()).isZero();
  }

  @Test
  void waiting_tells_how_it_ended() {
    Reply reply = server.say("ann", "hello");

    assertThat(reply.status()).isEqualTo(200);
    assertThat(reply.text("status")).isEqualTo("delivered");
    assertThat(reply.json().at("/parts/0/status").asString()).isEqualTo("delivered");
    assertThat(reply.json().at("/parts/0/receipt").asString()).startsWith("sandbox-");
    assertThat(reply.text("text")).isEqualTo("hello");
  }

  @Test
  void waiting_for_what_takes_longer_tells_where_it_stands() {
    Reply reply =
        server.post(
            "/v1/messages?wait=1ms",
            """
            {"account": "sandbox", "to": "ann", "text": "x", "sendAt": "2099-01-01T00:00:00Z"}
            """);

    assertThat(reply.status()).isEqualTo(202);
    assertThat(reply.text("status")).isEqualTo("queued");
  }

  @Test
  void what_went_wrong_on_the_way_is_in_the_history() {
    Reply reply = server.say("ann", "#flaky");

    JsonNode entry = server.get("/v1/messages/" + reply.text("id")).json().at("/history/0");
    assertThat(entry.get("outcome").asString()).isEqualTo("not-sent");
    assertThat(entry.get("attempt").asInt()).isEqualTo(1);
    assertThat(entry.get("nextAt").asString()).isNotEmpty();
  }

  @Test
  void the_same_key_and_content_answer_with_the_first_message() {
    String body = "{\"account\":\"sandbox\",\"to\":\"a\",\"text\":\"x\",\"idempotencyKey\":\"k\"}";
    Reply first = server.post("/v1/messages", body);
    Reply second = server.post("/v1/messages", body);

    assertThat(first.status()).isEqualTo(202);
    assertThat(second.status()).isEqualTo(200);
    assertThat(second.text("id")).isEqualTo(first.text("id"));
  }

  @Test
  void the_same_key_with_other_content_is_a_conflict() {
    server.post(
        "/v1/messages",
        "{\"account\":\"sandbox\",\"to\":\"a\",\"text\":\"x\",\"idempotencyKey\":\"k\"}");
    Reply other =
        server.post(
            "/v1/messages",
            "{\"account\":\"sandbox\",\"to\":\"a\",\"text\":\"y\",\"idempotencyKey\":\"k\"}");

    assertThat(other.status()).isEqualTo(409);
    assertThat(other.text("type")).isEqualTo("urn:postrider:problem:key-reused");
  }

  @Test
  void lists_are_filtered_and_paged() {
    for (String to : List.of("a", "b", "a")) {
      server.say(to, "hi");
    }

    assertThat(ids(server.get("/v1/messages?to=a&status=delivered,queued"))).hasSize(2);
    assertThat(ids(server.get("/v1/messages?to=nobody"))).isEmpty();
    assertThat(ids(server.get("/v1/messages?status=failed"))).isEmpty();
    Reply page = server.get("/v1/messages?limit=2");
    assertThat(ids(page)).hasSize(2);
    assertThat(ids(server.get("/v1/messages?limit=2&cursor=" + page.text("next")))).hasSize(1);
  }

  @Test
  void every_filter_finds_its_message_alone() {
    server.say("other", "something else");
    Reply sent =
        server.post(
            "/v1/messages?wait=10s",
            """
            {"account": "sandbox", "to": "ann", "text": "Your Parcel is here", \
            "idempotencyKey": "k1",
             "sessionId": "s1", "metadata": {"order": 77, "run": "r1", "a.b": "x y"}}
            """);
    String receipt = sent.json().at("/parts/0/receipt").asString();

    for (String filter :
        List.of(
            "to=ann",
            "account=sandbox&to=ann&status=delivered&since=1h",
            "account=sandbox&idempotencyKey=k1",
            "idempotencyKey=k1",
            "sessionId=s1",
            "runId=r1",
            "text=parcel",
            "metadata.order=77",
            "metadata.a.b=x%20y&metadata.order=77",
            "receipt=" + receipt)) {
      assertThat(ids(server.get("/v1/messages?" + filter)))
          .as(filter)
          .containsExactly(sent.text("id"));
    }
    for (String filter :
        List.of(
            "idempotencyKey=k2",
            "sessionId=s2",
            "text=parsel",
            "metadata.order=78",
            "metadata.nothing=77",
            "until=1h",
            "since=2099-01-01T00:00:00Z")) {
      assertThat(ids(server.get("/v1/messages?" + filter))).as(filter).isEmpty();
    }
    Reply looked = server.get("/v1/messages?text=parcel");
    assertThat(looked.json().get("scanned").asInt()).isEqualTo(2);
    assertThat(looked.json().get("scannedUntil").asString()).isNotEmpty();
    assertThat(server.get("/v1/messages?to=ann").json().has("scanned")).isFalse();
    assertThat(server.get("/v1/messages?since=soon").status()).isEqualTo(422);
  }

  @Test
  void dead_letters_take_the_same_filters_in_lists_exports_and_replays() {
    server.say("other", "#fail");
    Reply sent =
        server.post(
            "/v1/messages?wait=10s",
            """
            {"account": "sandbox", "to": "ann", "text": "#fail now", "metadata": {"order": 77}}
            """);

    for (String filter : List.of("to=ann", "text=now", "metadata.order=77", "since=1h&to=ann")) {
      assertThat(ids(server.get("/v1/dead-letters?" + filter)))
          .as(filter)
          .containsExactly(sent.text("id"));
      assertThat(server.get("/v1/dead-letters/export?" + filter).raw().body().lines())
          .as(filter)
          .hasSize(1);
    }
    Reply counted =
        server.post("/v1/dead-letters/replay", "{\"metadata\": {\"order\": 77}, \"dryRun\": true}");
    assertThat(counted.json().get("matched").asInt()).isEqualTo(1);
    assertThat(server.post("/v1/dead-letters/replay", "{\"until\": \"1h\"}").text("matched"))
        .isEqualTo("0");
  }

  @Test
  void a_queued_message_can_be_cancelled_once() {
    String id = scheduled();

    assertThat(server.post("/v1/messages/" + id + "/cancel", "").text("status"))
        .isEqualTo("cancelled");
    Reply again = server.post("/v1/messages/" + id + "/cancel", "");
    assertThat(again.status()).isEqualTo(409);
    assertThat(again.text("type")).isEqualTo("urn:postrider:problem:conflict");
  }

  @Test
  void a_queued_message_can_be_tried_now() throws Exception {
    String id = scheduled();

    assertThat(server.post("/v1/messages/" + id + "/retry", "").status()).isEqualTo(200);
    assertThat(
            server
                .postrider()
                .await(MessageId.parse(id), Duration.ofMinutes(5))
                .orElseThrow()
                .status())
        .isEqualTo(Status.DELIVERED);
  }

  @Test
  void the_sandbox_shows_what_arrived() {
    server.say("ann", "one");
    server.say("bob", "two");

    Reply inbox = server.get("/v1/sandbox/sandbox/inbox?chat=bob");
    assertThat(inbox.json().get("items")).hasSize(1);
    assertThat(inbox.json().at("/items/0/text").asString()).isEqualTo("two");
  }

  @Test
  void the_257th_who_waits_for_the_end_of_a_message_is_told_why_not_and_nothing_is_sent()
      throws Exception {
    String later =
        "{\"account\":\"sandbox\",\"to\":\"a\",\"text\":\"x\",\"ordering\":\"none\","
            + "\"sendAt\":\"2099-01-01T00:00:00Z\"}";
    for (int i = 0; i < 256; i++) {
      server
          .client()
          .sendAsync(
              server
                  .request("/v1/messages?wait=60s", "Content-Type", "application/json")
                  .POST(BodyPublishers.ofString(later))
                  .build(),
              BodyHandlers.discarding());
    }
    while (stored() < 256) {
      Thread.onSpinWait();
    }

    Reply refused = server.post("/v1/messages?wait=60s", later);

    assertThat(refused.status()).isEqualTo(503);
    assertThat(refused.text("detail")).contains("the limit is 256");
    assertThat(refused.header("Retry-After")).isNotNull();
    assertThat(stored()).isEqualTo(256);
    assertThat(server.post("/v1/messages", later).status()).isEqualTo(202);
  }

  private long stored() {
    return server.postrider().list(MessageFilter.ALL, null, 500).items().size();
  }

  private String scheduled() {
    return server
        .post(
            "/v1/messages",
            "{\"account\":\"sandbox\",\"to\":\"a\",\"text\":\"x\","
                + "\"sendAt\":\"2099-01-01T00:00:00Z\"}")
        .text("id");
  }

  public static List<String> ids(Reply page) {
    return StreamSupport.stream(page.json().get("items").spliterator(), false)
        .map(item -> item.get("id").asString())
        .toList();
  }
}
