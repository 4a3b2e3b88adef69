package dev.postrider.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.config.ClusterSettings;
import dev.postrider.internal.engine.StoreAccess;
import dev.postrider.reminder.config.ReminderSettings;
import dev.postrider.reminder.run.Reminders;
import dev.postrider.server.api.EngineState;
import dev.postrider.server.api.EventRing;
import dev.postrider.server.api.HealthCheck;
import dev.postrider.server.api.Metrics;
import dev.postrider.server.config.HealthSettings;
import dev.postrider.server.config.HttpSettings;
import dev.postrider.server.http.TestServer.Reply;
import dev.postrider.sqlite.SqliteStoreProvider;
import dev.postrider.store.Store;
import dev.postrider.store.history.QueueMinute;
import dev.postrider.time.SystemScheduler;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

class OperatingTest {
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
  void an_account_is_paused_resumed_and_checked() {
    Reply paused = server.post("/v1/accounts/sandbox/pause", "{\"reason\":\"holiday\"}");
    assertThat(paused.text("health")).isEqualTo("paused");
    assertThat(paused.text("reason")).contains("holiday");
    assertThat(server.get("/v1/accounts").json().at("/items/0/health").asString())
        .isEqualTo("paused");

    assertThat(server.post("/v1/accounts/sandbox/resume", "").text("health")).isEqualTo("ready");
    assertThat(server.post("/v1/accounts/sandbox/check", "").text("result")).isEqualTo("healthy");
  }

  @Test
  void an_account_tells_its_pace_and_what_is_made_of_it(@TempDir Path dir) {
    String accounts =
        """
        accounts:
          - id: slow
            channel: sandbox
            pace: {perMinute: 40, burst: 5, concurrency: 3, chat: {perSecond: 1}}
          - {id: phone, channel: sandbox, pairing: 5s}
        """;
    try (TestServer paced = TestServer.start(dir, accounts)) {
      JsonNode items = paced.get("/v1/accounts").json().get("items");
      JsonNode slow = items.path(1);
      assertThat(slow.at("/pace/perMinute").asInt()).isEqualTo(40);
      assertThat(slow.at("/pace/burst").asInt()).isEqualTo(5);
      assertThat(slow.at("/pace/concurrency").asInt()).isEqualTo(3);
      assertThat(slow.at("/pace/chat/perSecond").asInt()).isEqualTo(1);
      assertThat(slow.at("/pace/inUse/share").asDouble()).isEqualTo(1);
      assertThat(slow.at("/pace/inUse/opensAt").isNull()).isTrue();
      assertThat(slow.get("takesLogin").asBoolean()).isFalse();
      assertThat(items.at("/0/takesLogin").asBoolean()).isTrue();
    }
  }

  @Test
  void a_lane_is_paused_listed_and_resumed() {
    String lane = "{\"account\":\"sandbox\",\"to\":\"ann\"}";
    assertThat(server.post("/v1/lanes/pause", lane).json().get("paused").asBoolean()).isTrue();
    server.post("/v1/messages", "{\"account\":\"sandbox\",\"to\":\"ann\",\"text\":\"x\"}");

    Reply lanes = server.get("/v1/lanes?account=sandbox");
    assertThat(lanes.json().at("/items/0/to").asString()).isEqualTo("ann");
    assertThat(lanes.json().at("/items/0/paused").asBoolean()).isTrue();
    assertThat(lanes.json().at("/items/0/depth").asInt()).isEqualTo(1);
    assertThat(lanes.json().at("/items/0/state").asString()).isEqualTo("paused");
    assertThat(server.get("/v1/lanes?state=paused&sort=age").json().get("items")).hasSize(1);
    assertThat(server.get("/v1/lanes?state=waiting").json().get("items")).isEmpty();
    assertThat(server.get("/v1/lanes?state=pausd").text("detail")).contains("'paused'");
    assertThat(server.get("/v1/lanes?sort=size").status()).isEqualTo(422);
    assertThat(server.get("/v1/stats").json().get("pausedLanes").asInt()).isEqualTo(1);

    server.post("/v1/lanes/resume", lane);
    server.say("ann", "after");
    assertThat(server.get("/v1/sandbox/sandbox/inbox").json().get("items")).hasSize(2);
  }

  @Test
  void a_chat_that_has_moved_is_found_by_its_old_name_and_its_lane_says_what_it_was() {
    server.say("moved", "one");
    String lanePause = "{\"account\":\"sandbox\",\"to\":\"moved\"}";
    while (!server.post("/v1/lanes/pause", lanePause).text("to").equals("moved-here")) {
      Thread.onSpinWait(); // it moves right after what showed it is delivered
    }
    send("moved");

    for (String name : List.of("moved", "moved-here")) {
      assertThat(server.get("/v1/messages?to=" + name).json().at("/items"))
          .extracting(message -> message.get("to").asString())
          .containsExactly("moved-here", "moved");
    }
    JsonNode lane = server.get("/v1/lanes").json().at("/items/0");
    assertThat(lane.get("to").asString()).isEqualTo("moved-here");
    assertThat(lane.at("/formerly/0").asString()).isEqualTo("moved");
  }

  @Test
  void a_message_its_lane_and_its_account_say_why_they_wait() {
    server.post(
        "/v1/lanes/pause", "{\"account\":\"sandbox\",\"to\":\"ann\",\"reason\":\"on holiday\"}");
    String id = send("ann");
    assertThat(waits("/v1/messages/" + id, "")).isEqualTo("lanePaused: on holiday");
    assertThat(waits("/v1/messages?to=ann", "/items/0")).isEqualTo("lanePaused: on holiday");
    assertThat(waits("/v1/lanes", "/items/0")).isEqualTo("lanePaused: on holiday");
    assertThat(server.get("/v1/accounts").json().at("/items/0/waitingFor").isNull()).isTrue();

    server.post("/v1/accounts/sandbox/pause", "{\"reason\":\"maintenance\"}");
    assertThat(waits("/v1/messages/" + id, "")).isEqualTo("accountPaused: maintenance");
    assertThat(waits("/v1/accounts", "/items/0")).isEqualTo("accountPaused: maintenance");
    assertThat(server.get("/v1/messages/" + id).json().at("/waitingFor/since").asString())
        .startsWith("20");

    server.post("/v1/accounts/sandbox/resume", "");
    server.post("/v1/lanes/resume", "{\"account\":\"sandbox\",\"to\":\"ann\"}");
    server.say("ann", "after");
    assertThat(server.get("/v1/messages/" + id).json().get("waitingFor").isNull()).isTrue();
  }

  @Test
  void a_message_behind_another_names_it_and_a_retry_is_said_once_and_not_for_the_past() {
    String first = server.post("/v1/messages?wait=1s", body("bob", "#unknown")).text("id");
    String second = send("bob");

    JsonNode behind = server.get("/v1/messages/" + second).json().get("waitingFor");
    assertThat(behind.get("kind").asString()).isEqualTo("behind");
    assertThat(behind.get("messageId").asString()).isEqualTo(first);
    JsonNode retry = server.get("/v1/messages/" + first).json();
    assertThat(retry.at("/waitingFor/kind").asString()).isEqualTo("retry");
    assertThat(retry.at("/waitingFor/until").asString())
        .isEqualTo(retry.at("/history/0/nextAt").asString());
    server.post("/v1/accounts/sandbox/pause", "");

    assertThat(server.get("/v1/messages/" + first).json().at("/history/0/nextAt").isNull())
        .isTrue();
  }

  private static String body(String to, String text) {
    return "{\"account\":\"sandbox\",\"to\":\"%s\",\"text\":\"%s\"}".formatted(to, text);
  }

  private String send(String to) {
    return server.post("/v1/messages", body(to, "x")).text("id");
  }

  private String waits(String path, String at) {
    JsonNode waits = server.get(path).json().at(at + "/waitingFor");
    return waits.path("kind").asString() + ": " + waits.path("cause").asString();
  }

  @Test
  void stats_and_metrics_count_what_happened() {
    server.say("ann", "one");
    server.say("ann", "#fail");

    Reply stats = server.get("/v1/stats");
    assertThat(stats.json().get("accepted").asInt()).isEqualTo(2);
    assertThat(stats.json().get("delivered").asInt()).isEqualTo(1);
    assertThat(stats.json().get("deadLetters").asInt()).isEqualTo(1);

    Reply metrics = server.get("/metrics");
    assertThat(metrics.header("Content-Type")).startsWith("text/plain");
    assertThat(metrics.raw().body())
        .contains("postrider_events_total{account=\"sandbox\",type=\"message.delivered\"} 1.0")
        .contains("postrider_events_total{account=\"sandbox\",type=\"message.failed\"} 1.0")
        .contains("postrider_dead_letters{account=\"sandbox\"} 1.0")
        .contains("postrider_delivery_seconds_count{account=\"sandbox\"} 1")
        .contains("postrider_store_up 1.0");
  }

  @Test
  void stats_and_metrics_count_what_came_in() {
    server.hear("ann", "1");
    server.hear("bob", "2");
    JsonNode item = server.lease("{\"max\":1}").json().at("/items/0");

    JsonNode inbound = server.get("/v1/stats").json().path("inbound");
    assertThat(inbound.path("pending").asInt()).isEqualTo(1);
    assertThat(inbound.path("leased").asInt()).isEqualTo(1);
    assertThat(inbound.path("received").asInt()).isEqualTo(2);

    server.post("/v1/inbound/leases/" + item.path("leaseId").asString() + "/ack", "");
    assertThat(server.get("/v1/stats").json().at("/inbound/handled").asInt()).isEqualTo(1);
    assertThat(server.get("/metrics").raw().body())
        .contains("postrider_inbound_messages{status=\"pending\"} 1.0")
        .contains("postrider_inbound_messages{status=\"leased\"} 0.0")
        .contains("postrider_inbound_messages{status=\"failed\"} 0.0")
        .contains("postrider_events_total{account=\"sandbox\",type=\"inbound.handled\"} 1.0");
  }

  @Test
  void the_history_of_the_queues_begins_where_one_wants(@TempDir Path dir) {
    Instant now = Instant.now().truncatedTo(ChronoUnit.MINUTES);
    try (SystemScheduler time = new SystemScheduler();
        Store store =
            new SqliteStoreProvider()
                .open("sqlite:" + dir + "/test.db", ClusterSettings.ofThisProcess(), time)) {
      for (int i = 1; i <= 3; i++) {
        store
            .inboundStore()
            .save(
                "node",
                new QueueMinute(
                    now.minus(Duration.ofHours(i)),
                    new QueueMinute.Flow(i, 2, 3, 4, 5, 6, 7),
                    new QueueMinute.Flow(7, 8, 9, 10, 11, 12, 13)),
                true)
            .join();
      }
    }
    try (TestServer kept = TestServer.start(dir)) {
      JsonNode rows = kept.get("/v1/stats/history?since=150m").json().path("items");
      assertThat(rows.valueStream().map(row -> row.at("/inbound/pending").asInt()))
          .containsExactly(2, 1);
      assertThat(rows.path(0).toString())
          .isEqualTo(
              ("{\"at\":\"%s\",\"inbound\":{\"pending\":2,\"leased\":2,\"failed\":3,"
                      + "\"received\":4,\"handled\":5,\"errors\":6,\"unhandled\":7},"
                      + "\"outbound\":{\"queued\":7,"
                      + "\"sending\":8,\"deadLetters\":9,\"accepted\":10,\"delivered\":11,"
                      + "\"errors\":12,\"undelivered\":13}}")
                  .formatted(now.minus(Duration.ofHours(2))));
      String since = now.minus(Duration.ofHours(3)).toString();
      assertThat(kept.get("/v1/stats/history?since=" + since).json().path("items")).hasSize(3);
      assertThat(kept.get("/v1/stats/history?since=soon").status()).isEqualTo(422);
    }
  }

  @Test
  void the_history_comes_in_longer_steps_summed_and_with_the_highest_depths(@TempDir Path dir) {
    Instant hour = Instant.now().truncatedTo(ChronoUnit.HOURS).minus(Duration.ofHours(5));
    try (TestServer kept = TestServer.start(dir)) {
      for (int i = 0; i < 10; i++) {
        save(kept, hour.plus(Duration.ofMinutes(i)), i);
      }
      String span = "&since=" + hour + "&until=" + hour.plus(Duration.ofHours(1));

      Reply steps = kept.get("/v1/stats/history?step=5m" + span);
      assertThat(steps.text("step")).isEqualTo("5m");
      assertThat(steps.json().get("items").valueStream().map(row -> row.get("at").asString()))
          .containsExactly(hour.toString(), hour.plus(Duration.ofMinutes(5)).toString());
      assertThat(steps.json().at("/items/0/outbound/queued").asInt()).isEqualTo(4);
      assertThat(steps.json().at("/items/0/outbound/accepted").asInt()).isEqualTo(5);
      assertThat(steps.json().at("/items/1/outbound/queued").asInt()).isEqualTo(9);
      assertThat(kept.get("/v1/stats/history?" + span.substring(1)).json().get("items"))
          .hasSize(10);
      assertThat(kept.get("/v1/stats/history?step=90s").status()).isEqualTo(422);
      assertThat(kept.get("/v1/stats/history?step=0s").status()).isEqualTo(422);
      assertThat(kept.get("/v1/stats/history?cursor=x").status()).isEqualTo(400);
    }
  }

  @Test
  void a_long_history_comes_in_pages(@TempDir Path dir) {
    Instant began = Instant.now().truncatedTo(ChronoUnit.DAYS).minus(Duration.ofDays(3));
    try (TestServer kept = TestServer.start(dir)) {
      for (int i = 0; i < 2_010; i++) {
        save(kept, began.plus(Duration.ofMinutes(i)), 1);
      }

      Reply first = kept.get("/v1/stats/history?since=" + began);
      assertThat(first.json().get("items")).hasSize(2_000);
      Reply rest = kept.get("/v1/stats/history?cursor=" + first.text("next"));
      assertThat(rest.json().at("/items/0/at").asString())
          .isEqualTo(began.plus(Duration.ofMinutes(2_000)).toString());
      assertThat(rest.json().get("items")).hasSizeBetween(10, 12); // and what is now
      assertThat(rest.text("next")).isNull();
    }
  }

  private static void save(TestServer kept, Instant minute, int queued) {
    QueueMinute.Flow flow = new QueueMinute.Flow(queued, 0, 0, 1, 1, 0, 1);
    kept.postrider()
        .store(StoreAccess.OWN)
        .inboundStore()
        .save("node", new QueueMinute(minute, flow, flow), true)
        .join();
  }

  @Test
  void it_is_healthy_and_ready() {
    assertThat(server.get("/healthz").text("status")).isEqualTo("ok");
    assertThat(server.get("/readyz").text("status")).isEqualTo("ready");
    assertThat(
            server
                .send(server.request("/healthz").method("HEAD", BodyPublishers.noBody()))
                .status())
        .isEqualTo(200);
  }

  @Test
  void in_memory_it_is_degraded_and_says_so_with_every_answer(@TempDir Path dir) throws Exception {
    Path file = Files.createFile(dir.resolve("not-a-directory"));
    try (TestServer forgetful = TestServer.start(file, "storage: {onUnavailable: memory}")) {
      assertThat(forgetful.get("/healthz").text("status")).isEqualTo("degraded");
      assertThat(forgetful.say("a", "x").json().get("durable").asBoolean()).isFalse();
    }
  }

  @Test
  void before_the_store_is_open_and_while_stopping_it_is_not_ready() {
    EngineState engineState = new EngineState();
    EventRing ring = new EventRing(Instant.now());
    var settings = new HttpSettings("127.0.0.1", 0, List.of(), 1024, 1024, Duration.ofSeconds(9));
    try (HttpServer early =
        new HttpServer(
            settings,
            null,
            engineState,
            new Metrics(),
            ring,
            new HealthCheck(HealthSettings.DEFAULTS, ""))) {
      assertThat(status(early, "/readyz")).isEqualTo(503);
      assertThat(status(early, "/v1/stats")).isEqualTo(503);
      assertThat(status(early, "/v1/reminders")).isEqualTo(503);
      assertThat(status(early, "/")).isEqualTo(200);

      try (Reminders reminders = Reminders.open(server.postrider(), ReminderSettings.DEFAULTS)) {
        engineState.opened(server.postrider(), reminders);
        assertThat(status(early, "/readyz")).isEqualTo(200);
        engineState.stopping();
        assertThat(status(early, "/readyz")).isEqualTo(503);
        assertThat(status(early, "/v1/stats")).isEqualTo(200);
      }
    }
  }

  private int status(HttpServer early, String path) {
    return server.send(HttpRequest.newBuilder(URI.create(early.address() + path))).status();
  }
}
