package dev.postrider.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.server.http.TestServer.Reply;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What clients get wrong is answered with what is wrong, never with a fault of ours. */
class ClientMistakesTest {
  private static final String GOOD = "{\"account\":\"sandbox\",\"to\":\"a\",\"text\":\"x\"}";

  @TempDir Path dir;
  private TestServer server;

  @BeforeEach
  void start() {
    server = TestServer.start(dir);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private Reply sent(String path, String type, String body) {
    return server.send(
        server.request(path).header("Content-Type", type).POST(BodyPublishers.ofString(body)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "application/json | 202",
        "APPLICATION/JSON | 202",
        "Application/Json; charset=UTF-8 | 202",
        "application/json;;= | 202",
        "json | 415",
        "/ | 415",
        "application/ | 415",
        "; | 202",
        "a/b/c | 415",
        "text/plain | 415",
        "multipart/form-data | 400",
        "Multipart/Form-Data; boundary= | 400"
      })
  void a_content_type_is_read_in_any_case_and_a_malformed_one_is_refused(String type, int status) {
    Reply reply = sent("/v1/messages", type, GOOD);

    assertThat(reply.status()).as("%s", reply.json()).isEqualTo(status);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"expiresIn\":\"PT9223372036854775807S\"",
        "\"expiresIn\":\"999999999999999d\"",
        "\"sendAt\":\"+999999999-12-31T23:59:59Z\"",
        "\"sendAt\":\"-999999999-01-01T00:00:00Z\""
      })
  void times_beyond_what_can_be_stored_are_refused_and_do_not_disturb_other_lines(String field) {
    String bad = GOOD.replace("}", "," + field + "}");
    Reply reply = server.post("/v1/messages", bad);
    assertThat(reply.status()).as("%s", reply.json()).isEqualTo(422);

    Reply batch =
        sent("/v1/messages/batch", "application/x-ndjson", GOOD + "\n" + bad + "\n" + GOOD);

    List<String> lines = batch.raw().body().lines().toList();
    assertThat(lines).hasSize(3);
    assertThat(TestServer.json(lines.get(0)).has("id")).isTrue();
    assertThat(TestServer.json(lines.get(1)).get("status").asInt()).isEqualTo(422);
    assertThat(TestServer.json(lines.get(2)).has("id")).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "PT9223372036854775807S",
        "999999999999999d",
        "%2B999999999-12-31T23:59:59Z",
        "-999999999-01-01T00:00:00Z"
      })
  void times_beyond_what_can_be_stored_are_refused_in_queries(String time) {
    Reply reply = server.get("/v1/messages?since=" + time);

    assertThat(reply.status()).as("%s", reply.json()).isEqualTo(422);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "expiresIn | \"expiresIn\": \"PT9223372036854775807S\"",
        "expiresIn | \"expiresIn\": \"4000000d\"",
        "schedule.at | \"schedule\": {\"at\": \"+999999999-12-31T23:59\"}",
        "schedule.at | \"schedule\": {\"at\": \"-000001-12-31T23:59\"}",
        "schedule.from | \"schedule\": {\"every\": \"1 day\", \"at\": \"09:00\","
            + " \"from\": \"+999999999-12-31\"}",
        "schedule.until | \"schedule\": {\"every\": \"1 day\", \"at\": \"09:00\","
            + " \"until\": \"+12000-01-01\"}"
      })
  void times_in_a_reminder_beyond_what_can_be_stored_are_named(String field, String wrong) {
    Reply reply =
        server.post(
            "/v1/reminders",
            """
            {"name": "n", "account": "sandbox", "timezone": "UTC", "window": "none",
             "targets": [{"to": "a"}], "messages": [{"text": "x"}], %s}
            """
                .formatted(wrong));

    assertThat(reply.status()).as("%s", reply.json()).isEqualTo(422);
    assertThat(reply.json().at("/errors/0/field").asString()).isEqualTo(field);
  }

  @Test
  void a_rate_without_a_limit_and_numbers_beyond_keeping_give_no_infinity() {
    String reminder =
        "{\"name\":\"n\",\"account\":\"sandbox\",\"timezone\":\"UTC\", \"window\": \"none\","
            + "\"targets\":[{\"to\":\"a\"}],\"messages\":[{\"text\":\"x\"%s}]}";

    Reply preview = server.post("/v1/reminders/preview", reminder.formatted(""));
    assertThat(preview.status()).isEqualTo(200);
    assertThat(preview.raw().body()).doesNotContain("Infinity");

    String metadata = ",\"metadata\":{\"a\":1e999}";
    Reply message = server.post("/v1/messages", GOOD.replace("}", metadata + "}"));
    assertThat(message.status()).isEqualTo(422);
    assertThat(message.text("detail"))
        .contains("'metadata' has a number that is beyond what can be kept");
    Reply kept = server.post("/v1/reminders", reminder.formatted(metadata));
    assertThat(kept.raw().body()).doesNotContain("Infinity");
    assertThat(kept.status()).isIn(400, 422);
  }

  @Test
  void many_unknown_fields_and_very_long_names_are_answered_in_a_few_words() {
    StringBuilder many = new StringBuilder("{");
    for (int i = 0; i < 50_000; i++) {
      many.append("\"field-").append(i).append("\":0,");
    }
    String body = many + "\"account\":\"sandbox\"}";
    String longName = "{\"" + "n".repeat(40_000) + "\":1}";
    String longest = "{\"" + "n".repeat(900_000) + "\":1}";

    for (String path :
        List.of("/v1/messages", "/v1/messages/preview", "/v1/reminders", "/v1/lanes/pause")) {
      for (String wrong : List.of(body, longName, longest)) {
        Reply reply = server.post(path, wrong);
        assertThat(reply.status()).as(path).isIn(400, 422);
        assertThat(reply.raw().body().length()).as(path).isLessThan(10_000);
      }
    }
    Reply counted = server.post("/v1/messages", body);
    assertThat(counted.text("detail"))
        .isEqualTo("50001 fields are wrong; errors has the first 20.");
    assertThat(counted.json().get("errors")).hasSize(20);
  }

  @Test
  void a_request_line_that_helidon_stumbles_over_is_the_clients_mistake() throws Exception {
    String rest = " /v1/stats HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    for (String method : List.of("\u00c4OST", "P\u0001ST", "GE T", "")) {
      assertThat(server.raw(method + rest))
          .as(method)
          .startsWith("HTTP/1.1 40")
          .contains("application/problem+json");
    }
  }
}
