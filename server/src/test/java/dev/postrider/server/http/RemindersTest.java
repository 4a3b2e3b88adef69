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

/** Reminders over HTTP: written, looked at, changed, tried out, fired. */
class RemindersTest {
  private TestServer server;

  @BeforeEach
  void start(@TempDir Path dir) {
    server =
        TestServer.start(
            dir, "reminders: { perMinute: 100000, burst: 1000, shortestGap: 0s, longestGap: 1ms }");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static String reminder(String more) {
    return """
        { "name": "Notice", "account": "sandbox", "timezone": "Asia/Kuala_Lumpur", %s
          "targets": [ { "to": "g1", "variables": { "name": "Team A" } }, { "to": "g2", \
        "name": "Team B" } ],
          "messages": [ { "text": "Hello {{name}}" }, { "text": "Bye" } ] }
        """
        .formatted(more.contains("window") ? more : more + "\"window\": \"none\",");
  }

  private String created(String more) {
    Reply reply = server.post("/v1/reminders", reminder(more));
    assertThat(reply.status()).as(reply.raw().body()).isEqualTo(201);
    return reply.text("id");
  }

  private static List<String> fields(Reply reply) {
    return reply
        .json()
        .path("errors")
        .valueStream()
        .map(error -> error.path("field").asString())
        .toList();
  }

  // ---- firing

  @Test
  void a_fired_reminder_reaches_every_target_and_its_run_says_so() {
    String id = created("");
    CompletableFuture<Event.RunEnded> ended = server.next(Event.RunEnded.class);

    Reply fired = server.post("/v1/reminders/" + id + "/fire", "");

    assertThat(fired.status()).isEqualTo(202);
    assertThat(fired.text("reminderId")).isEqualTo(id);
    assertThat(ended.join().run().toString()).isEqualTo(fired.text("id"));
    JsonNode run = server.get("/v1/runs/" + fired.text("id")).json();
    assertThat(run.path("status").asString()).isEqualTo("success");
    assertThat(run.path("name").asString()).isEqualTo("Notice");
    assertThat(run.path("total").asInt()).isEqualTo(2);
    assertThat(run.path("sent").asInt()).isEqualTo(2);
    assertThat(run.path("pending").asInt()).isZero();
    assertThat(run.path("errorSummary").isNull()).isTrue();
    assertThat(run.path("endedAt").isNull()).isFalse();
    JsonNode target = server.get("/v1/runs/" + fired.text("id") + "/targets").json().at("/items/0");
    assertThat(target.path("to").asString()).isEqualTo("g1");
    assertThat(target.path("status").asString()).isEqualTo("sent");
    assertThat(target.path("messageIds")).hasSize(2);
    String first = target.at("/messageIds/0").asString();
    assertThat(server.get("/v1/messages/" + first).text("text")).isEqualTo("Hello Team A");
  }

  @Test
  void a_test_sends_the_messages_to_one_chat_and_is_no_run() {
    String id = created("");

    Reply sent =
        server.post(
            "/v1/reminders/" + id + "/test", "{\"to\":\"me\",\"variables\":{\"name\":\"you\"}}");

    assertThat(sent.status()).isEqualTo(202);
    assertThat(sent.json().path("messages").valueStream().map(said -> said.path("text").asString()))
        .containsExactly("Hello you", "Bye");
    assertThat(server.get("/v1/runs").json().path("items")).isEmpty();
    Reply unfilled = server.post("/v1/reminders/" + id + "/test", "{\"to\":\"me\"}");
    assertThat(unfilled.status()).isEqualTo(422);
    assertThat(fields(unfilled)).containsExactly("variables");
  }

  // ---- writing

  @Test
  void a_reminder_is_answered_as_it_was_written_and_in_words() {
    String id =
        created(
            """
            "schedule": { "cron": "0 9 * * FRI" },
            "window": { "start": "06:00", "end": "18:00", "days": ["MON","TUE"], \
            "onClose": "stop" },
            """);

    JsonNode shown = server.get("/v1/reminders/" + id).json();

    assertThat(shown.at("/schedule/cron").asString()).isEqualTo("0 9 * * FRI");
    assertThat(shown.at("/window/start").asString()).isEqualTo("06:00");
    assertThat(shown.at("/window/onClose").asString()).isEqualTo("stop");
    assertThat(shown.at("/window/days/1").asString()).isEqualTo("TUE");
    assertThat(shown.at("/targets/0/variables/name").asString()).isEqualTo("Team A");
    assertThat(shown.at("/messages/1/text").asString()).isEqualTo("Bye");
    assertThat(shown.path("nextFiringAt").asString()).endsWith("T01:00:00Z");
    assertThat(shown.path("scheduleText").asString()).contains("Kuala_Lumpur");
    assertThat(shown.path("windowText").asString()).contains("06:00 to 18:00");
    assertThat(shown.path("targetCount").asInt()).isEqualTo(2);
    JsonNode listed = server.get("/v1/reminders?account=sandbox").json().at("/items/0");
    assertThat(listed.path("id").asString()).isEqualTo(id);
    assertThat(listed.path("targetCount").asInt()).isEqualTo(2);
    assertThat(listed.has("targets")).isFalse();
    assertThat(server.get("/v1/reminders?account=other").json().path("items")).isEmpty();
  }

  @Test
  void what_was_answered_can_be_changed_and_put_back() {
    String id = created("");
    Reply before = server.get("/v1/reminders/" + id);
    String changed = before.raw().body().replace("\"Notice\"", "\"Changed\"");

    Reply after = put(id, changed);

    assertThat(after.status()).as(after.raw().body()).isEqualTo(200);
    assertThat(after.text("name")).isEqualTo("Changed");
    assertThat(after.text("createdAt")).isEqualTo(before.text("createdAt"));
    assertThat(server.get("/v1/reminders/" + id).text("name")).isEqualTo("Changed");
    assertThat(put(UUID.randomUUID().toString(), changed).status()).isEqualTo(404);
  }

  private Reply put(String id, String json) {
    return server.send(
        server
            .request("/v1/reminders/" + id)
            .header("Content-Type", "application/json")
            .PUT(BodyPublishers.ofString(json)));
  }

  @Test
  void a_deleted_reminder_is_gone_and_its_runs_stay() {
    String id = created("");
    CompletableFuture<Event.RunEnded> ended = server.next(Event.RunEnded.class);
    server.post("/v1/reminders/" + id + "/fire", "");
    ended.join();

    assertThat(server.delete("/v1/reminders/" + id).status()).isEqualTo(204);

    assertThat(server.get("/v1/reminders/" + id).status()).isEqualTo(404);
    assertThat(server.delete("/v1/reminders/" + id).status()).isEqualTo(404);
    assertThat(server.post("/v1/reminders/" + id + "/fire", "").status()).isEqualTo(404);
    assertThat(server.get("/v1/runs?reminder=" + id).json().path("items")).hasSize(1);
  }

  @Test
  void every_wrong_field_is_named() {
    Reply wrong =
        server.post(
            "/v1/reminders",
            """
            { "name": "x", "account": "sandbox", "timezone": "Mars", "windw": {},
              "schedule": { "cron": "often" }, "window": { "start": "25:00" },
              "targets": [ { "too": "a" } ], "messages": [ { "txt": "hi" } ] }
            """);

    assertThat(wrong.status()).isEqualTo(422);
    assertThat(fields(wrong))
        .contains(
            "timezone",
            "windw",
            "schedule.cron",
            "window.start",
            "targets[0].too",
            "targets[0].to",
            "messages[0].txt");
    assertThat(wrong.raw().body()).contains("did you mean", "window");
    assertThat(server.post("/v1/reminders", "{").status()).isEqualTo(400);
    assertThat(server.post("/v1/reminders", "[]").status()).isEqualTo(400);
  }

  @Test
  void of_many_wrong_fields_the_first_are_named_and_the_rest_counted() {
    String target = "{\"to\":\"same\"},";
    Reply wrong =
        server.post(
            "/v1/reminders",
            """
            { "name": "x", "account": "sandbox", "timezone": "UTC", "window": "none", \
            "messages": [ { "text": "hi" } ],
              "targets": [ %s {"to":"same"} ] }
            """
                .formatted(target.repeat(40)));

    assertThat(wrong.status()).isEqualTo(422);
    assertThat(fields(wrong)).hasSize(20);
    assertThat(wrong.text("detail")).isEqualTo("40 fields are wrong; errors has the first 20.");
  }

  @Test
  void an_account_that_is_not_configured_and_a_time_that_is_past_are_refused() {
    Reply unknown = server.post("/v1/reminders", reminder("").replace("\"sandbox\"", "\"sandbx\""));
    assertThat(unknown.status()).isEqualTo(422);
    assertThat(fields(unknown)).containsExactly("account");
    assertThat(unknown.text("detail")).contains("sandbox");

    Reply past =
        server.post("/v1/reminders", reminder("\"schedule\": { \"at\": \"2020-01-01T09:00\" },"));
    assertThat(past.status()).isEqualTo(422);
    assertThat(fields(past)).containsExactly("schedule");
  }

  // ---- before it is fired

  @Test
  void a_preview_tells_what_it_would_come_to_and_stores_nothing() {
    Reply free = server.post("/v1/reminders/preview", reminder(""));

    assertThat(free.status()).as(free.raw().body()).isEqualTo(200);
    assertThat(free.json().path("sends").asInt()).isEqualTo(4);
    assertThat(free.json().path("perMinute").asDouble()).isPositive();
    assertThat(free.json().path("fits").asBoolean()).isTrue();
    assertThat(free.json().path("inOpening").asInt()).isEqualTo(4);
    assertThat(free.json().path("windows").asInt()).isEqualTo(1);
    assertThat(free.text("doneAt")).isNotNull();
    assertThat(free.text("opensAt")).isNull();
    assertThat(free.json().path("unknownCount").asInt()).isEqualTo(2);
    assertThat(free.json().path("unknownTargets").toString()).isEqualTo("[\"g1\",\"g2\"]");

    assertThat(free.json().path("firings")).isEmpty();

    Reply windowed = server.post("/v1/reminders/preview", reminder("\"window\": {},"));
    assertThat(windowed.text("opensAt")).endsWith("T22:00:00Z");
    assertThat(windowed.text("closesAt")).endsWith("T10:00:00Z");
    assertThat(server.get("/v1/reminders").json().path("items")).isEmpty();
  }

  @Test
  void the_next_five_firings_are_told_before_and_with_every_change() {
    String friday =
        """
        "schedule": { "cron": "0 9 * * FRI" }, "window": { "days": ["MON"] },
        "afterClose": "missed", "overlap": "allow", "perMinute": 10,
        """;
    Reply created = server.post("/v1/reminders", reminder(friday));
    assertThat(created.status()).as(created.raw().body()).isEqualTo(201);
    JsonNode firing = created.json().path("firings").path(0);
    assertThat(created.json().path("firings")).hasSize(5);
    assertThat(firing.path("at").asString()).endsWith("T09:00:00+08:00");
    assertThat(firing.path("fits").asBoolean()).isFalse();
    assertThat(firing.path("inWindow").asBoolean()).isFalse();
    assertThat(firing.path("reached").asInt()).isZero();
    assertThat(firing.path("total").asInt()).isEqualTo(2);
    assertThat(firing.path("note").asString()).contains("recorded as missed");
    assertThat(created.text("scheduleText")).isEqualTo("every Friday at 09:00, Asia/Kuala_Lumpur");

    Reply shown = server.get("/v1/reminders/" + created.text("id"));
    assertThat(shown.json().path("perMinute").asInt()).isEqualTo(10);
    assertThat(shown.text("afterClose")).isEqualTo("missed");
    assertThat(shown.text("overlap")).isEqualTo("allow");
    Reply back = put(created.text("id"), created.raw().body());
    assertThat(back.status()).as(back.raw().body()).isEqualTo(200);
    Reply foreseen =
        server.post(
            "/v1/reminders/preview", reminder("\"schedule\": { \"cron\": \"0 9 * * FRI\" },"));
    assertThat(foreseen.json().path("firings")).hasSize(5);
  }

  @Test
  void without_a_window_it_is_six_to_six_and_none_means_any_hour() {
    Reply usual = server.post("/v1/reminders", reminder("\"window\": null,"));
    assertThat(usual.json().path("window").path("start").asString()).isEqualTo("06:00");
    assertThat(usual.json().path("window").path("end").asString()).isEqualTo("18:00");
    Reply any = server.get("/v1/reminders/" + created("\"window\": \"none\","));
    assertThat(any.text("window")).isEqualTo("none");
    assertThat(any.text("windowText")).isEqualTo("any hour");
    assertThat(fields(server.post("/v1/reminders", reminder("\"window\": \"nine\","))))
        .containsExactly("window");
  }

  @Test
  void a_reminder_is_disabled_and_enabled_and_tells_its_next_firing_and_its_last_run() {
    String id = created("\"schedule\": { \"cron\": \"0 9 * * FRI\" },");
    assertThat(server.get("/v1/reminders/" + id).json().path("lastRun").isNull()).isTrue();

    Reply disabled = server.post("/v1/reminders/" + id + "/disable", "");
    assertThat(disabled.status()).as(disabled.raw().body()).isEqualTo(200);
    assertThat(disabled.json().path("enabled").asBoolean()).isFalse();
    assertThat(disabled.text("nextFiringAt")).isNull();
    String run = server.post("/v1/reminders/" + id + "/fire", "").text("id");
    Reply enabled = server.post("/v1/reminders/" + id + "/enable", "");
    assertThat(enabled.json().path("enabled").asBoolean()).isTrue();
    JsonNode listed = server.get("/v1/reminders").json().path("items").path(0);
    assertThat(listed.path("nextFiringAt").asString()).endsWith("T01:00:00Z");
    assertThat(listed.path("lastRun").path("id").asString()).isEqualTo(run);
    assertThat(listed.path("lastRun").path("status").asString()).isNotEmpty();
  }

  // ---- targets from a table

  @Test
  void targets_keep_their_hours_and_go_out_and_come_in_as_a_table() {
    String id = created("");
    Reply taken =
        table(
            id,
            "",
            "to,account,name,timezone,window,room\n"
                + "t1,elsewhere,One,Asia/Tokyo,09:00-17:00 MON,4\n"
                + "t2,,Two,,none,5\n");
    assertThat(taken.status()).as(taken.raw().body()).isEqualTo(200);
    assertThat(taken.json().path("notes").path(0).asString()).contains("elsewhere", "ignored");
    JsonNode first = taken.json().path("targets").path(0);
    assertThat(first.path("timezone").asString()).isEqualTo("Asia/Tokyo");
    assertThat(first.path("window").path("start").asString()).isEqualTo("09:00");
    assertThat(first.path("window").path("days").toString()).isEqualTo("[\"MON\"]");
    assertThat(taken.json().path("targets").path(1).path("window").asString()).isEqualTo("none");

    String csv = server.get("/v1/reminders/" + id + "/targets?format=csv").raw().body();
    assertThat(csv.lines())
        .containsExactly(
            "to,account,name,timezone,window,room",
            "t1,,One,Asia/Tokyo,09:00-17:00 MON,4",
            "t2,,Two,,none,5");
    Reply again = table(id, "", csv);
    assertThat(again.json().path("targets")).isEqualTo(taken.json().path("targets"));
    assertThat(again.json().path("notes")).isEmpty();
    Reply page = server.get("/v1/reminders/" + id + "/targets?limit=1");
    assertThat(page.json().path("items").path(0)).isEqualTo(first);
    assertThat(page.text("next")).isEqualTo("1");
  }

  @Test
  void a_test_says_which_value_is_missing() {
    String id = created("");
    Reply missing = server.post("/v1/reminders/" + id + "/test", "{ \"to\": \"me\" }");
    assertThat(missing.status()).isEqualTo(422);
    assertThat(missing.raw().body()).contains("there is no value for {{name}}");
  }

  @Test
  void a_table_replaces_the_targets_or_adds_to_them() {
    String id = created("");

    Reply replaced = table(id, "", "to,name\ng2,Second\ng3,Third\n");
    assertThat(replaced.status()).as(replaced.raw().body()).isEqualTo(200);
    assertThat(chats(replaced)).containsExactly("g2", "g3");

    Reply added = table(id, "?mode=add", "to;name\ng3;Drei\ng4;Vier\n");
    assertThat(chats(added)).containsExactly("g2", "g3", "g4");
    assertThat(added.json().at("/targets/1/name").asString()).isEqualTo("Drei");
    assertThat(server.get("/v1/reminders/" + id).json().path("targetCount").asInt()).isEqualTo(3);
  }

  @Test
  void a_wrong_table_changes_nothing_and_names_line_and_column() {
    String id = created("");

    Reply wrong = table(id, "", "to,name\n,Nobody\n1.2E+12,Excel\n");

    assertThat(wrong.status()).isEqualTo(422);
    assertThat(fields(wrong)).containsExactly("line 2, column to", "line 3, column to");
    assertThat(fields(table(id, "?mode=merge", "to\na\n"))).containsExactly("mode");
    assertThat(server.post("/v1/reminders/" + id + "/targets", "{}").status()).isEqualTo(415);
    assertThat(chats(server.get("/v1/reminders/" + id))).containsExactly("g1", "g2");
  }

  private Reply table(String id, String query, String csv) {
    return server.send(
        server
            .request("/v1/reminders/" + id + "/targets" + query)
            .header("Content-Type", "text/csv")
            .POST(BodyPublishers.ofString(csv)));
  }

  private static List<String> chats(Reply reminder) {
    return reminder
        .json()
        .path("targets")
        .valueStream()
        .map(target -> target.path("to").asString())
        .toList();
  }
}
