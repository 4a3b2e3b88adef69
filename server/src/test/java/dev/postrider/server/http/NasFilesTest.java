package dev.postrider.server.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.server.http.TestServer.Reply;
import dev.postrider.testkit.platform.FakePlatform;
import java.net.URI;
import java.net.URLDecoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A file in custody on its way to Synology Chat, which takes addresses only. */
class NasFilesTest {
  private static final String PUBLIC = "https://postrider.example.org";
  private static final byte[] PDF = "%PDF-1.7 0123456789".getBytes(UTF_8);

  @Test
  void a_nas_is_given_an_address_under_which_it_finds_the_file(@TempDir Path dir) throws Exception {
    try (FakePlatform nas = FakePlatform.start()) {
      nas.otherwise(
          _ -> dev.postrider.testkit.platform.Reply.json(200, "{\"success\":true,\"data\":{}}"));
      try (TestServer server = TestServer.start(dir, config(nas))) {
        Reply held =
            server.send(
                server
                    .request("/v1/media", "Content-Type", "application/pdf")
                    .POST(BodyPublishers.ofByteArray(PDF)));
        Reply sent =
            server.post(
                "/v1/messages?wait=10s",
                """
                {"account":"nas","to":"4","text":"The plan","media":[{"id":"%s"}]}"""
                    .formatted(held.text("id")));

        assertThat(sent.text("status")).isEqualTo("delivered");
        JsonNode payload = payload(nas.onlyRequest().text());
        assertThat(payload.path("text").asString()).isEqualTo("The plan");
        assertThat(fetched(payload.path("file_url").asString(), server)).isEqualTo(PDF);
      }
    }
  }

  private static String config(FakePlatform nas) {
    return """
        http: { publicUrl: "%s" }
        accounts: [ { id: nas, channel: synology-chat, baseUrl: "%s", token: W4xT0kEn } ]
        """
        .formatted(PUBLIC, nas.baseUrl());
  }

  private static JsonNode payload(String form) {
    String json = URLDecoder.decode(form.substring("payload=".length()), UTF_8);
    return JsonMapper.shared().readTree(json);
  }

  private static byte[] fetched(String address, TestServer server) throws Exception {
    assertThat(address).startsWith(PUBLIC + "/media/");
    try (HttpClient http = HttpClient.newHttpClient()) {
      HttpResponse<byte[]> file =
          http.send(
              HttpRequest.newBuilder(URI.create(address.replace(PUBLIC, server.address()))).build(),
              BodyHandlers.ofByteArray());
      assertThat(file.statusCode()).isEqualTo(200);
      return file.body();
    }
  }
}
