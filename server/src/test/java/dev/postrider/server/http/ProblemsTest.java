package dev.postrider.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.server.http.TestServer.Reply;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

@TestInstance(Lifecycle.PER_CLASS)
class ProblemsTest {
  private TestServer server;

  @BeforeAll
  void start(@TempDir Path dir) {
    server = TestServer.start(dir, "http: {bodyLimit: 2kb}\ndelivery: {maxLaneDepth: 1}");
  }

  @AfterAll
  void stop() {
    server.close();
  }

  @Test
  void a_malformed_body_is_told_with_its_position() {
    Reply reply =
        problem(400, server.post("/v1/messages", "{\"account\": \"sandbox\",\n \"to\" 1}"));

    assertThat(reply.text("detail")).contains("not JSON").contains("line 2, column");
  }

  @Test
  void a_body_that_is_no_object_or_goes_on_is_malformed() {
    problem(400, server.post("/v1/messages", "[]"));
    problem(400, server.post("/v1/messages", ""));
    problem(
        400,
        server.post("/v1/messages", "{\"account\":\"sandbox\",\"to\":\"a\",\"text\":\"x\"} {}"));
  }

  @Test
  void a_body_over_the_limit_is_refused_whether_it_says_its_length_or_not() {
    String large = "{\"text\": \"" + "x".repeat(3000) + "\"}";
    Reply told = problem(413, server.post("/v1/messages", large));
    assertThat(told.text("detail")).contains("2048 bytes", "http.bodyLimit");

    var chunked =
        BodyPublishers.fromPublisher(BodyPublishers.ofString(large)); // sent without a length
    problem(
        413,
        server.send(
            server.request("/v1/messages", "Content-Type", "application/json").POST(chunked)));
  }

  @Test
  void every_wrong_field_is_named_at_once() {
    Reply reply =
        problem(
            422,
            server.post(
                "/v1/messages",
                """
                {"to": 5, "txt": "hi", "format": "html", "silent": "no", "media": [{"uri": "x"}, 1],
                 "expiresIn": "soon", "sendAt": 12, "maxAttempts": 1.5, "metadata": [1], \
                "priority": {"a": 1}}
                """));

    assertThat(reply.json().get("errors").toString())
        .contains("{\"field\":\"account\",\"message\":\"is missing\"}")
        .contains("{\"field\":\"to\",\"message\":\"must be a text in quotes\"}")
        .contains("{\"field\":\"txt\",\"message\":\"is not known; did you mean 'text'?\"}")
        .contains("{\"field\":\"format\",\"message\":\"must be one of markdown, plain, native\"}")
        .contains("\"silent\"", "\"media[0].uri\"", "\"media[0].url\"", "\"expiresIn\"")
        .contains("\"sendAt\"", "\"maxAttempts\"", "\"metadata\"", "\"priority\"");
    assertThat(reply.text("detail")).contains("fields are wrong");
  }

  @Test
  void a_message_that_says_nothing_is_refused() {
    Reply reply =
        problem(422, server.post("/v1/messages", "{\"account\":\"sandbox\",\"to\":\"a\"}"));

    assertThat(reply.json().at("/errors/0/field").asString()).isEqualTo("text");
  }

  @Test
  void an_unknown_account_is_told_with_the_nearest_one() {
    Reply reply =
        problem(
            422,
            server.post("/v1/messages", "{\"account\":\"sandbax\",\"to\":\"a\",\"text\":\"x\"}"));

    assertThat(reply.json().at("/errors/0/field").asString()).isEqualTo("account");
    assertThat(reply.text("detail")).contains("sandbox");
  }

  @Test
  void a_full_queue_asks_to_come_back_later() {
    String body = "{\"account\":\"sandbox\",\"to\":\"full\",\"text\":\"x\"}";
    server.post("/v1/lanes/pause", "{\"account\":\"sandbox\",\"to\":\"full\"}");
    server.post("/v1/messages", body);

    Reply reply = problem(429, server.post("/v1/messages", body));
    assertThat(Integer.parseInt(reply.header("Retry-After"))).isPositive();
  }

  @Test
  void wrong_parameters_are_named() {
    assertThat(problem(422, server.get("/v1/messages?status=deliverd")).text("detail"))
        .contains("did you mean 'delivered'?");
    problem(422, server.get("/v1/messages?limit=0"));
    problem(422, server.get("/v1/messages?limit=many"));
    problem(400, server.get("/v1/messages?cursor=nonsense"));
    problem(422, server.get("/v1/dead-letters?status=queued"));
    problem(422, server.get("/v1/events?types=message.delivred"));
    problem(422, server.post("/v1/messages?wait=soon", "{}"));
    problem(422, server.post("/v1/messages?wait=2h", "{}"));
    problem(422, server.post("/v1/lanes/pause", "{\"account\":\"sandbox\"}"));
    problem(422, server.post("/v1/lanes/pause", "{\"account\":\"sandbox\",\"chat\":\"a\"}"));
    problem(400, server.post("/v1/lanes/pause", "{\"account\""));
  }

  @Test
  void an_unknown_query_parameter_is_refused_and_the_nearest_known_one_is_named() {
    Reply slip = problem(400, server.get("/v1/messages?acount=sandbox"));
    assertThat(slip.text("detail")).contains("'acount'", "did you mean 'account'?");
    assertThat(slip.json().at("/errors/0/field").asString()).isEqualTo("acount");

    for (String list :
        List.of(
            "/v1/messages",
            "/v1/dead-letters",
            "/v1/dead-letters/export",
            "/v1/accounts",
            "/v1/lanes",
            "/v1/reminders",
            "/v1/runs",
            "/v1/inbound",
            "/v1/sessions",
            "/v1/stats",
            "/v1/stats/history",
            "/v1/cluster",
            "/v1/channels",
            "/v1/events",
            "/v1/sandbox/sandbox/inbox")) {
      assertThat(problem(400, server.get(list + "?nonsense=1")).text("detail"))
          .as(list)
          .contains("'nonsense'");
    }
  }

  @Test
  void a_broken_cursor_is_refused_by_every_list() {
    for (String list :
        List.of(
            "/v1/messages",
            "/v1/dead-letters",
            "/v1/lanes",
            "/v1/reminders",
            "/v1/runs",
            "/v1/inbound",
            "/v1/sessions")) {
      for (String cursor : List.of("nonsense", "%00", "-", "a.b.c", "0199")) {
        assertThat(problem(400, server.get(list + "?cursor=" + cursor)).text("detail"))
            .as(list + " " + cursor)
            .startsWith("'cursor' must be");
      }
    }
  }

  @Test
  void an_unknown_path_or_thing_is_not_found() {
    String id = "0199aaaa-0000-7000-8000-000000000000";
    problem(404, server.get("/v1/nothing"));
    problem(404, server.get("/v1/messages/not-an-id"));
    problem(404, server.get("/v1/messages/" + id));
    problem(404, server.post("/v1/messages/" + id + "/cancel", ""));
    problem(404, server.get("/v1/dead-letters/" + id));
    problem(404, server.delete("/v1/dead-letters/" + id));
    problem(404, server.post("/v1/dead-letters/" + id + "/replay", ""));
    problem(404, server.post("/v1/accounts/nobody/pause", ""));
    problem(404, server.post("/v1/accounts/nobody/check", ""));
  }

  @Test
  void a_wrong_method_is_told_the_right_ones() {
    assertThat(problem(405, server.delete("/v1/messages")).header("Allow"))
        .isEqualTo("GET, HEAD, POST");
    assertThat(problem(405, server.get("/v1/accounts/sandbox/pause")).header("Allow"))
        .isEqualTo("POST");
  }

  @Test
  void a_wrong_content_type_is_told_the_right_one() {
    Reply reply =
        problem(
            415,
            server.send(
                server
                    .request("/v1/messages", "Content-Type", "application/x-www-form-urlencoded")
                    .POST(BodyPublishers.ofString("a=b"))));

    assertThat(reply.text("detail")).contains("send application/json");
  }

  @Test
  void what_is_not_even_http_is_answered_in_the_same_format() throws IOException {
    String answer = server.raw("GET /\u0001 HTTP/1.1\r\nHost: localhost\r\n\r\n");

    assertThat(answer).startsWith("HTTP/1.1 400").contains("application/problem+json");
    assertThat(answer).doesNotContain("Exception");
  }

  private static Reply problem(int status, Reply reply) {
    assertThat(reply.status()).as(reply.raw().body()).isEqualTo(status);
    assertThat(reply.header("Content-Type")).isEqualTo("application/problem+json");
    assertThat(reply.text("type")).startsWith("urn:postrider:problem:");
    assertThat(reply.text("title")).isNotBlank();
    assertThat(reply.json().get("status").asInt()).isEqualTo(status);
    assertThat(reply.text("detail")).isNotBlank().doesNotContain("Exception");
    return reply;
  }
}
