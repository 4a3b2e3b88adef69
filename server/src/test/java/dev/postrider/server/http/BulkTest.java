package dev.postrider.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.server.http.TestServer.Reply;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Doing the same to many messages and lanes with one request. */
class BulkTest {
  private TestServer server;

  @BeforeEach
  void start(@TempDir Path dir) {
    server = TestServer.start(dir);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  /** Messages that wait, each in a lane of its own. */
  private List<String> waiting(int count) {
    server.post("/v1/accounts/sandbox/pause", "");
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      ids.add(send("chat-" + i));
    }
    return ids;
  }

  private String send(String chat) {
    return server
        .post("/v1/messages", "{\"account\":\"sandbox\",\"to\":\"" + chat + "\",\"text\":\"x\"}")
        .text("id");
  }

  private String status(String id) {
    return server.get("/v1/messages/" + id).text("status");
  }

  private static int number(Reply reply, String field) {
    return reply.json().get(field).asInt();
  }

  @Test
  void those_that_match_are_cancelled_a_few_at_a_time_after_a_look() {
    List<String> ids = waiting(5);

    Reply look = server.post("/v1/messages/cancel", "{\"account\":\"sandbox\",\"dryRun\":true}");
    assertThat(number(look, "matched")).isEqualTo(5);
    assertThat(number(look, "done")).isZero();
    assertThat(status(ids.getFirst())).isEqualTo("queued");

    Reply some = server.post("/v1/messages/cancel", "{\"account\":\"sandbox\",\"limit\":3}");
    assertThat(number(some, "matched")).isEqualTo(3);
    assertThat(number(some, "done")).isEqualTo(3);
    assertThat(some.json().get("more").asBoolean()).isTrue();
    Reply rest =
        server.post(
            "/v1/messages/cancel",
            "{\"account\":\"sandbox\",\"cursor\":\"" + some.text("next") + "\"}");
    assertThat(number(rest, "done")).isEqualTo(2);
    assertThat(rest.json().get("more").asBoolean()).isFalse();
    assertThat(ids).allSatisfy(id -> assertThat(status(id)).isEqualTo("cancelled"));
  }

  @Test
  void those_that_are_named_are_cancelled_and_it_is_told_why_others_are_not() {
    String sent = server.say("ann", "x").text("id");
    String waits = waiting(1).getFirst();
    String unknown = UUID.randomUUID().toString();

    Reply reply =
        server.post(
            "/v1/messages/cancel",
            "{\"ids\":[\"%s\",\"%s\",\"%s\"]}".formatted(sent, waits, unknown));

    assertThat(number(reply, "matched")).isEqualTo(1);
    assertThat(number(reply, "done")).isEqualTo(1);
    assertThat(reply.json().at("/refused/0/id").asString()).isEqualTo(sent);
    assertThat(reply.json().at("/refused/0/reason").asString()).contains("delivered");
    assertThat(reply.json().at("/refused/1/id").asString()).isEqualTo(unknown);
    assertThat(status(waits)).isEqualTo("cancelled");
  }

  @Test
  void what_stands_first_is_tried_now_and_what_stands_behind_it_is_refused_once() {
    server.post("/v1/accounts/sandbox/pause", "");
    send("ann");
    String behind = send("ann");

    Reply reply = server.post("/v1/messages/retry", "{\"to\":\"ann\",\"account\":\"sandbox\"}");

    assertThat(number(reply, "matched")).isEqualTo(2);
    assertThat(number(reply, "done")).isEqualTo(1);
    assertThat(reply.json().at("/refused/0/id").asString()).isEqualTo(behind);
    assertThat(reply.json().get("more").asBoolean()).isFalse();
  }

  @Test
  void everything_is_meant_only_if_that_is_said() {
    waiting(2);

    for (String path : List.of("/v1/messages/cancel", "/v1/messages/retry")) {
      Reply reply = server.post(path, "{}");
      assertThat(reply.status()).isEqualTo(422);
      assertThat(reply.json().at("/errors/0/field").asString()).isEqualTo("all");
    }
    assertThat(server.post("/v1/dead-letters/discard", "").status()).isEqualTo(422);
    assertThat(server.post("/v1/messages/cancel", "{\"ids\":[],\"account\":\"sandbox\"}").status())
        .isEqualTo(422);
    assertThat(server.post("/v1/messages/cancel", "{\"status\":\"delivered\"}").status())
        .isEqualTo(422);
    assertThat(server.post("/v1/messages/cancel", "{\"acount\":\"sandbox\"}").text("detail"))
        .contains("account");
    assertThat(server.post("/v1/messages/cancel", "{\"all\":true,\"cursor\":\"x\"}").status())
        .isEqualTo(400);

    assertThat(number(server.post("/v1/messages/cancel", "{\"all\":true}"), "done")).isEqualTo(2);
  }

  @Test
  void dead_letters_are_discarded_and_replayed_by_filter_and_by_name() {
    String first = server.say("ann", "1 #fail").text("id");
    String second = server.say("bob", "2 #fail").text("id");
    String third = server.say("eve", "3 #fail").text("id");

    Reply replayed =
        server.post(
            "/v1/dead-letters/replay", "{\"ids\":[\"%s\",\"%s\"]}".formatted(second, first));
    assertThat(number(replayed, "done")).isEqualTo(2);
    assertThat(replayed.json().get("more").asBoolean()).isFalse();
    assertThat(
            server.get("/v1/messages/" + replayed.json().at("/ids/0").asString()).text("replayOf"))
        .isIn(first, second); // lanes go side by side

    assertThat(number(server.post("/v1/dead-letters/discard", "{\"to\":\"eve\"}"), "done"))
        .isEqualTo(1);
    assertThat(server.get("/v1/messages/" + third).status()).isEqualTo(404);
    assertThat(server.get("/v1/messages/" + first).status()).isEqualTo(200);
  }

  @Test
  void several_lanes_are_paused_and_resumed_at_once() {
    String lanes =
        """
        {"lanes":[{"account":"sandbox","to":"ann"},{"account":"sandbox","to":"bob"},
        {"account":"nobody","to":"eve"}]}""";

    Reply paused = server.post("/v1/lanes/pause", lanes);

    assertThat(number(paused, "done")).isEqualTo(2);
    assertThat(paused.json().at("/items/1/to").asString()).isEqualTo("bob");
    assertThat(paused.json().at("/refused/0/account").asString()).isEqualTo("nobody");
    assertThat(server.get("/v1/lanes?state=paused").json().get("items")).hasSize(2);
    assertThat(number(server.post("/v1/lanes/resume", lanes), "done")).isEqualTo(2);
    assertThat(server.get("/v1/lanes?state=paused").json().get("items")).isEmpty();

    assertThat(server.post("/v1/lanes/pause", "{\"lanes\":[]}").status()).isEqualTo(422);
    assertThat(server.post("/v1/lanes/pause", "{\"lanes\":[{\"to\":\"ann\"}]}").text("detail"))
        .contains("lanes[0].account");
    assertThat(server.post("/v1/lanes/pause", "{\"account\":\"sandbox\",\"lanes\":[]}").status())
        .isEqualTo(422);
  }

  @Test
  void lanes_are_paused_and_resumed_by_what_they_wait_for_a_few_at_a_time_after_a_look() {
    waiting(5);
    server.post("/v1/lanes/pause", "{\"account\":\"sandbox\",\"to\":\"elsewhere\"}");
    String filter = "\"waitingFor\":\"accountPaused\",\"account\":\"sandbox\"";

    Reply look = server.post("/v1/lanes/pause", "{" + filter + ",\"dryRun\":true}");
    assertThat(number(look, "matched")).isEqualTo(5);
    assertThat(number(look, "messages")).isEqualTo(5);
    assertThat(number(look, "done")).isZero();

    String why = ",\"reason\":\"too many\"";
    Reply some = server.post("/v1/lanes/pause", "{" + filter + why + ",\"limit\":3}");
    assertThat(number(some, "done")).isEqualTo(3);
    assertThat(some.json().get("more").asBoolean()).isTrue();
    Reply rest =
        server.post(
            "/v1/lanes/pause", "{" + filter + why + ",\"cursor\":\"" + some.text("next") + "\"}");
    assertThat(number(rest, "done")).isEqualTo(2);
    assertThat(rest.json().get("more").asBoolean()).isFalse();
    server.post("/v1/accounts/sandbox/resume", "");
    assertThat(server.get("/v1/lanes?waitingFor=lanePaused&cause=too+many").json().get("items"))
        .hasSize(5);

    Reply resumed = server.post("/v1/lanes/resume", "{\"cause\":\"too many\"}");
    assertThat(number(resumed, "done")).isEqualTo(5);
    assertThat(server.get("/v1/lanes?state=paused").json().get("items")).hasSize(1);
  }

  @Test
  void lanes_are_tried_now_and_emptied_by_filter_and_by_name() {
    List<String> ids = waiting(3);
    String behind = send("chat-0");
    String lane = "{\"lanes\":[{\"account\":\"sandbox\",\"to\":\"%s\"}]}";
    assertThat(number(server.post("/v1/lanes/retry", lane.formatted("chat-1")), "done"))
        .isEqualTo(1);
    Reply nobody = server.post("/v1/lanes/retry", lane.formatted("nobody"));
    assertThat(nobody.json().at("/refused/0/reason").asString()).contains("no message waits");
    assertThat(number(server.post("/v1/lanes/retry", "{\"state\":\"waiting\"}"), "done"))
        .isEqualTo(3);

    Reply look =
        server.post("/v1/lanes/cancel", "{\"waitingFor\":\"accountPaused\",\"dryRun\":true}");
    assertThat(number(look, "lanes")).isEqualTo(3);
    assertThat(number(look, "matched")).isEqualTo(4);
    Reply other = server.post("/v1/lanes/cancel", "{\"waitingFor\":\"retry\"}");
    assertThat(number(other, "done")).isZero();
    assertThat(number(server.post("/v1/lanes/cancel", lane.formatted("chat-0")), "done"))
        .isEqualTo(2);
    assertThat(status(behind)).isEqualTo("cancelled");
    Reply rest = server.post("/v1/lanes/cancel", "{\"account\":\"sandbox\",\"all\":true}");
    assertThat(number(rest, "done")).isEqualTo(2);
    assertThat(ids).allSatisfy(id -> assertThat(status(id)).isEqualTo("cancelled"));
  }

  @Test
  void a_lane_that_is_too_long_for_one_request_is_where_the_next_goes_on() {
    waiting(2);
    for (int i = 0; i < 250; i++) {
      send("chat-1");
    }
    String body = "{\"all\":true,\"limit\":100}";

    Reply first = server.post("/v1/lanes/cancel", body);
    assertThat(first.json().get("more").asBoolean()).isTrue();
    int done = number(first, "done");
    for (Reply next = first; next.json().get("more").asBoolean(); done += number(next, "done")) {
      String from = next.text("next") == null ? "" : ",\"cursor\":\"" + next.text("next") + "\"";
      next = server.post("/v1/lanes/cancel", body.replace("}", from + "}"));
    }

    assertThat(done).isEqualTo(252);
    assertThat(server.get("/v1/lanes").json().get("items")).isEmpty();
  }

  @Test
  void all_lanes_are_meant_only_if_that_is_said() {
    waiting(2);
    for (String verb : List.of("pause", "resume", "retry", "cancel")) {
      for (String body : List.of("{}", "{\"account\":\"sandbox\"}")) {
        Reply reply = server.post("/v1/lanes/" + verb, body);
        assertThat(reply.status()).isEqualTo(422);
        assertThat(reply.json().at("/errors/0/field").asString()).isEqualTo("all");
      }
      assertThat(server.post("/v1/lanes/" + verb, "{\"waitingFor\":\"retri\"}").text("detail"))
          .contains("'retry'");
    }
  }

  @Test
  void the_audit_trail_tells_how_many_it_was() {
    List<String> ids = waiting(12);

    server.post("/v1/messages/cancel", "{\"ids\":[\"" + String.join("\",\"", ids) + "\"]}");

    assertThat(server.get("/v1/audit").json().at("/items/0/action").asString())
        .isEqualTo("messages cancel");
    assertThat(server.get("/v1/audit").json().at("/items/0/target").asString())
        .isEqualTo("(ids: 12 of them, matched: 12, done: 12)");
  }
}
