package dev.postrider.server.push;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.standardwebhooks.Webhook;
import com.standardwebhooks.exceptions.WebhookVerificationException;
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
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Messages pushed to a web server of the reader's. */
class PushTest {
  private static final String SECRET = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
  private static final String OTHER = "whsec_ZmVkY2JhOTg3NjU0MzIxMGZlZGNiYTk4NzY1NDMyMTA=";
  private static final Duration LONG = Duration.ofSeconds(30);

  private final FakePlatform receiver = FakePlatform.start();
  private TestServer server;

  @BeforeEach
  void start(@TempDir Path dir) {
    server = serving(dir, "30s");
  }

  private TestServer serving(Path dir, String timeout) {
    return TestServer.start(
        dir,
        """
        inbound:
          backoff: [1ms]
          jitter: 0
          maxAttempts: 2
          pushTo: %s/in?key=t0ken-in-the-address
          pushSecret: %s
          pushTimeout: %s
        """
            .formatted(receiver.baseUrl(), SECRET, timeout));
  }

  @AfterEach
  void stop() {
    server.close();
    receiver.close();
  }

  private List<Request> pushed(int count) {
    return receiver.awaitRequests(count, LONG);
  }

  private static JsonNode json(Request request) {
    return new JsonMapper().readTree(request.text());
  }

  private static void verify(Request request, String secret) throws Exception {
    Map<String, List<String>> headers =
        request.headers().entrySet().stream()
            .collect(Collectors.toMap(Map.Entry::getKey, each -> List.of(each.getValue())));
    new Webhook(secret).verify(request.text(), HttpHeaders.of(headers, (_, _) -> true));
  }

  private JsonNode story(Event.TurnEnded turn) {
    return server.get("/v1/turns/" + turn.id()).json();
  }

  @Test
  void a_message_is_pushed_signed_and_handled_when_it_is_taken() throws Exception {
    CompletableFuture<Event.TurnEnded> over = server.next(Event.TurnEnded.class);
    server.hear("ann", "hello");

    Request request = pushed(1).getFirst();
    verify(request, SECRET);
    assertThatThrownBy(() -> verify(request, OTHER))
        .isInstanceOf(WebhookVerificationException.class);
    JsonNode payload = json(request);
    assertThat(payload.path("type").asString()).isEqualTo("inbound.message");
    assertThat(payload.path("timestamp")).isEqualTo(payload.at("/data/message/receivedAt"));
    assertThat(payload.at("/data/attempt").asInt()).isEqualTo(1);
    assertThat(payload.at("/data/turnId")).isEqualTo(payload.at("/data/message/id"));
    assertThat(payload.at("/data/message/text").asString()).isEqualTo("hello");
    assertThat(request.headers().get("webhook-id"))
        .isEqualTo(payload.at("/data/turnId").asString());
    assertThat(over.join().state()).isEqualTo("empty");
    assertThat(story(over.join()).at("/message/status").asString()).isEqualTo("handled");
  }

  @Test
  void replies_in_the_answer_are_sent() {
    CompletableFuture<Event.TurnEnded> over = server.next(Event.TurnEnded.class);
    receiver.answer(
        Reply.text(
            200,
            "text/plain", // many a small web server does not say that it is JSON
            "{\"ok\":true,\"replies\":[\"good day\",{\"text\":\"how are you?\"}]}"));
    server.hear("ann", "hello");

    assertThat(over.join().state()).isEqualTo("delivered");
    JsonNode messages = story(over.join()).path("messages");
    assertThat(messages.valueStream().map(said -> said.path("text").asString()))
        .containsExactly("good day", "how are you?");
    assertThat(messages.at("/0/to").asString()).isEqualTo("ann");
  }

  @Test
  void a_plain_answer_says_nothing() {
    for (Reply plain :
        List.of(
            Reply.text(200, "text/plain", "OK"),
            Reply.json(202, "true"),
            Reply.json(200, ""),
            Reply.json(200, "{\"replies\":null}"),
            Reply.html(200, "<h1>Thanks</h1>"))) {
      CompletableFuture<Event.TurnEnded> over = server.next(Event.TurnEnded.class);
      receiver.answer(plain);
      server.hear("ann", "hello");

      assertThat(over.join().state()).as(plain.toString()).isEqualTo("empty");
    }
  }

  @Test
  void a_receiver_that_fails_is_asked_again_under_the_same_id() throws Exception {
    CompletableFuture<Event.TurnEnded> over = server.next(Event.TurnEnded.class);
    receiver.answer(Reply.json(500, "{\"detail\":\"no model\"}"));
    server.hear("ann", "hello");

    List<Request> both = pushed(2);
    assertThat(both.get(1).headers().get("webhook-id"))
        .isEqualTo(both.get(0).headers().get("webhook-id"));
    assertThat(json(both.get(1)).at("/data/attempt").asInt()).isEqualTo(2);
    verify(both.get(1), SECRET);
    assertThat(over.join().state()).isEqualTo("empty");
    assertThat(story(over.join()).at("/history/0/error").asString())
        .isEqualTo("the receiver answered 500 {\"detail\":\"no model\"}");
  }

  static Stream<Arguments> refusals() {
    return Stream.of(
        arguments(Reply.text(503, "text/plain", "busy"), "answered 503 busy"),
        arguments(Reply.text(302, "text/plain", ""), "302; redirects are not followed"),
        arguments(Reply.json(200, "{\"replies\":["), "cannot be read"),
        arguments(Reply.json(200, "{\"replies\":[{}]}"), "replies[0].text: nothing to send"),
        arguments(
            Reply.json(200, "{\"replies\":[{\"to\":\"bob\",\"text\":\"x\"}]}"),
            "replies[0].to: must be left out"),
        arguments(new Reply.HangUp(), "127.0.0.1"),
        arguments(
            new Reply.HalfAnswer(Reply.json(200, "{\"replies\":[\"good day\"]}")), "broke off"),
        arguments(
            Reply.json(200, "{\"replies\":[\"%s\"]}".formatted("x".repeat(1 << 20))),
            "longer than 1 MiB"));
  }

  @ParameterizedTest
  @MethodSource("refusals")
  void what_is_never_taken_is_a_dead_letter_that_says_why_without_secrets(
      Reply refusal, String why) {
    CompletableFuture<Event.InboundFailed> dead = server.next(Event.InboundFailed.class);
    receiver.answer(refusal, refusal);
    server.hear("ann", "hello");

    assertThat(dead.join().error()).contains(why).doesNotContain("t0ken-in-the-address", "whsec_");
    JsonNode letters = server.get("/v1/inbound?status=failed").json().path("items");
    assertThat(letters.at("/0/error").asString()).isEqualTo(dead.join().error());
    assertThat(server.get("/v1/messages").json().path("items")).isEmpty();
  }

  @Test
  void a_receiver_that_does_not_answer_in_time_has_not_taken_it(@TempDir Path other) {
    try (TestServer hasty = serving(other, "100ms")) {
      CompletableFuture<Event.InboundFailed> dead = hasty.next(Event.InboundFailed.class);
      receiver.answer(new Reply.Silence(), new Reply.Silence());
      hasty.hear("ann", "hello");

      assertThat(dead.join().error()).contains("no answer within 100 ms");
    }
  }

  @Test
  void each_account_may_have_a_receiver_of_its_own(@TempDir Path other) throws Exception {
    try (FakePlatform second = FakePlatform.start();
        TestServer two =
            TestServer.start(
                other,
                """
                accounts:
                  - id: sandbox
                    channel: sandbox
                    inbound: { pushTo: "%s", pushSecret: %s }
                  - { id: silent, channel: sandbox }
                """
                    .formatted(second.baseUrl(), OTHER))) {
      two.hear("ann", "hello");
      two.post("/v1/sandbox/silent/messages", "{\"chat\":\"bob\",\"text\":\"hello\"}");

      verify(second.awaitRequests(1, LONG).getFirst(), OTHER);
      JsonNode waiting = two.get("/v1/inbound?account=silent").json().path("items");
      assertThat(waiting.at("/0/status").asString()).isEqualTo("pending");
    }
  }
}
