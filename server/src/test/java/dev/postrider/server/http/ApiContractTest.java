package dev.postrider.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The check that all answers in the tests go through can fail, and what never reaches it is told.
 */
class ApiContractTest {
  private static final String PROBLEM =
      "{\"type\":\"t\",\"title\":\"t\",\"status\":404,\"detail\":\"d\"}";

  private static List<String> broken(
      String method, String path, int status, String type, String body) {
    return ApiContract.API.broken(method, path, status, type, body);
  }

  @Test
  void answers_that_are_not_described_are_found() {
    String type = "application/problem+json";
    assertThat(broken("GET", "/v1/messages/x", 404, type, PROBLEM)).isEmpty();
    assertThat(broken("GET", "/v1/messages/x", 418, type, PROBLEM)).isNotEmpty();
    assertThat(broken("GET", "/v1/messages/x", 404, "text/html", PROBLEM)).isNotEmpty();
    assertThat(broken("GET", "/v1/messages/x", 404, type, "{\"type\":\"t\"}")).isNotEmpty();
    assertThat(broken("GET", "/v1/messages/x", 404, type, "not JSON")).isNotEmpty();
    assertThat(broken("GET", "/v1/messages", 200, "application/json", "{\"items\":[{}]}"))
        .isNotEmpty();
    assertThat(broken("GET", "/v1/dead-letters/export", 200, "application/x-ndjson", "{}\n"))
        .isNotEmpty();
    assertThat(broken("GET", "/v1/nothing", 200, "application/json", "{}")).isNotEmpty();
    assertThat(broken("GET", "/v1/nothing", 404, type, PROBLEM)).isEmpty();
    assertThat(broken("PATCH", "/v1/messages", 405, type, PROBLEM)).isEmpty();
  }

  @Test
  void a_target_or_headers_that_are_too_long_are_refused_as_described(@TempDir Path dir)
      throws Exception {
    try (TestServer server = TestServer.start(dir)) {
      String end = " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n";
      assertThat(server.raw("GET /v1/stats?a=" + "x".repeat(20_000) + end + "\r\n"))
          .startsWith("HTTP/1.1 414 ")
          .contains("application/problem+json");
      assertThat(server.raw("GET /v1/stats" + end + "X: " + "x".repeat(200_000) + "\r\n\r\n"))
          .startsWith("HTTP/1.1 400 ")
          .contains("application/problem+json");
    }
  }
}
