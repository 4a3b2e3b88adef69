package dev.postrider.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.server.http.TestServer.Reply;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Files over HTTP: brought on their own, in a form, or inside the message. */
class MediaTest {
  private static final byte[] PNG =
      Base64.getDecoder()
          .decode(
              "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA"
                  + "60e6kgAAAABJRU5ErkJggg==");

  private TestServer server;

  @BeforeEach
  void start(@TempDir Path dir) {
    server = TestServer.start(dir, "media: { maxSize: 64kb }");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private Reply upload(byte[] bytes, String type) {
    return server.send(
        server
            .request("/v1/media?filename=dot.png", "Content-Type", type)
            .POST(BodyPublishers.ofByteArray(bytes)));
  }

  private Reply form(String path, String... parts) {
    StringBuilder body = new StringBuilder();
    for (String part : parts) {
      body.append("--xyz\r\n").append(part).append("\r\n");
    }
    body.append("--xyz--\r\n");
    return server.send(
        server
            .request(path, "Content-Type", "multipart/form-data; boundary=xyz")
            .POST(BodyPublishers.ofString(body.toString(), StandardCharsets.UTF_8)));
  }

  private static String field(String name, String content) {
    return "Content-Disposition: form-data; name=\"" + name + "\"\r\n\r\n" + content;
  }

  private static String file(String name, String filename, String content) {
    return "Content-Disposition: form-data; name=\""
        + name
        + "\"; filename=\""
        + filename
        + "\"\r\nContent-Type: text/plain\r\n\r\n"
        + content;
  }

  private JsonNode newest() {
    return server.get("/v1/sandbox/sandbox/inbox").json().path("items").path(0);
  }

  private Reply send(String media) {
    return server.post(
        "/v1/messages?wait=10s",
        "{\"account\":\"sandbox\",\"to\":\"ann\",\"text\":\"look\",\"media\":[" + media + "]}");
  }

  private static String wrongField(Reply refused) {
    return refused.json().path("errors").path(0).path("field").asString("");
  }

  @Test
  void an_upload_is_told_by_its_bytes_and_can_be_sent_by_its_id() {
    Reply uploaded = upload(PNG, "text/html");

    assertThat(uploaded.status()).isEqualTo(201);
    assertThat(uploaded.text("type")).isEqualTo("image/png");
    assertThat(uploaded.text("kind")).isEqualTo("image");
    assertThat(uploaded.text("filename")).isEqualTo("dot.png");
    assertThat(uploaded.json().path("size").asInt()).isEqualTo(PNG.length);
    assertThat(uploaded.text("url")).isEqualTo("media:" + uploaded.text("id"));

    Reply sent = send("{\"id\":\"" + uploaded.text("id") + "\",\"filename\":\"dot.png\"}");

    assertThat(sent.text("status")).isEqualTo("delivered");
    assertThat(newest().path("text").asString()).isEqualTo("look");
    JsonNode shown = newest().path("media").path(0);
    assertThat(shown.path("kind").asString()).isEqualTo("image");
    assertThat(shown.path("filename").asString()).isEqualTo("dot.png");
    assertThat(shown.path("size").asInt()).isEqualTo(PNG.length);
  }

  @Test
  void the_same_bytes_have_the_same_id_and_can_be_looked_up() {
    String id = upload(PNG, "image/png").text("id");

    assertThat(upload(PNG, "application/octet-stream").text("id")).isEqualTo(id);
    assertThat(server.get("/v1/media/" + id).text("type")).isEqualTo("image/png");
    assertThat(server.get("/v1/media/" + "0".repeat(64)).status()).isEqualTo(404);
    assertThat(server.get("/v1/media/..%2F..%2Fetc%2Fpasswd").status()).isEqualTo(404);
  }

  @Test
  void a_form_can_bring_the_file() {
    Reply uploaded = form("/v1/media", file("file", "C:\\notes\\größe.txt", "hello"));

    assertThat(uploaded.status()).isEqualTo(201);
    assertThat(uploaded.text("filename")).isEqualTo("größe.txt");
    assertThat(uploaded.text("type")).isEqualTo("text/plain");
  }

  @Test
  void a_form_can_bring_a_message_with_its_files() {
    Reply sent =
        form(
            "/v1/messages?wait=10s",
            file("notes", "notes.txt", "hello"),
            file("more", "more.txt", "there"),
            field(
                "message",
                """
                {"account":"sandbox","to":"ann","text":"two files",
                 "media":[{"url":"attach:more","filename":"first.txt"}]}"""));

    assertThat(sent.text("status")).as("%s", sent.raw().body()).isEqualTo("delivered");
    assertThat(newest().path("media").path(0).path("filename").asString()).isEqualTo("first.txt");
    assertThat(newest().path("media").path(1).path("filename").asString()).isEqualTo("notes.txt");
  }

  @Test
  void a_form_that_is_wrong_is_told_so() {
    String message =
        "{\"account\":\"sandbox\",\"to\":\"ann\",\"media\":[{\"url\":\"attach:nothing\"}]}";

    assertThat(wrongField(form("/v1/messages", field("message", message))))
        .isEqualTo("media[0].url");
    assertThat(wrongField(form("/v1/messages", file("a", "a", "a")))).isEqualTo("message");
    assertThat(form("/v1/media").status()).isEqualTo(422);
    Reply noBoundary =
        server.send(
            server
                .request("/v1/messages", "Content-Type", "multipart/form-data")
                .POST(BodyPublishers.ofString("x")));
    assertThat(noBoundary.status()).isEqualTo(400);
    Reply cut =
        server.send(
            server
                .request("/v1/messages", "Content-Type", "multipart/form-data; boundary=xyz")
                .POST(BodyPublishers.ofString("--xyz\r\n" + field("message", "{"))));
    assertThat(cut.status()).isEqualTo(400);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Content-Disposition: form-data; filename=\"a\"\r\n\r\na", // no name
        "Content-Type: text/plain\r\n\r\na",
        "Content-Disposition: form-data; name=\"a\"; filename=\"a\u0000b\"\r\n\r\na",
        "Content-Disposition: form-data; name=\"a\"\r\nContent-Type: multipart/mixed\r\n\r\na",
        "Content-Disposition: form-data; name=\"a\"\r\n"
            + "Content-Type: multipart/mixed; boundary=longer\r\n\r\n--longer\r\n\r\na",
        "no header at all"
      })
  void a_part_that_cannot_be_read_is_refused_and_not_left_out(String part) {
    String message = field("message", "{\"account\":\"sandbox\",\"to\":\"ann\",\"text\":\"x\"}");

    Reply reply = form("/v1/messages", message, part);

    assertThat(reply.status()).isEqualTo(400);
    assertThat(reply.text("detail")).isNotBlank();
  }

  @Test
  void a_part_with_an_endless_header_is_refused() {
    String endless = "X-Long: " + "x".repeat(100_000) + "\r\n" + field("a", "a");

    assertThat(form("/v1/messages", endless).status()).isEqualTo(400);
  }

  @Test
  void a_data_uri_becomes_an_upload() {
    Reply sent = send("{\"url\":\"data:text/plain;base64,aGVsbG8=\"}");

    assertThat(sent.text("status")).isEqualTo("delivered");
    JsonNode media = server.get("/v1/messages/" + sent.text("id")).json().path("media").path(0);
    assertThat(media.path("url").asString()).startsWith("media:");
    assertThat(newest().path("media").path(0).path("kind").asString()).isEqualTo("document");
  }

  @Test
  void a_file_that_is_too_large_is_refused_before_it_fills_the_disk() {
    Reply refused = upload(new byte[65 << 10], "application/octet-stream");

    assertThat(refused.status()).isEqualTo(413);
    assertThat(refused.text("detail")).contains("media.maxSize");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"url\":\"file:///etc/passwd\"}",
        "{\"url\":\"FILE:/etc/passwd\"}",
        "{\"url\":\"ftp://example.org/a\"}",
        "{\"url\":\"data:nonsense\"}",
        "{\"id\":\"0000\"}",
        "{\"filename\":\"a.png\"}",
        "{\"url\":\"https://example.org/a\",\"kind\":\"photo\"}",
        "{\"url\":\"https://example.org/a\",\"loop\":1}",
        "{\"url\":\"https://example.org/a\",\"asDocumnt\":true}",
        "\"https://example.org/a\""
      })
  void what_cannot_be_attached_is_refused_by_its_field(String media) {
    Reply refused = send(media);

    assertThat(refused.status()).as("%s", refused.raw().body()).isEqualTo(422);
    assertThat(wrongField(refused)).startsWith("media[0]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"/v1/reminders", "/v1/reminders/preview"})
  void a_reminder_cannot_attach_a_file_of_the_server(String path) {
    Reply refused =
        server.post(
            path,
            """
            {"name": "n", "account": "sandbox", "timezone": "UTC", "window": "none",
             "targets": [{"to": "a"}],
             "messages": [{"text": "x"}, {"media": [{"url": "FILE:///etc/passwd"}]}]}
            """);

    assertThat(refused.status()).isEqualTo(422);
    assertThat(wrongField(refused)).isEqualTo("messages[1].media[0].url");
  }

  @Test
  void a_preview_shows_the_exact_parts_and_sends_nothing() {
    Reply preview =
        server.post(
            "/v1/messages/preview",
            "{\"account\":\"sandbox\",\"to\":\"ann\",\"text\":\"%s\"}"
                .formatted("word ".repeat(1000)));

    assertThat(preview.status()).isEqualTo(200);
    assertThat(preview.json().path("parts").size()).isEqualTo(2);
    JsonNode first = preview.json().path("parts").path(0);
    assertThat(first.path("size").asInt()).isEqualTo(first.path("text").asString().length());
    assertThat(first.path("limit").asInt()).isEqualTo(4096);
    assertThat(first.path("unit").asString()).isEqualTo("utf16");
    assertThat(server.get("/v1/messages").json().path("items").size()).isZero();
  }

  @Test
  void a_preview_refuses_what_would_be_refused() {
    Reply refused =
        server.post("/v1/messages/preview", "{\"account\":\"sandbx\",\"to\":\"a\",\"text\":\"x\"}");

    assertThat(refused.status()).isEqualTo(422);
    assertThat(refused.text("detail")).contains("sandbox");
  }
}
