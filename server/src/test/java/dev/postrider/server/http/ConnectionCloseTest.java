package dev.postrider.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a client that says {@code Connection: close} gets, byte by byte. */
class ConnectionCloseTest {
  private static final String LAST_CHUNK = "\r\n0\r\n\r\n";

  @TempDir Path dir;

  @Test
  void a_lease_that_waits_ends_with_its_last_chunk() throws IOException {
    try (TestServer server = TestServer.start(dir)) {
      String answer = server.raw(post("/v1/inbound/lease", "{\"wait\":\"1s\"}"));

      assertThat(answer).startsWith("HTTP/1.1 200").contains("Transfer-Encoding: chunked");
      assertThat(answer).contains("{\"items\":[]}").endsWith(LAST_CHUNK);
    }
  }

  @Test
  void an_export_of_dead_letters_is_whole_with_none_and_with_many() throws IOException {
    try (TestServer server = TestServer.start(dir)) {
      assertThat(server.raw(get("/v1/dead-letters/export"))).startsWith("HTTP/1.1 200");

      server.say("a", "#fail");
      server.say("b", "#fail");
      String answer = server.raw(get("/v1/dead-letters/export"));

      assertThat(whole(answer)).as(answer).isTrue();
      assertThat(answer).contains("\"a\"", "\"b\"");
    }
  }

  @Test
  void the_csv_of_a_run_is_whole() throws IOException {
    try (TestServer server = TestServer.start(dir)) {
      TestServer.Reply created =
          server.post(
              "/v1/reminders",
              """
              { "name": "x", "account": "sandbox", "timezone": "UTC", "window": "none",
                "targets": [ { "to": "a" }, { "to": "b" } ], "messages": [ { "text": "hi" } ] }
              """);
      String run = server.post("/v1/reminders/" + created.text("id") + "/fire", "").text("id");

      String answer = server.raw(get("/v1/runs/" + run + "/targets?format=csv"));

      assertThat(answer).startsWith("HTTP/1.1 200").contains("text/csv");
      assertThat(whole(answer)).as(answer).isTrue();
      assertThat(answer.lines().filter(line -> line.contains(",")).count()).isGreaterThan(2);
    }
  }

  @Test
  void events_begin_at_once_and_end_with_the_last_chunk_when_the_server_stops() throws IOException {
    try (TestServer server = TestServer.start(dir);
        Socket socket = new Socket("127.0.0.1", server.port())) {
      socket.setSoTimeout(300_000);
      socket.getOutputStream().write(get("/v1/events").getBytes(StandardCharsets.US_ASCII));
      InputStream in = socket.getInputStream();
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      while (!all.toString(StandardCharsets.US_ASCII).contains("retry: 2000")) {
        int next = in.read();
        assertThat(next).as(all.toString(StandardCharsets.US_ASCII)).isNotNegative();
        all.write(next);
      }

      server.close();
      in.transferTo(all);

      assertThat(all.toString(StandardCharsets.US_ASCII)).endsWith(LAST_CHUNK);
    }
  }

  @Test
  void head_tells_the_length_that_get_would_have() throws IOException {
    try (TestServer server = TestServer.start(dir)) {
      server.say("a", "#fail");

      for (String path : List.of("/openapi.json", "/v1/dead-letters/export", "/v1/nothing")) {
        int length = server.get(path).raw().body().getBytes(StandardCharsets.UTF_8).length;

        String answer = server.raw(get(path).replace("GET", "HEAD"));

        assertThat(answer).contains("Content-Length: " + length + "\r\n").endsWith("\r\n\r\n");
        assertThat(answer.indexOf("\r\n\r\n")).isEqualTo(answer.length() - 4);
      }
      assertThat(server.raw(get("/v1/events").replace("GET", "HEAD"))).startsWith("HTTP/1.1 405");
    }
  }

  /** Whether an answer ends where its own head says it does. */
  private static boolean whole(String answer) {
    String head = answer.substring(0, answer.indexOf("\r\n\r\n"));
    String body = answer.substring(head.length() + 4);
    return head.contains("Transfer-Encoding: chunked")
        ? body.endsWith(LAST_CHUNK)
        : head.contains("Content-Length: " + body.getBytes(StandardCharsets.UTF_8).length);
  }

  private static String get(String path) {
    return "GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".formatted(path);
  }

  private static String post(String path, String json) {
    return """
        POST %s HTTP/1.1\r
        Host: localhost\r
        Connection: close\r
        Content-Type: application/json\r
        Content-Length: %d\r
        \r
        %s"""
        .formatted(path, json.length(), json);
  }
}
