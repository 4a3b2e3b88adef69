package dev.postrider.server.tracing;

import static dev.postrider.server.tracing.Collector.hex;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.event.Event;
import dev.postrider.server.http.TestServer;
import dev.postrider.testkit.platform.FakePlatform;
import dev.postrider.testkit.platform.Reply;
import io.opentelemetry.proto.trace.v1.Span;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Traces of a real server, which sends what is left of them when it stops. */
class TracingServerTest {
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
  private static final String CALLER = "00-" + TRACE + "-00f067aa0ba902b7-01";
  private static final String SECRET = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=";
  private static final String HELLO = "{\"account\":\"sandbox\",\"to\":\"ann\",\"text\":\"hi\"}";

  private final FakePlatform platform = FakePlatform.start();
  private final Collector collector = new Collector(platform);

  @AfterEach
  void stop() {
    platform.close();
  }

  private TestServer serving(Path dir, String settings) {
    return TestServer.start(
        dir,
        """
        tracing:
          endpoint: %s/v1/traces
          headers: [ "api-key=s3cret-of-the-collector" ]
          service: shop
        %s
        """
            .formatted(platform.baseUrl(), settings));
  }

  @Test
  void a_collector_gets_the_way_of_a_message_in_the_trace_of_its_caller(@TempDir Path dir) {
    try (TestServer server = serving(dir, "")) {
      JsonNode sent = server.post("/v1/messages?wait=10s", HELLO, "traceparent", CALLER).json();
      assertThat(sent.path("status").asString()).isEqualTo("delivered");
      assertThat(sent.path("traceparent").asString()).isEqualTo(CALLER);
    }

    assertThat(platform.requests())
        .allSatisfy(
            request -> {
              assertThat(request.path()).isEqualTo("/v1/traces");
              assertThat(request.headers())
                  .containsEntry("content-type", "application/x-protobuf")
                  .containsEntry("api-key", "s3cret-of-the-collector");
            });
    assertThat(Collector.texts(collector.received().getFirst().getResource().getAttributesList()))
        .containsEntry("service.name", "shop")
        .containsKeys("service.version", "service.instance.id");
    assertThat(collector.spans())
        .extracting(Span::getName)
        .containsExactlyInAnyOrder("postrider.accept", "postrider.attempt", "postrider.message");
    assertThat(collector.spans()).extracting(span -> hex(span.getTraceId())).containsOnly(TRACE);
    Span message = collector.spans("postrider.message").getFirst();
    assertThat(hex(message.getParentSpanId())).isEqualTo("00f067aa0ba902b7");
    assertThat(collector.spans("postrider.attempt").getFirst().getParentSpanId())
        .isEqualTo(message.getSpanId());
  }

  @Test
  void every_line_of_a_batch_can_say_its_own_trace(@TempDir Path dir) {
    String other = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
    String line = HELLO.replace("}", ",\"traceparent\":\"" + CALLER.replace(TRACE, other) + "\"}");
    try (TestServer server = serving(dir, "")) {
      TestServer.Reply reply =
          server.send(
              server
                  .request("/v1/messages/batch", "traceparent", CALLER)
                  .header("Content-Type", "application/x-ndjson")
                  .POST(BodyPublishers.ofString(HELLO + "\n" + line)));
      assertThat(reply.status()).isEqualTo(200);
    }

    assertThat(collector.spans("postrider.accept"))
        .extracting(span -> hex(span.getTraceId()))
        .containsExactlyInAnyOrder(TRACE, other);
  }

  @Test
  void a_traceparent_that_is_none_refuses_no_message(@TempDir Path dir) {
    try (TestServer server = serving(dir, "")) {
      TestServer.Reply sent = server.post("/v1/messages?wait=10s", HELLO, "traceparent", "00-xyz");

      assertThat(sent.status()).isEqualTo(200);
      assertThat(sent.json().path("traceparent").isNull()).isTrue();
    }
    assertThat(collector.spans("postrider.message").getFirst().getParentSpanId().isEmpty())
        .isTrue();
  }

  @Test
  void a_web_server_that_gets_a_message_gets_its_trace_and_its_reply_is_in_it(@TempDir Path dir) {
    FakePlatform receiver = FakePlatform.start();
    try (TestServer server =
        serving(
            dir, "inbound: { pushTo: %s, pushSecret: %s }".formatted(receiver.baseUrl(), SECRET))) {
      receiver.answer(Reply.json(200, "{\"replies\":[\"Good day!\"]}"));
      CompletableFuture<Event.TurnEnded> over = server.next(Event.TurnEnded.class);
      server.hear("ann", "hello");
      over.join();
    } finally {
      receiver.close();
    }

    String[] given = receiver.onlyRequest().headers().get("traceparent").split("-");
    Span message = collector.spans("postrider.message").getFirst();
    assertThat(hex(message.getTraceId())).isEqualTo(given[1]);
    assertThat(hex(message.getParentSpanId())).isEqualTo(given[2]);
    Span inbound = collector.spans("postrider.inbound").getFirst();
    assertThat(hex(inbound.getTraceId())).isEqualTo(given[1]);
    assertThat(hex(inbound.getSpanId())).isEqualTo(given[2]);
  }

  @Test
  void a_lease_says_the_trace_and_the_ack_of_a_traced_handler_is_below_its_span(@TempDir Path dir) {
    String handler;
    try (TestServer server = serving(dir, "")) {
      server.hear("ann", "hello");
      JsonNode item = server.lease("{\"wait\":\"10s\"}").json().at("/items/0");
      handler =
          item.path("traceparent").asString().replaceAll("-[0-9a-f]{16}-", "-00000000000000aa-");
      CompletableFuture<Event.Delivered> sent = server.next(Event.Delivered.class);
      server.post(
          "/v1/inbound/leases/" + item.path("leaseId").asString() + "/ack",
          "{\"replies\":[\"Good day!\"]}",
          "traceparent",
          handler);
      sent.join();
    }

    Span message = collector.spans("postrider.message").getFirst();
    assertThat(hex(message.getTraceId())).isEqualTo(handler.split("-")[1]);
    assertThat(hex(message.getParentSpanId())).isEqualTo("00000000000000aa");
  }

  @Test
  void without_an_endpoint_nobody_is_told_of_any_trace(@TempDir Path dir) {
    try (TestServer server = TestServer.start(dir)) {
      server.post("/v1/messages?wait=10s", HELLO, "traceparent", CALLER);
      server.hear("ann", "hello");
      JsonNode item = server.lease("{\"wait\":\"10s\"}").json().at("/items/0");

      assertThat(item.path("leaseId").isString()).isTrue();
      assertThat(item.path("traceparent").isNull()).isTrue();
      assertThat(server.get("/metrics").raw().body()).doesNotContain("postrider_spans");
    }
  }

  @Test
  void messages_go_out_while_the_collector_is_away(@TempDir Path dir) {
    platform.close();
    try (TestServer server = serving(dir, "")) {
      for (String chat : List.of("ann", "bob", "cid")) {
        assertThat(server.say(chat, "hi").text("status")).isEqualTo("delivered");
      }
      assertThat(server.get("/metrics").raw().body())
          .contains("postrider_spans_exported_total 0.0", "postrider_spans_dropped_total 0.0");
    }
  }
}
