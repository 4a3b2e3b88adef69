package dev.postrider.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.testkit.platform.FakePlatform;
import dev.postrider.testkit.platform.Reply;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

@Timeout(300)
class ListeningTest {

  @Test
  void an_account_that_may_not_listen_says_so_and_goes_on_sending(@TempDir Path dir) {
    try (FakePlatform slack = FakePlatform.start()) {
      slack.otherwise(
          request ->
              Reply.json(
                  200,
                  request.path().equals("/apps.connections.open")
                      ? "{\"ok\":false,\"error\":\"not_allowed_token_type\"}"
                      : "{\"ok\":true,\"ts\":\"1.1\",\"user\":\"rider\"}"));
      String yaml =
          """
          accounts:
            - {id: sl, channel: slack, token: xoxb-hush, appToken: xapp-hush, baseUrl: "%s"}
          """
              .formatted(slack.baseUrl());
      try (TestServer server = TestServer.start(dir, yaml)) {
        slack.awaitRequests(1, Duration.ofMinutes(5));
        JsonNode listening = listening(server);
        while (!listening.path("refused").asBoolean()) {
          Thread.onSpinWait(); // until the answer has been read
          listening = listening(server);
        }
        assertThat(listening.path("status").asString()).isEqualTo("failing");
        assertThat(listening.path("cause").asString()).contains("not_allowed_token_type");
        assertThat(listening.path("since").asString()).isNotEmpty();
        assertThat(server.get("/v1/accounts").json().at("/items/0/health").asString())
            .isEqualTo("degraded");

        assertThat(
                server
                    .post(
                        "/v1/messages?wait=10s",
                        "{\"account\":\"sl\",\"to\":\"C1\",\"text\":\"hello\"}")
                    .text("status"))
            .isEqualTo("delivered");
      }
    }
  }

  private static JsonNode listening(TestServer server) {
    return server.get("/v1/accounts").json().at("/items/0/listening");
  }
}
