package dev.postrider.server.alert;

import static org.assertj.core.api.Assertions.assertThat;

import com.standardwebhooks.Webhook;
import dev.postrider.event.Event;
import dev.postrider.server.http.TestServer;
import dev.postrider.testkit.platform.FakePlatform;
import dev.postrider.testkit.platform.Reply;
import dev.postrider.testkit.platform.Request;
import java.net.http.HttpHeaders;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Alerts of a real server. */
class AlertServerTest {
  private static final String SECRET = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
  private static final Duration LONG = Duration.ofSeconds(30);

  private final FakePlatform receiver = FakePlatform.start();

  @AfterEach
  void stop() {
    receiver.close();
  }

  private TestServer serving(Path dir, String settingsOfOps) {
    return TestServer.start(
        dir,
        """
        accounts:
          - { id: sandbox, channel: sandbox, faults: { rejected: 1.0 } }
          - { id: ops-bot, channel: sandbox %s }
        alerts:
          account: ops-bot
          to: ops
          webhook: %s/alerts?key=t0ken
          webhookSecret: %s
          digest: 0s
        """
            .formatted(settingsOfOps, receiver.baseUrl(), SECRET));
  }

  private static void fail(TestServer server, String to) {
    server.post(
        "/v1/messages?wait=10s",
        "{\"account\":\"sandbox\",\"to\":\"%s\",\"text\":\"hello\"}".formatted(to));
  }

  private static JsonNode verified(Request request) throws Exception {
    Map<String, List<String>> headers =
        request.headers().entrySet().stream()
            .collect(Collectors.toMap(Map.Entry::getKey, each -> List.of(each.getValue())));
    new Webhook(SECRET).verify(request.text(), HttpHeaders.of(headers, (_, _) -> true));
    return new JsonMapper().readTree(request.text());
  }

  @Test
  void a_dead_letter_is_told_as_a_message_and_as_a_signed_webhook(@TempDir Path dir)
      throws Exception {
    receiver.answer(Reply.json(503, "{}")); // and again, if the first try fails
    try (TestServer server = serving(dir, "")) {
      CompletableFuture<Event.Delivered> told = server.next(Event.Delivered.class);
      fail(server, "ann");

      JsonNode message =
          server.get("/v1/messages/" + told.join().id()).json(); // nothing else is delivered
      assertThat(message.path("account").asString()).isEqualTo("ops-bot");
      assertThat(message.path("to").asString()).isEqualTo("ops");
      assertThat(message.path("text").asString())
          .startsWith("Postrider " + server.postrider().node())
          .contains("\n- 1 dead letter of sandbox (rejected-");
      assertThat(message.path("metadata").has("postrider.alert")).isTrue();

      List<Request> posted = receiver.awaitRequests(2, LONG);
      JsonNode payload = verified(posted.get(1));
      assertThat(payload.path("type").asString()).isEqualTo("alert");
      assertThat(payload.at("/data/alerts/0/kind").asString()).isEqualTo("dead-letters");
      assertThat(payload.at("/data/alerts/0/account").asString()).isEqualTo("sandbox");
      assertThat(payload.at("/data/alerts/0/text").asString())
          .startsWith("1 dead letter of sandbox (rejected-");
      assertThat(posted.get(1).headers().get("webhook-id"))
          .isEqualTo(posted.get(0).headers().get("webhook-id"));
    }
  }

  @Test
  void an_alert_that_is_a_dead_letter_itself_is_not_alerted(@TempDir Path dir) throws Exception {
    try (TestServer server = serving(dir, ", faults: { rejected: 1.0 }")) {
      CompletableFuture<Boolean> alertDied = new CompletableFuture<>();
      server
          .postrider()
          .events()
          .subscribe(
              event -> {
                if (event instanceof Event.Ended && event.account().equals("ops-bot")) {
                  alertDied.complete(true);
                }
              });
      fail(server, "ann");
      alertDied.get(5, TimeUnit.MINUTES);
      fail(server, "bob"); // whose alert would also tell what had happened before

      List<Request> posted = receiver.awaitRequests(2, LONG);
      for (Request request : posted) {
        assertThat(verified(request).at("/data/alerts").valueStream())
            .extracting(alert -> alert.path("account").asString())
            .containsExactly("sandbox");
      }
    }
  }
}
