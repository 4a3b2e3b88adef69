package dev.postrider.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.server.http.TestServer.Reply;
import dev.postrider.testkit.platform.FakePlatform;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Files of inbound messages, fetched for those who do not have the account's token. */
class InboundMediaTest {
  private static final String TOKEN = "123456:AAH-very-secret";
  private static final String UPDATE =
      """
      {"update_id":1,"message":{"message_id":7,"date":1763222400,"from":{"id":5,"first_name":"Ann"},
       "chat":{"id":12345,"type":"private"},"document":{"file_id":"F1","file_name":%s,\
      "mime_type":"text/html","file_size":11}}}""";
  private static final byte[] PDF = "%PDF-1.7 abc".getBytes(StandardCharsets.ISO_8859_1);

  private final FakePlatform telegram = FakePlatform.start();
  private final HttpClient http = HttpClient.newHttpClient();
  private TestServer server;

  @BeforeEach
  void start(@TempDir Path dir) {
    server =
        TestServer.start(
            dir,
            """
            http:
              tokens:
                - { name: ops, secret: t0ken-of-the-tests, role: admin }
                - { name: bot, secret: t0ken-that-sends, role: send }
                - { name: eye, secret: t0ken-that-reads, role: read }
            media: { maxSize: 1MB }
            accounts:
              - { id: tg, channel: telegram, token: "%s", baseUrl: "%s", webhookSecret: s3cret, \
            timeout: 5s }
              - { id: keeper, channel: telegram, token: "9:AAH-another-one", baseUrl: "%s", \
            webhookSecret: s3cret, inbound: { keepMedia: true } }
            """
                .formatted(TOKEN, telegram.baseUrl(), telegram.baseUrl()));
    telegram.when(
        request -> request.path().endsWith("/getFile"),
        _ ->
            dev.postrider.testkit.platform.Reply.json(
                200, "{\"ok\":true,\"result\":{\"file_path\":\"documents/file_1.pdf\"}}"));
  }

  @AfterEach
  void stop() {
    server.close();
    telegram.close();
  }

  private void fileIs(dev.postrider.testkit.platform.Reply reply) {
    telegram.when(
        request -> request.path().equals("/file/bot" + TOKEN + "/documents/file_1.pdf"),
        _ -> reply);
  }

  private static dev.postrider.testkit.platform.Reply.Answer file(byte[] bytes) {
    return new dev.postrider.testkit.platform.Reply.Answer(
        200, Map.of("Content-Type", "text/html"), bytes, Duration.ZERO, Duration.ZERO);
  }

  /** Somebody sends a file; gives where it can be had. */
  private String arrives(String name) {
    arrivesAt("tg", name);
    Reply list = server.get("/v1/inbound", "Authorization", "Bearer t0ken-of-the-tests");
    assertThat(list.raw().body()).doesNotContain("very-secret");
    JsonNode message = list.json().at("/items/0");
    String href = message.at("/media/0/href").asString();
    assertThat(href).isEqualTo("/v1/inbound/" + message.path("id").asString() + "/media/0");
    return href;
  }

  private void arrivesAt(String account, String name) {
    Reply hook =
        server.send(
            server
                .request(
                    "/hooks/" + account,
                    "Content-Type",
                    "application/json",
                    "X-Telegram-Bot-Api-Secret-Token",
                    "s3cret")
                .POST(BodyPublishers.ofString(UPDATE.formatted("\"" + name + "\""))));
    assertThat(hook.status()).isEqualTo(200);
  }

  private HttpResponse<byte[]> download(String method, String path, String secret)
      throws IOException, InterruptedException {
    return http.send(
        server
            .request(path, "Authorization", "Bearer " + secret)
            .method(method, BodyPublishers.noBody())
            .build(),
        BodyHandlers.ofByteArray());
  }

  private Reply refused(String path) {
    return server.get(path, "Authorization", "Bearer t0ken-of-the-tests");
  }

  @Test
  void a_file_is_downloaded_without_the_bots_token() throws Exception {
    fileIs(file(PDF));
    String href = arrives("../a \\\"b\\\"\\r\\nX: y \\u00fc.pdf");

    for (String role : new String[] {"t0ken-that-sends", "t0ken-that-reads"}) {
      HttpResponse<byte[]> answer = download("GET", href, role);
      assertThat(answer.statusCode()).isEqualTo(200);
      assertThat(answer.body()).isEqualTo(PDF);
      assertThat(answer.headers().map())
          .contains(
              Map.entry("content-type", List.of("application/pdf")),
              Map.entry("content-length", List.of("12")),
              Map.entry("x-content-type-options", List.of("nosniff")),
              Map.entry("content-security-policy", List.of("default-src 'none'; sandbox")),
              Map.entry(
                  "content-disposition",
                  List.of(
                      "attachment; filename=\"a_bX_y__.pdf\";"
                          + " filename*=UTF-8''a%20bX%20y%20%C3%BC.pdf")));
      assertThat(answer.headers().map().toString()).doesNotContain("very-secret");
    }
    assertThat(download("GET", href, "wrong").statusCode()).isEqualTo(401);
  }

  @Test
  void whoever_sees_a_message_sees_how_it_stands_with_files_that_are_kept() {
    fileIs(file(PDF));
    arrivesAt("tg", "not kept.pdf");
    arrivesAt("keeper", "kept.pdf");
    String[] ops = {"Authorization", "Bearer t0ken-of-the-tests"};

    JsonNode list = server.get("/v1/inbound", ops).json();
    JsonNode leases = server.post("/v1/inbound/lease", "{}", ops).json();
    JsonNode history = server.get("/v1/sessions/keeper%2F12345/history", ops).json();
    JsonNode turn =
        server.get("/v1/turns/" + list.at("/items/0/id").asString(), ops).json().path("message");

    JsonNode leased =
        leases
            .path("items")
            .valueStream()
            .map(item -> item.path("message"))
            .filter(message -> message.path("account").asString().equals("keeper"))
            .findFirst()
            .orElseThrow();
    for (JsonNode message :
        List.of(list.at("/items/0"), leased, history.at("/items/0/message"), turn)) {
      assertThat(message.at("/keptMedia/0/index").asInt(-1)).as(message.toString()).isZero();
      assertThat(message.at("/keptMedia/0/state").asString()).isIn("pending", "kept");
    }
    assertThat(list.at("/items/1/keptMedia").isArray()).isTrue();
    assertThat(list.at("/items/1/keptMedia")).isEmpty();
  }

  @Test
  void head_tells_of_a_file_without_its_bytes() throws Exception {
    fileIs(file(PDF));
    HttpResponse<byte[]> answer = download("HEAD", arrives("a.pdf"), "t0ken-that-reads");

    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("Content-Length")).contains("12");
    assertThat(answer.body()).isEmpty();
  }

  @Test
  void a_file_that_the_platform_has_no_more_is_gone() {
    fileIs(dev.postrider.testkit.platform.Reply.json(404, "{}"));
    Reply answer = refused(arrives("a.pdf"));

    assertThat(answer.status()).isEqualTo(404);
    assertThat(answer.text("type")).endsWith("file-gone");
    assertThat(answer.text("detail")).contains("Telegram answered 404");
  }

  @Test
  void a_file_of_a_platform_that_cannot_be_reached_is_there_later() {
    fileIs(new dev.postrider.testkit.platform.Reply.HangUp());
    Reply answer = refused(arrives("a.pdf"));

    assertThat(answer.status()).isEqualTo(503);
    assertThat(answer.header("Retry-After")).isNotNull();
    assertThat(answer.raw().body()).doesNotContain("very-secret");
  }

  @Test
  void a_file_that_the_platform_refuses_says_so() {
    fileIs(dev.postrider.testkit.platform.Reply.json(403, "{\"why\":\"" + TOKEN + "\"}"));
    Reply answer = refused(arrives("a.pdf"));

    assertThat(answer.status()).isEqualTo(502);
    assertThat(answer.text("type")).endsWith("file-refused");
    assertThat(answer.raw().body()).doesNotContain("very-secret");
  }

  @Test
  void a_file_above_the_limit_is_refused() {
    fileIs(file(new byte[(1 << 20) + 1]));
    Reply answer = refused(arrives("a.pdf"));

    assertThat(answer.status()).isEqualTo(413);
    assertThat(answer.text("detail")).contains("media.maxSize");
  }

  @Test
  void a_file_that_breaks_off_does_not_look_whole() {
    fileIs(new dev.postrider.testkit.platform.Reply.HalfAnswer(file(new byte[1 << 20])));
    String href = arrives("a.bin");

    assertThatThrownBy(() -> download("GET", href, "t0ken-that-reads"))
        .isInstanceOf(IOException.class);
  }

  @Test
  void a_file_that_never_ends_is_cut_off_at_the_limit() {
    fileIs(new dev.postrider.testkit.platform.Reply.EndlessBody(200));
    String href = arrives("a.bin");

    assertThatThrownBy(() -> download("GET", href, "t0ken-that-reads"))
        .isInstanceOf(IOException.class);
  }

  @Test
  void files_that_are_not_there_are_not_found() {
    String href = arrives("a.pdf");
    for (String other : new String[] {"1", "-1", "x", "99999999999"}) {
      Reply answer = refused(href.replaceAll("0$", other));
      assertThat(answer.status()).as(other).isEqualTo(404);
    }
    assertThat(refused("/v1/inbound/nonsense/media/0").status()).isEqualTo(404);
  }
}
