package dev.postrider.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.server.http.TestServer.Reply;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
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
}
