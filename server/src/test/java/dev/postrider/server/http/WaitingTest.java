package dev.postrider.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.event.Event;
import dev.postrider.server.http.TestServer.Reply;
import dev.postrider.view.WaitingFor;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** What waits, added up, and the lanes that wait for one thing. */
class WaitingTest {
  private TestServer server;

  @BeforeEach
  void start(@TempDir Path dir) {
    server = TestServer.start(dir);
    pause("ann", "on holiday");
    pause("bob", "on holiday");
    pause("eve", "moved away");
    for (String chat : new String[] {"ann", "ann", "bob", "eve"}) {
      send(chat, "");
    }
    send("later", ",\"sendAt\":\"2990-01-01T00:00:00Z\"");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private void pause(String chat, String reason) {
    server.post(
        "/v1/lanes/pause",
        "{\"account\":\"sandbox\",\"to\":\"%s\",\"reason\":\"%s\"}".formatted(chat, reason));
  }

  private void send(String chat, String more) {
    String body = "{\"account\":\"sandbox\",\"to\":\"%s\",\"text\":\"x\"%s}".formatted(chat, more);
    assertThat(server.post("/v1/messages", body).status()).isEqualTo(202);
  }

  private static String line(JsonNode item) {
    return "%s %s %d in %s"
        .formatted(
            item.get("kind").asString(),
            item.get("cause").isNull() ? "-" : item.get("cause").asString(),
            item.get("messages").asInt(),
            item.get("lanes").isNull() ? "-" : item.get("lanes").asString());
  }

  @Test
  void what_waits_is_added_up_by_kind_and_cause_the_longest_waiting_first() {
    Reply waiting = server.get("/v1/waiting");

    assertThat(waiting.json().get("items").valueStream().map(WaitingTest::line))
        .containsExactly(
            "lanePaused on holiday 2 in 2",
            "lanePaused moved away 1 in 1",
            "sendAt - 1 in 1",
            "behind - 1 in -");
    assertThat(waiting.json().get("total").asInt()).isEqualTo(5);
    assertThat(waiting.json().get("complete").asBoolean()).isTrue();
    assertThat(waiting.text("oldestAt"))
        .isEqualTo(waiting.json().at("/items/0/oldestAt").asString());
  }

  @Test
  void one_kind_or_one_account_can_be_asked_for() {
    assertThat(server.get("/v1/waiting?kind=sendAt").json().get("total").asInt()).isEqualTo(1);
    assertThat(server.get("/v1/waiting?account=sandbox").json().get("total").asInt()).isEqualTo(5);
    assertThat(server.get("/v1/waiting?account=nobody").json().get("items")).isEmpty();
    assertThat(server.get("/v1/waiting?kind=lanePausd").text("detail")).contains("'lanePaused'");

    server.post("/v1/accounts/sandbox/pause", "{\"reason\":\"maintenance\"}");
    assertThat(server.get("/v1/waiting").json().get("items").valueStream().map(WaitingTest::line))
        .containsExactly("accountPaused maintenance 5 in 4");
  }

  @Test
  void every_kind_can_be_asked_for() {
    assertThat(WaitingFor.KINDS).hasSize(WaitingFor.class.getPermittedSubclasses().length);
    for (String kind : WaitingFor.KINDS) {
      assertThat(server.get("/v1/waiting?kind=" + kind).status()).isEqualTo(200);
    }
  }

  @Test
  void a_reserved_kind_can_be_asked_for_and_nothing_waits_for_it() {
    assertThat(server.get("/v1/waiting?kind=quietHours").json().get("items")).isEmpty();
    assertThat(server.get("/v1/lanes?waitingFor=quietHours").json().get("items")).isEmpty();
  }

  @Test
  void lanes_are_found_by_chat_and_by_what_they_wait_for() {
    Reply ann = server.get("/v1/lanes?to=ann");
    assertThat(ann.json().get("items")).hasSize(1);
    assertThat(ann.json().at("/items/0/depth").asInt()).isEqualTo(2);
    assertThat(ann.json().at("/items/0/headId").isNull()).isFalse();
    assertThat(server.get("/v1/lanes?account=sandbox&to=nobody").json().get("items")).isEmpty();

    Reply paused = server.get("/v1/lanes?waitingFor=lanePaused&limit=2");
    assertThat(paused.json().get("items")).hasSize(2);
    assertThat(paused.json().get("scanned").asInt()).isEqualTo(2);
    Reply rest =
        server.get("/v1/lanes?waitingFor=lanePaused&limit=2&cursor=" + paused.text("next"));
    assertThat(rest.json().get("items").valueStream().map(lane -> lane.get("to").asString()))
        .containsExactly("eve");
    assertThat(server.get("/v1/lanes?waitingFor=retry").json().get("items")).isEmpty();
    assertThat(server.get("/v1/lanes?waitingFor=nothing").status()).isEqualTo(422);
  }

  @Test
  void messages_are_found_and_cancelled_by_what_they_wait_for_and_why() {
    CompletableFuture<Event.Retrying> tried = server.next(Event.Retrying.class);
    server.post("/v1/messages", "{\"account\":\"sandbox\",\"to\":\"flo\",\"text\":\"#flaky\"}");
    tried.join();
    send("flo", "");
    assertThat(chats("/v1/messages?waitingFor=lanePaused&cause=on+holiday"))
        .containsExactlyInAnyOrder("ann", "ann", "bob");
    assertThat(chats("/v1/messages?waitingFor=retry&account=sandbox")).containsExactly("flo");
    assertThat(chats("/v1/messages?waitingFor=behind")).containsExactly("flo");
    assertThat(chats("/v1/messages?waitingFor=sendAt&account=sandbox")).containsExactly("later");
    assertThat(chats("/v1/messages?waitingFor=unreachable")).isEmpty();
    Reply first = server.get("/v1/messages?waitingFor=lanePaused&limit=1");
    assertThat(first.json().get("items")).hasSize(1);
    assertThat(first.json().get("scanned").asInt()).isPositive();
    assertThat(chats("/v1/messages?waitingFor=lanePaused&cursor=" + first.text("next"))).hasSize(3);
    assertThat(server.get("/v1/messages?waitingFor=lanePaused&status=failed").status())
        .isEqualTo(422);
    assertThat(server.get("/v1/messages?waitingFor=lanePausd").text("detail"))
        .contains("'lanePaused'");

    String body = "{\"waitingFor\":\"sendAt\",\"account\":\"sandbox\"}";
    assertThat(server.post("/v1/messages/cancel", body).json().get("done").asInt()).isEqualTo(1);
    assertThat(chats("/v1/messages?status=queued"))
        .as("the others are not what was asked for")
        .contains("ann", "bob", "eve")
        .doesNotContain("later");
  }

  private List<String> chats(String path) {
    return server
        .get(path)
        .json()
        .get("items")
        .valueStream()
        .map(one -> one.get("to").asString())
        .toList();
  }
}
