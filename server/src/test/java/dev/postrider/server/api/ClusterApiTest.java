package dev.postrider.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.channels.sandbox.SandboxChannel;
import dev.postrider.message.MessageId;
import dev.postrider.message.Status;
import dev.postrider.server.http.TestServer;
import dev.postrider.testkit.internal.postgres.PostgresServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Two servers on one database: whichever is asked, the answer is the same. */
@Timeout(300)
class ClusterApiTest {
  private static final String ACCOUNTS =
      """
      accounts:
        - { id: a, channel: sandbox }
        - { id: b, channel: sandbox }
        - { id: c, channel: sandbox }
        - { id: d, channel: sandbox }
      """;

  private final PostgresServer database = PostgresServer.shared();
  private final String store = database.newSchema();
  private TestServer one;
  private TestServer two;

  @BeforeEach
  void start() {
    one = start("one");
    two = start("two");
    while (works("two").size() < 2) {
      Thread.onSpinWait(); // its share is handed over
    }
  }

  private TestServer start(String node) {
    return TestServer.sharing(store, "cluster: { node: " + node + " }\n" + ACCOUNTS);
  }

  @AfterEach
  void stop() {
    one.close();
    two.close();
    database.drop(store);
  }

  private Set<String> works(String node) {
    Set<String> works = new TreeSet<>();
    for (JsonNode account : one.get("/v1/cluster").json().path("accounts")) {
      if (account.path("node").asString("").equals(node)) {
        works.add(account.path("id").asString());
      }
    }
    return works;
  }

  @Test
  void every_server_shows_the_whole_cluster() {
    for (TestServer asked : new TestServer[] {one, two}) {
      JsonNode cluster = asked.get("/v1/cluster").json();
      assertThat(cluster.path("shared").asBoolean()).isTrue();
      assertThat(cluster.path("node").asString()).isEqualTo(asked == one ? "one" : "two");
      assertThat(cluster.path("home").asString()).isIn("one", "two");
      assertThat(cluster.path("nodes")).hasSize(2);
      for (JsonNode node : cluster.path("nodes")) {
        assertThat(node.path("alive").asBoolean()).isTrue();
        assertThat(node.path("address").asString()).startsWith("http://127.0.0.1:");
        assertThat(node.path("accounts")).hasSize(2);
      }
      assertThat(cluster.path("accounts")).hasSize(4);
      assertThat(cluster.path("takeovers").isEmpty()).isFalse();
      assertThat(cluster.path("takeovers").valueStream().map(each -> each.path("why").asString()))
          .allMatch(why -> why.equals("nobody had worked it") || why.endsWith("handed it over"));
      assertThat(cluster.path("takeovers").path(0).path("died").asBoolean()).isFalse();
    }
  }

  @Test
  void every_server_shows_every_account_and_who_works_it() {
    for (TestServer asked : new TestServer[] {one, two}) {
      JsonNode accounts = asked.get("/v1/accounts").json().path("items");
      while (accounts
          .valueStream()
          .anyMatch(it -> it.path("health").asString().equals("starting"))) {
        accounts = asked.get("/v1/accounts").json().path("items"); // whoever took it has just begun
      }
      assertThat(accounts).hasSize(4);
      for (JsonNode account : accounts) {
        assertThat(account.path("health").asString()).isEqualTo("ready");
        assertThat(account.path("node").asString())
            .isEqualTo(works("one").contains(account.path("id").asString()) ? "one" : "two");
      }
    }
  }

  @Test
  void a_check_is_answered_by_whoever_works_the_account() {
    for (String account : Set.of("a", "b", "c", "d")) {
      for (TestServer asked : new TestServer[] {one, two}) {
        var check = asked.post("/v1/accounts/" + account + "/check", "");
        assertThat(check.status()).isEqualTo(200);
        assertThat(check.json().path("result").asString()).isEqualTo("healthy");
      }
    }
    assertThat(one.post("/v1/accounts/none/check", "").status()).isEqualTo(404);
  }

  @Test
  void a_login_is_answered_by_whoever_works_the_account_and_kept_by_nobody_on_the_way() {
    TestServer owner = works("one").contains("a") ? one : two;
    owner
        .postrider()
        .channel("sandbox")
        .ifPresent(sandbox -> ((SandboxChannel) sandbox).logOut("a"));
    for (TestServer asked : new TestServer[] {one, two}) {
      var login = asked.post("/v1/accounts/a/login", "{\"phone\":\"+49 151 0000\"}");
      assertThat(login.status()).isEqualTo(200);
      assertThat(login.text("state")).isEqualTo("failed"); // so the number was passed on as well
      assertThat(login.header("Cache-Control")).isEqualTo("no-store");
      JsonNode account = account(asked, "a");
      while (!account.path("needsLogin").asBoolean()) {
        account = account(asked, "a"); // until its owner's next sign of life
      }
      assertThat(account.path("reason").asString()).contains("postrider accounts login a");
    }
  }

  private static JsonNode account(TestServer asked, String id) {
    return asked
        .get("/v1/accounts")
        .json()
        .path("items")
        .valueStream()
        .filter(account -> account.path("id").asString().equals(id))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void a_message_is_awaited_and_seen_at_any_server() {
    for (String account : Set.of("a", "b", "c", "d")) {
      for (TestServer asked : new TestServer[] {one, two}) {
        var sent =
            asked.post(
                "/v1/messages?wait=20s",
                "{\"account\":\"%s\",\"to\":\"ann\",\"text\":\"hello\"}".formatted(account));
        assertThat(sent.status()).isEqualTo(200);
        assertThat(sent.json().path("status").asString()).isEqualTo("delivered");
      }
      assertThat(one.get("/v1/sandbox/" + account + "/inbox").json().path("items")).hasSize(2);
      assertThat(two.get("/v1/sandbox/" + account + "/inbox").json().path("items")).hasSize(2);
    }
  }

  @Test
  void a_message_that_came_in_at_one_server_is_handed_out_and_answered_at_any() {
    for (String account : Set.of("a", "b", "c", "d")) {
      one.post("/v1/sandbox/" + account + "/messages", "{\"chat\":\"ann\",\"text\":\"hello\"}");

      JsonNode item = two.lease("{\"wait\":\"20s\"}").json().at("/items/0");
      assertThat(item.at("/message/account").asString()).isEqualTo(account);
      assertThat(one.lease("{}").json().path("items")).isEmpty();
      var acked =
          one.post(
              "/v1/inbound/leases/" + item.path("leaseId").asString() + "/ack",
              "{\"replies\":[\"good day\"]}");

      String reply = acked.json().at("/replies/0/id").asString();
      var ended = two.postrider().await(MessageId.parse(reply), Duration.ofMinutes(5));
      assertThat(ended.orElseThrow().status()).isEqualTo(Status.DELIVERED);
    }
  }

  @Test
  void a_failure_that_one_server_hears_of_later_counts_in_the_run_that_the_other_leads() {
    String home = one.get("/v1/cluster").json().path("home").asString();
    String elsewhere = works(home.equals("one") ? "two" : "one").iterator().next();
    String reminder =
        one.post(
                "/v1/reminders",
                """
                { "name": "notice", "account": "%s", "timezone": "UTC", "window": "none",
                  "targets": [ { "to": "ann" }, { "to": "bob" } ],
                  "messages": [ { "text": "hello #bounce" } ] }
                """
                    .formatted(elsewhere))
            .text("id");

    var fired = two.post("/v1/reminders/" + reminder + "/fire", "");
    assertThat(fired.status()).as(fired.raw().body()).isEqualTo(202);
    String run = fired.text("id");

    for (TestServer asked : new TestServer[] {one, two}) {
      JsonNode seen = asked.get("/v1/runs/" + run).json();
      while (!seen.path("status").asString().equals("failed")) {
        seen = asked.get("/v1/runs/" + run).json(); // the sandbox says it two seconds later
      }
      assertThat(seen.path("failed").asInt()).isEqualTo(2);
      assertThat(seen.path("sent").asInt()).isZero();
    }
  }

  @Test
  void a_server_of_its_own_is_a_cluster_of_one(@TempDir Path dir) {
    try (TestServer alone = TestServer.start(dir)) {
      JsonNode cluster = alone.get("/v1/cluster").json();

      assertThat(cluster.path("shared").asBoolean()).isFalse();
      assertThat(cluster.path("nodes")).hasSize(1);
      assertThat(cluster.path("nodes").path(0).path("accounts").path(0).asString())
          .isEqualTo("sandbox");
      assertThat(cluster.path("home").asString()).isEqualTo(cluster.path("node").asString());
      assertThat(cluster.path("takeovers")).isEmpty();
    }
  }
}
