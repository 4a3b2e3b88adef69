package dev.postrider.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.event.Event;
import dev.postrider.message.MessageId;
import dev.postrider.server.http.TestServer.Reply;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Programs that ask for inbound messages, and tell the results. */
class LeasesTest {
  private TestServer server;

  @BeforeEach
  void start(@TempDir Path dir) {
    server = TestServer.start(dir, "inbound: { backoff: [1ms], jitter: 0, maxAttempts: 3 }");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private List<JsonNode> leased(String wish) {
    Reply reply = server.lease(wish);
    assertThat(reply.status()).as(reply.raw().body()).isEqualTo(200);
    return reply.json().path("items").valueStream().toList();
  }

  private static String id(JsonNode item) {
    return item.path("leaseId").asString();
  }

  private Reply say(JsonNode item, String verb, String body) {
    return server.post("/v1/inbound/leases/" + id(item) + "/" + verb, body);
  }

  @Test
  void a_message_is_handed_out_with_its_turn_until_its_lease_runs_out() {
    server.hear("ann", "hello");
    Instant before = Instant.now();

    JsonNode item = leased("{\"leaseFor\":\"30s\"}").getFirst();

    assertThat(item.path("attempt").asInt()).isEqualTo(1);
    assertThat(Instant.parse(item.path("expiresAt").asString()))
        .isBetween(before.plusSeconds(29), Instant.now().plusSeconds(30));
    JsonNode message = item.path("message");
    assertThat(message.path("id")).isEqualTo(item.path("turnId"));
    assertThat(message.path("text").asString()).isEqualTo("hello");
    assertThat(message.path("sessionId").asString()).isEqualTo("sandbox/ann");
    assertThat(message.path("status").asString()).isEqualTo("leased");
    assertThat(leased("{}")).isEmpty();
  }

  @Test
  void sessions_are_handed_out_side_by_side_and_each_one_in_order() {
    server.hear("ann", "1");
    server.hear("ann", "2");
    server.hear("bob", "3");

    List<JsonNode> first = leased("{\"max\":10}");
    assertThat(first.stream().map(item -> item.at("/message/text").asString()))
        .containsExactlyInAnyOrder("1", "3");
    assertThat(leased("{}")).isEmpty();

    for (JsonNode item : first) {
      assertThat(say(item, "ack", "").status()).isEqualTo(200);
    }
    assertThat(leased("{}"))
        .singleElement()
        .satisfies(item -> assertThat(item.at("/message/text").asString()).isEqualTo("2"));
  }

  @Test
  void only_as_many_as_wanted_and_only_of_the_accounts_asked_for() {
    server.hear("ann", "1");
    server.hear("bob", "2");

    assertThat(leased("{\"max\":1,\"accounts\":[\"sandbox\"]}")).hasSize(1);
    assertThat(server.lease("{\"accounts\":[\"sandbax\"]}").status()).isEqualTo(422);
  }

  @Test
  void replies_go_to_where_the_message_came_from_and_are_stored_with_the_ack() {
    server.post(
        "/v1/sandbox/sandbox/messages",
        "{\"chat\":\"team\",\"sender\":\"ann\",\"threadId\":\"7\",\"text\":\"who is there?\"}");
    JsonNode item = leased("{}").getFirst();

    Reply acked =
        say(item, "ack", "{\"replies\":[\"me\",{\"text\":\"and me\",\"replyToId\":\"\"}]}");

    assertThat(acked.status()).isEqualTo(200);
    JsonNode quoted = ended(acked.json().at("/replies/0/id").asString());
    assertThat(quoted.path("status").asString()).isEqualTo("delivered");
    assertThat(quoted.path("to").asString()).isEqualTo("team");
    assertThat(quoted.path("threadId").asString()).isEqualTo("7");
    assertThat(quoted.path("replyToId")).isEqualTo(item.at("/message/messageId"));
    assertThat(quoted.path("turnId")).isEqualTo(item.path("turnId"));
    assertThat(quoted.path("sessionId").asString()).isEqualTo("sandbox/team/7");
    JsonNode plain = ended(acked.json().at("/replies/1/id").asString());
    assertThat(plain.path("replyToId").isNull()).isTrue();
  }

  private JsonNode ended(String id) {
    server.postrider().await(MessageId.parse(id), Duration.ofMinutes(5));
    return server.get("/v1/messages/" + id).json();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"replies\":[{\"text\":\"x\",\"to\":\"bob\"}]}|replies[0].to",
        "{\"replies\":[\"fine\",{\"txt\":\"x\"}]}|replies[1].txt",
        "{\"replies\":[{}]}|replies[0].text",
        "{\"replies\":[7]}|replies[0]",
        "{\"replies\":\"x\"}|replies",
        "{\"reply\":[\"x\"]}|reply"
      })
  void a_wrong_reply_is_refused_by_name_and_the_message_stays_leased(String bodyAndField) {
    server.hear("ann", "hello");
    JsonNode item = leased("{}").getFirst();
    String[] given = bodyAndField.split("\\|");

    Reply refused = say(item, "ack", given[0]);

    assertThat(refused.status()).isEqualTo(422);
    assertThat(refused.json().at("/errors/0/field").asString()).isEqualTo(given[1]);
    assertThat(say(item, "ack", "").status()).isEqualTo(200);
  }

  @Test
  void a_reply_whose_key_was_used_for_other_content_refuses_the_ack() {
    server.post(
        "/v1/messages",
        "{\"account\":\"sandbox\",\"to\":\"ann\",\"text\":\"one\",\"idempotencyKey\":\"k\"}");
    server.hear("ann", "hello");
    JsonNode item = leased("{}").getFirst();

    Reply refused =
        say(item, "ack", "{\"replies\":[\"fine\",{\"text\":\"two\",\"idempotencyKey\":\"k\"}]}");

    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.json().path("detail").asString()).contains("'k' was used for message");
    assertThat(server.get("/v1/turns/" + item.path("turnId").asString()).json().path("messages"))
        .isEmpty();
    assertThat(say(item, "ack", "").status()).isEqualTo(200);
  }

  @Test
  void a_message_under_a_lease_that_is_over_is_refused() {
    server.hear("ann", "hello");
    JsonNode lost = leased("{}").getFirst();
    say(lost, "nack", "{\"delay\":\"0s\"}");
    JsonNode held = leased("{}").getFirst();
    String message = "{\"text\":\"hi\",\"turnId\":\"%s\",\"leaseId\":\"%s\"}";
    String turn = lost.path("turnId").asString();

    Reply refused =
        server.post("/v1/messages", message.formatted(turn, lost.path("leaseId").asString()));

    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.json().path("detail").asString()).contains("is not the sender's");
    assertThat(
            server
                .post("/v1/messages", message.formatted(turn, held.path("leaseId").asString()))
                .status())
        .isEqualTo(202);
    assertThat(server.post("/v1/messages", message.formatted(turn, "x")).status()).isEqualTo(422);
  }

  @Test
  void a_message_given_back_comes_again_and_is_a_dead_letter_after_its_attempts() {
    server.hear("ann", "hello");

    for (int attempt = 1; attempt <= 3; attempt++) {
      JsonNode item = leased("{\"wait\":\"10s\"}").getFirst();
      assertThat(item.path("attempt").asInt()).isEqualTo(attempt);
      assertThat(say(item, "nack", "{\"error\":\"no model\"}").status()).isEqualTo(204);
    }

    JsonNode dead = server.get("/v1/inbound?status=failed").json().at("/items/0");
    assertThat(dead.path("attempts").asInt()).isEqualTo(3);
    assertThat(dead.path("error").asString()).isEqualTo("no model");
    assertThat(dead.path("turn").asString()).isEqualTo("failed");
    JsonNode history =
        server.get("/v1/inbound/" + dead.path("id").asString()).json().path("history");
    assertThat(history.valueStream().map(note -> note.path("attempt").asInt()))
        .containsExactly(1, 2, 3);
    assertThat(history.at("/0/nextAt").isNull()).isFalse();
    assertThat(history.at("/2/nextAt").isNull()).isTrue();
  }

  @Test
  void a_delay_of_ones_own_is_waited_for() {
    server.hear("ann", "hello");
    JsonNode item = leased("{}").getFirst();

    say(item, "nack", "{\"delay\":\"1h\"}");

    assertThat(leased("{}")).isEmpty();
    JsonNode waiting = server.get("/v1/inbound?status=pending").json().at("/items/0");
    assertThat(Instant.parse(waiting.path("dueAt").asString()))
        .isAfter(Instant.now().plus(Duration.ofMinutes(59)));
  }

  @Test
  void a_lease_is_extended_from_now_on() {
    server.hear("ann", "hello");
    JsonNode item = leased("{\"leaseFor\":\"1s\"}").getFirst();

    Reply extended = say(item, "extend", "{\"leaseFor\":\"1h\"}");

    assertThat(Instant.parse(extended.text("expiresAt")))
        .isAfter(Instant.now().plus(Duration.ofMinutes(59)));
  }

  @Test
  void a_lease_that_is_not_ones_own_any_more_is_a_conflict() {
    server.hear("ann", "hello");
    JsonNode item = leased("{}").getFirst();
    say(item, "nack", "{}");
    JsonNode again = leased("{\"wait\":\"10s\"}").getFirst();

    for (String verb : List.of("ack", "nack", "extend")) {
      assertThat(say(item, verb, "").status()).as(verb).isEqualTo(409);
      for (String lease : List.of(UUID.randomUUID().toString(), "nonsense")) {
        Reply unknown = server.post("/v1/inbound/leases/" + lease + "/" + verb, "");
        assertThat(unknown.status()).as(verb).isEqualTo(409);
      }
    }
    assertThat(say(item, "ack", "{\"replies\":[\"late\"]}").status()).isEqualTo(409);
    assertThat(say(again, "ack", "").status()).isEqualTo(200);
    assertThat(server.get("/v1/messages").json().path("items")).isEmpty();
  }

  @Test
  void a_lease_that_runs_out_gives_the_message_back() {
    CompletableFuture<Event.InboundRetrying> given = server.next(Event.InboundRetrying.class);
    server.hear("ann", "hello");
    JsonNode item = leased("{\"leaseFor\":\"1s\"}").getFirst();

    assertThat(given.join().error()).contains("lease expired without an answer");
    JsonNode shown = server.get("/v1/inbound/" + item.path("turnId").asString()).json();
    assertThat(shown.path("status").asString()).isEqualTo("pending");
    assertThat(shown.at("/history/0/error").asString()).contains("lease expired without an answer");
    assertThat(say(item, "ack", "").status()).isEqualTo(409);
  }

  @Test
  void whoever_waits_is_answered_when_somebody_writes() throws Exception {
    CompletableFuture<List<JsonNode>> waiting =
        CompletableFuture.supplyAsync(() -> leased("{\"wait\":\"60s\"}"));
    server.hear("ann", "hello");

    assertThat(waiting.get(5, TimeUnit.MINUTES)).hasSize(1);
  }

  @Test
  void whoever_waits_in_vain_is_told_that_there_is_nothing() {
    assertThat(leased("{\"wait\":\"100ms\"}")).isEmpty();
  }

  @Test
  void whoever_waits_is_let_go_when_the_server_stops() throws Exception {
    try (Socket socket = waiting()) {
      CompletableFuture<Void> stopped = CompletableFuture.runAsync(server::close);

      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

      assertThat(answer).contains("{\"items\":[]}");
      stopped.get(5, TimeUnit.MINUTES);
    }
  }

  @Test
  void whoever_hangs_up_keeps_no_message() throws Exception {
    Socket gone = waiting();
    gone.setSoLinger(true, 0); // a reset, which the other side learns of at once
    gone.close();

    server.hear("ann", "hello");

    assertThat(leased("{\"wait\":\"20s\"}")).hasSize(1); // the lease was for a minute
  }

  /** A connection of somebody who waits, and whose answer has begun. */
  private Socket waiting() throws Exception {
    Socket socket = new Socket("127.0.0.1", server.port());
    socket.setSoTimeout(300_000);
    String body = "{\"wait\":\"60s\"}";
    String request =
        "POST /v1/inbound/lease HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
            + "Content-Type: application/json\r\nContent-Length: "
            + body.length()
            + "\r\n\r\n"
            + body;
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    InputStream in = socket.getInputStream();
    assertThat(in.read()).isEqualTo('H');
    return socket;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"max\":0}",
        "{\"max\":1001}",
        "{\"wait\":\"61s\"}",
        "{\"wait\":5}",
        "{\"leaseFor\":\"500ms\"}",
        "{\"leaseFor\":\"13h\"}",
        "{\"accounts\":\"sandbox\"}",
        "{\"maximum\":1}"
      })
  void a_wrong_wish_is_refused_by_name(String wish) {
    Reply refused = server.lease(wish);

    assertThat(refused.status()).isEqualTo(422);
    assertThat(wish).contains("\"" + refused.json().at("/errors/0/field").asString() + "\"");
  }
}
