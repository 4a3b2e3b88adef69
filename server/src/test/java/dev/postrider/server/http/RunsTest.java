package dev.postrider.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.event.Event;
import dev.postrider.server.http.TestServer.Reply;
import java.nio.file.Path;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Runs over HTTP: looked at, paused, resumed, cancelled, exported. */
class RunsTest {
  @TempDir Path dir;
  private TestServer server;

  @BeforeEach
  void start() {
    server =
        TestServer.start(
            dir,
            """
            reminders: { perMinute: 100000, burst: 1000, shortestGap: 0s, longestGap: 1ms }
            accounts:
              - { id: sandbox, channel: sandbox }
              - { id: second, channel: sandbox }
              - { id: banned, channel: sandbox, faults: { rejected: 1 } }
            """);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private String fired(String account, String more) {
    Reply created =
        server.post(
            "/v1/reminders",
            """
            { "name": "Notice", "account": "%s", "timezone": "UTC", %s
              "targets": [ { "to": "g1", "name": "=1+1" }, { "to": "g2" }, { "to": "g3" } ],
              "messages": [ { "text": "Hello" } ] }
            """
                .formatted(
                    account, more.contains("window") ? more : more + "\"window\": \"none\","));
    assertThat(created.status()).as(created.raw().body()).isEqualTo(201);
    Reply fired = server.post("/v1/reminders/" + created.text("id") + "/fire", "");
    assertThat(fired.status()).isEqualTo(202);
    return fired.text("id");
  }

  private static final String READ_LATER =
      "{\"account\": \"sandbox\", \"to\": \"ann\", \"text\": \"#read\"}";

  /** The sandbox tells what became of a message after a second or two. */
  private static void await(BooleanSupplier condition) {
    Instant patience = Instant.now().plusSeconds(60);
    while (!condition.getAsBoolean()) {
      assertThat(Instant.now()).isBefore(patience);
      Thread.onSpinWait();
    }
  }

  @Test
  void a_run_whose_messages_failed_by_webhook_has_failed_and_can_be_retried() {
    Reply created =
        server.post(
            "/v1/reminders",
            """
            { "name": "Notice", "account": "sandbox", "timezone": "UTC", "window": "none",
              "targets": [ { "to": "g1" }, { "to": "g2" } ], "messages": [ { "text": "#bounce" } ] }
            """);
    assertThat(created.status()).as(created.raw().body()).isEqualTo(201);
    String run = server.post("/v1/reminders/" + created.text("id") + "/fire", "").text("id");

    String read = server.post("/v1/messages", READ_LATER).text("id");

    await(() -> show(run).text("status").equals("failed"));
    await(() -> server.get("/v1/messages/" + read).text("receiptStatus").equals("read"));

    assertThat(show(run).json().path("failed").asInt()).isEqualTo(2);
    assertThat(show(run).json().path("sent").asInt()).isZero();
    assertThat(statuses(run)).containsExactly("failed", "failed");
    Reply failed = server.get("/v1/messages?receiptStatus=failed&runId=" + run);
    assertThat(failed.json().path("items").valueStream())
        .hasSize(2)
        .allSatisfy(
            message -> {
              assertThat(message.path("status").asString()).isEqualTo("failed");
              assertThat(message.path("reason").asString()).isEqualTo("receipt-failed");
              assertThat(message.path("receiptStatus").asString()).isEqualTo("failed");
              assertThat(message.path("error").asString()).contains("#bounce");
            });
    assertThat(server.get("/v1/receipts?account=sandbox").json().path("failed").asInt())
        .isEqualTo(2);
    assertThat(server.get("/v1/receipts").json().path("read").asInt()).isOne();
    assertThat(server.get("/v1/messages?receiptStatus=gone").status()).isEqualTo(422);
    assertThat(server.get("/v1/messages?receipt=failed&runId=" + run).json())
        .as("a state stands for itself where a receipt may stand")
        .isEqualTo(failed.json());
    assertThat(server.get("/v1/messages?receipt=read&receiptStatus=read").json().path("items"))
        .hasSize(1);
    Reply both = server.get("/v1/messages?receipt=read&receiptStatus=failed");
    assertThat(both.status()).isEqualTo(422);
    assertThat(both.raw().body()).contains("\"receipt\"").contains("receiptStatus");
    assertThat(
            server
                .post("/v1/dead-letters/replay", "{\"receipt\": \"failed\", \"dryRun\": true}")
                .json()
                .path("matched")
                .asInt())
        .isEqualTo(2);
    assertThat(server.get("/v1/dead-letters").json().path("items").size()).isEqualTo(2);
    Reply retried = server.post("/v1/runs/" + run + "/resume", "{\"scope\": \"failed\"}");
    assertThat(retried.status()).isEqualTo(200);
  }

  /** A run that waits for a window which does not open before the day after tomorrow. */
  private String waiting() {
    DayOfWeek day = LocalDate.now(ZoneOffset.UTC).plusDays(2).getDayOfWeek();
    CompletableFuture<Event.RunProgress> told = server.next(Event.RunProgress.class);
    String run =
        fired("sandbox", "\"window\": {\"days\": [\"" + day.name().substring(0, 3) + "\"]},");
    told.join();
    return run;
  }

  private Reply show(String run) {
    return server.get("/v1/runs/" + run);
  }

  private List<String> statuses(String run) {
    return server
        .get("/v1/runs/" + run + "/targets")
        .json()
        .path("items")
        .valueStream()
        .map(target -> target.path("status").asString())
        .toList();
  }

  // ---- leading

  @Test
  void a_run_outside_its_window_says_what_it_waits_for_and_until_when() {
    Reply run = show(waiting());

    assertThat(run.text("status")).isEqualTo("waiting");
    assertThat(run.text("reason")).contains("window");
    assertThat(run.text("until")).endsWith("T06:00:00Z");
    assertThat(run.text("windowEndsAt")).isNull();
    assertThat(run.text("eta")).isNotNull();
    assertThat(run.text("endedAt")).isNull();
    assertThat(run.text("errorSummary")).isNull();
    assertThat(run.json().path("pending").asInt()).isEqualTo(3);
  }

  @Test
  void a_run_is_paused_with_a_reason_and_resumed() {
    String run = waiting();

    Reply paused = server.post("/v1/runs/" + run + "/pause", "{\"reason\":\"a wrong text\"}");
    assertThat(paused.status()).isEqualTo(200);
    assertThat(show(run).text("status")).isEqualTo("paused");
    assertThat(show(run).text("reason")).isEqualTo("a wrong text");

    Reply resumed = server.post("/v1/runs/" + run + "/resume", "");
    assertThat(resumed.status()).isEqualTo(200);
    assertThat(resumed.text("status")).isEqualTo("waiting");
    Reply wrong = server.post("/v1/runs/" + run + "/resume", "{\"scope\":\"faild\"}");
    assertThat(wrong.status()).isEqualTo(422);
    assertThat(wrong.text("detail")).contains("did you mean 'failed'");
  }

  @Test
  void a_cancelled_run_has_ended_and_can_be_taken_up_again() {
    String run = waiting();

    Reply cancelled = server.post("/v1/runs/" + run + "/cancel", "");

    assertThat(cancelled.status()).isEqualTo(200);
    assertThat(cancelled.text("status")).isEqualTo("cancelled");
    assertThat(cancelled.json().path("sending").asInt()).isZero();
    assertThat(cancelled.json().path("cancelled").asInt()).isEqualTo(3);
    assertThat(cancelled.text("errorSummary")).isEqualTo("Cancelled; 0 of 3 delivered.");
    assertThat(statuses(run)).containsOnly("cancelled");
    for (String deed : List.of("pause", "cancel")) {
      assertThat(server.post("/v1/runs/" + run + "/" + deed, "").status()).isEqualTo(409);
    }
    assertThat(server.post("/v1/runs/" + run + "/resume", "{\"scope\":\"failed\"}").status())
        .isEqualTo(409);
    assertThat(server.post("/v1/runs/" + run + "/resume", "").status()).isEqualTo(200);
    assertThat(statuses(run)).containsOnly("pending");
  }

  @Test
  void a_run_that_nobody_knows_is_not_found() {
    for (String id : List.of(UUID.randomUUID().toString(), "nonsense")) {
      assertThat(show(id).status()).isEqualTo(404);
      assertThat(server.get("/v1/runs/" + id + "/targets").status()).isEqualTo(404);
      for (String deed : List.of("pause", "resume", "cancel")) {
        assertThat(server.post("/v1/runs/" + id + "/" + deed, "").status()).isEqualTo(404);
      }
    }
    assertThat(server.get("/v1/runs?reminder=nonsense").status()).isEqualTo(422);
  }

  @Test
  void a_run_of_an_account_that_is_gone_is_still_shown() {
    String run = waiting();
    server.close();
    server = TestServer.start(dir, "accounts: [ { id: other, channel: sandbox } ]");

    assertThat(show(run).text("status")).isEqualTo("waiting");
    assertThat(show(run).text("eta")).isNull();
    assertThat(server.get("/v1/runs").json().path("items")).hasSize(1);
  }

  // ---- targets

  @Test
  void who_was_not_reached_is_told_with_the_reason_also_as_a_table() {
    CompletableFuture<Event.RunEnded> ended = server.next(Event.RunEnded.class);
    String run = fired("banned", "");
    ended.join();

    assertThat(show(run).text("status")).isEqualTo("failed");
    assertThat(show(run).text("errorSummary")).isEqualTo("0 of 3 delivered, 3 failed.");
    JsonNode target = server.get("/v1/runs/" + run + "/targets").json().at("/items/0");
    assertThat(target.path("error").asString()).isNotEmpty();
    assertThat(target.path("endedAt").isNull()).isFalse();
    String csv = "/v1/runs/" + run + "/targets";
    Reply table = server.get(csv, "Accept", "text/csv");
    assertThat(table.header("Content-Type")).startsWith("text/csv");
    assertThat(table.raw().body().lines()).hasSize(4);
    assertThat(table.raw().body())
        .startsWith("to,account,name,timezone,window,status,error,endedAt,messageIds")
        .contains("g1,banned,'=1+1,,,failed,\"" + target.path("error").asString() + '"');
    assertThat(server.get(csv + "?format=csv&status=sent").raw().body().lines()).hasSize(1);
    assertThat(server.get(csv + "?format=xls").status()).isEqualTo(422);
    assertThat(server.get(csv + "?status=snt").status()).isEqualTo(422);
  }

  @Test
  void targets_come_page_by_page_in_their_order() {
    String run = waiting();

    JsonNode first = server.get("/v1/runs/" + run + "/targets?limit=2").json();
    JsonNode rest =
        server
            .get("/v1/runs/" + run + "/targets?limit=2&cursor=" + first.path("next").asString())
            .json();

    assertThat(first.at("/items/0/to").asString()).isEqualTo("g1");
    assertThat(first.at("/items/1/to").asString()).isEqualTo("g2");
    assertThat(rest.at("/items/0/to").asString()).isEqualTo("g3");
    assertThat(rest.path("next").isNull()).isTrue();
    assertThat(server.get("/v1/runs/" + run + "/targets?cursor=x").status()).isEqualTo(400);
  }

  @Test
  void the_rest_of_a_run_is_sent_through_another_account_and_reasons_are_counted() {
    String run = fired("banned", "");
    await(() -> server.get("/v1/runs/" + run).text("status").equals("failed"));
    Reply failed = server.get("/v1/runs/" + run);
    assertThat(failed.json().path("byStatus").path("failed").asInt()).isEqualTo(3);
    assertThat(failed.json().path("byStatus").path("sent").asInt()).isZero();
    assertThat(failed.json().path("byReason").path(0).path("count").asInt()).isEqualTo(3);
    String startedAt = failed.text("startedAt");

    assertThat(resume(run, "banned").status()).isEqualTo(409);
    assertThat(resume(run, "secund").raw().body()).contains("second");
    Reply resumed = resume(run, "second");
    assertThat(resumed.status()).as(resumed.raw().body()).isEqualTo(200);
    await(() -> server.get("/v1/runs/" + run).text("status").equals("success"));
    Reply done = server.get("/v1/runs/" + run);
    assertThat(done.text("startedAt")).isEqualTo(startedAt);
    assertThat(done.text("resumedAt")).isNotNull();
    assertThat(server.get("/v1/runs/" + run + "/targets").raw().body())
        .contains("\"account\":\"second\"")
        .doesNotContain("\"account\":\"banned\"");
  }

  private Reply resume(String run, String account) {
    return server.post(
        "/v1/runs/" + run + "/resume",
        "{ \"scope\": \"failed\", \"account\": \"%s\" }".formatted(account));
  }

  @Test
  void a_reminder_whose_run_has_not_ended_does_not_fire_again() {
    server.postrider().pauseAccount("sandbox", "a break");
    String run = fired("sandbox", "");
    String reminder = server.get("/v1/runs/" + run).text("reminderId");

    Reply refused = server.post("/v1/reminders/" + reminder + "/fire", "");

    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.raw().body()).contains(run);
  }
}
