package dev.postrider.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.server.http.TestServer.Reply;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files under signed addresses, for platforms that take files by address only. */
class PublicMediaTest {
  private static final String PUBLIC = "https://postrider.example.org";
  private static final byte[] PDF = "%PDF-1.7 0123456789".getBytes(StandardCharsets.UTF_8);
  private static final String ADMIN = "Bearer t0ken-of-the-tests";

  private final HttpClient http = HttpClient.newHttpClient();
  private TestServer server;

  @BeforeEach
  void start(@TempDir Path dir) {
    server =
        TestServer.start(
            dir,
            """
            http:
              publicUrl: %s/
              failuresPerMinute: 5
              tokens: [ { name: ops, secret: t0ken-of-the-tests, role: admin } ]
            accounts: [ { id: line, channel: sandbox, filesByAddress: true } ]
            """
                .formatted(PUBLIC));
  }

  @AfterEach
  void stop() {
    server.close();
  }

  /** Sends a file, and gives the address that the platform was given. */
  private String address() {
    Reply held =
        server.send(
            server
                .request("/v1/media", "Authorization", ADMIN, "Content-Type", "application/pdf")
                .POST(BodyPublishers.ofByteArray(PDF)));
    Reply sent =
        server.post(
            "/v1/messages?wait=10s",
            "{\"account\":\"line\",\"to\":\"ann\",\"media\":[{\"id\":\"%s\"}]}"
                .formatted(held.text("id")),
            "Authorization",
            ADMIN);
    assertThat(sent.text("status")).isEqualTo("delivered");
    String address =
        server
            .get("/v1/sandbox/line/inbox", "Authorization", ADMIN)
            .json()
            .at("/items/0/mediaUrl")
            .asString();
    assertThat(address).startsWith(PUBLIC + "/media/" + held.text("id") + "?expires=");
    return address;
  }

  private HttpResponse<byte[]> fetch(String method, String address, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(address.replace(PUBLIC, server.address())));
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    return http.send(
        request.method(method, BodyPublishers.noBody()).build(), BodyHandlers.ofByteArray());
  }

  @Test
  void whoever_has_the_address_gets_the_file_without_a_token() throws Exception {
    String address = address();
    HttpResponse<byte[]> file = fetch("GET", address);

    assertThat(file.statusCode()).isEqualTo(200);
    assertThat(file.body()).isEqualTo(PDF);
    assertThat(file.headers().map())
        .contains(
            Map.entry("content-type", List.of("application/pdf")),
            Map.entry("content-length", List.of("19")),
            Map.entry("x-content-type-options", List.of("nosniff")),
            Map.entry("content-security-policy", List.of("default-src 'none'; sandbox")))
        .containsKey("content-disposition");
    HttpResponse<byte[]> head = fetch("HEAD", address);
    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(head.headers().firstValue("Content-Length")).contains("19");
    assertThat(head.body()).isEmpty();
  }

  @Test
  void a_range_of_a_file_is_given() throws Exception {
    String address = address();

    HttpResponse<byte[]> piece = fetch("GET", address, "Range", "bytes=9-12");
    assertThat(piece.statusCode()).isEqualTo(206);
    assertThat(piece.body()).asString(StandardCharsets.UTF_8).isEqualTo("0123");
    assertThat(piece.headers().firstValue("Content-Range")).contains("bytes 9-12/19");
    assertThat(fetch("GET", address, "Range", "bytes=15-").body())
        .asString(StandardCharsets.UTF_8)
        .isEqualTo("6789");
    assertThat(fetch("GET", address, "Range", "bytes=19-").statusCode()).isEqualTo(416);
    assertThat(fetch("GET", address, "Range", "bytes=0-1,3-4").statusCode()).isEqualTo(200);
  }

  @Test
  void an_address_that_was_tampered_with_is_refused_and_counted() throws Exception {
    String address = address();
    String other = address.endsWith("0") ? "1" : "0";

    assertThat(fetch("GET", address.replaceFirst(".$", other)).statusCode()).isEqualTo(401);
    assertThat(fetch("GET", address.replace("expires=1", "expires=2")).statusCode()).isEqualTo(401);
    assertThat(fetch("GET", address.replaceFirst("media/..", "media/zz")).statusCode())
        .isEqualTo(401);
    assertThat(fetch("GET", address.replaceFirst("&signature.*", "")).statusCode()).isEqualTo(401);
    assertThat(fetch("GET", address.replaceFirst("\\?.*", "")).statusCode()).isEqualTo(401);
    assertThat(fetch("GET", address.replaceFirst(".$", other)).statusCode()).isEqualTo(429);
    assertThat(fetch("GET", address).statusCode()).isEqualTo(200);
  }

  @Test
  void an_address_that_has_run_out_is_gone() throws Exception {
    String address = address();
    String hash = address.replaceFirst(".*/media/", "").replaceFirst("\\?.*", "");

    String old = server.postrider().mediaAddress(hash, Instant.now().minusSeconds(1));
    assertThat(fetch("GET", old).statusCode()).isEqualTo(410);
  }

  @Test
  void without_a_public_url_bytes_are_refused(@TempDir Path dir) {
    try (TestServer hidden =
        TestServer.start(
            dir, "accounts: [ { id: line, channel: sandbox, filesByAddress: true } ]")) {
      Reply refused =
          hidden.post(
              "/v1/messages",
              "{\"account\":\"line\",\"to\":\"ann\",\"media\":[{\"url\":\"data:text/plain,hi\"}]}");

      assertThat(refused.status()).isEqualTo(422);
      assertThat(refused.text("detail")).contains("http.publicUrl");
      assertThat(hidden.get("/media/" + "0".repeat(64) + "?expires=1&signature=x").status())
          .isEqualTo(401);
    }
  }
}
