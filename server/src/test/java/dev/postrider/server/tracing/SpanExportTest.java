package dev.postrider.server.tracing;

import static dev.postrider.server.tracing.Collector.hex;
import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.Traceparent;
import dev.postrider.server.config.TracingSettings;
import dev.postrider.testkit.platform.FakePlatform;
import dev.postrider.testkit.platform.Reply;
import dev.postrider.trace.Span;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.Status.StatusCode;
import java.net.URI;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How spans get to a collector, and what becomes of them if they do not. */
class SpanExportTest {
  private static final Instant START = Instant.parse("2026-03-01T12:00:00.123456789Z");
  private static final String TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";

  private final FakePlatform platform = FakePlatform.start();
  private final Collector collector = new Collector(platform);
  private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
  private final SpanExport export =
      new SpanExport(
          TracingSettings.OFF, URI.create(platform.baseUrl() + "/v1/traces"), "web-1", "1.2.3");

  SpanExportTest() {
    export.bindTo(meters);
  }

  @AfterEach
  void stop() {
    export.close();
    platform.close();
  }

  private static Traceparent place(int number) {
    return new Traceparent(TRACE, "%016x".formatted(number), 1);
  }

  private static Span span(int number) {
    return new Span(
        "postrider.attempt",
        Span.Kind.CLIENT,
        place(number),
        null,
        START,
        START.plusMillis(5),
        null,
        Map.of(),
        null);
  }

  private double count(String what) {
    return meters.get("postrider.spans." + what).functionCounter().count();
  }

  @Test
  void a_span_is_written_as_the_authors_of_otlp_read_it() {
    export.accept(
        new Span(
            "postrider.message",
            Span.Kind.PRODUCER,
            place(1),
            "%016x".formatted(2),
            START,
            START.plusSeconds(86_400),
            "attempts-exhausted",
            Map.of(
                "postrider.account", "bät 😀", "postrider.attempts", 300L, "postrider.late", true),
            place(3)));

    export.run();

    var span = collector.spans().getFirst();
    assertThat(hex(span.getTraceId())).isEqualTo(TRACE);
    assertThat(hex(span.getSpanId())).isEqualTo("0000000000000001");
    assertThat(hex(span.getParentSpanId())).isEqualTo("0000000000000002");
    assertThat(span.getName()).isEqualTo("postrider.message");
    assertThat(span.getKind())
        .isEqualTo(io.opentelemetry.proto.trace.v1.Span.SpanKind.SPAN_KIND_PRODUCER);
    assertThat(span.getStartTimeUnixNano())
        .isEqualTo(START.getEpochSecond() * 1_000_000_000 + 123_456_789);
    assertThat(span.getEndTimeUnixNano() - span.getStartTimeUnixNano())
        .isEqualTo(86_400L * 1_000_000_000);
    assertThat(span.getStatus().getCode()).isEqualTo(StatusCode.STATUS_CODE_ERROR);
    assertThat(span.getStatus().getMessage()).isEqualTo("attempts-exhausted");
    assertThat(span.getFlags()).isEqualTo(1);
    assertThat(hex(span.getLinks(0).getSpanId())).isEqualTo("0000000000000003");
    assertThat(span.getAttributesList())
        .containsExactlyInAnyOrder(
            attribute("postrider.account", AnyValue.newBuilder().setStringValue("bät 😀")),
            attribute("postrider.attempts", AnyValue.newBuilder().setIntValue(300)),
            attribute("postrider.late", AnyValue.newBuilder().setBoolValue(true)));
    assertThat(span.getUnknownFields().asMap()).isEmpty();
    assertThat(Collector.texts(collector.received().getFirst().getResource().getAttributesList()))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "service.name", "postrider",
                "service.version", "1.2.3",
                "service.instance.id", "web-1"));
  }

  private static KeyValue attribute(String name, AnyValue.Builder value) {
    return KeyValue.newBuilder().setKey(name).setValue(value).build();
  }

  @Test
  void spans_go_many_at_once_and_nothing_goes_if_there_are_none() {
    export.run();
    assertThat(platform.requests()).isEmpty();
    for (int i = 1; i <= 513; i++) {
      export.accept(span(i));
    }

    export.run();

    assertThat(platform.requests()).hasSize(2);
    assertThat(collector.spans()).hasSize(513);
    assertThat(count("exported")).isEqualTo(513);
  }

  @Test
  void what_a_collector_cannot_take_now_is_sent_again() {
    platform.answer(Reply.json(503, "{}"));
    export.accept(span(1));
    export.run();
    assertThat(count("exported")).isZero();
    export.accept(span(2));

    export.run();

    assertThat(platform.requests()).hasSize(3);
    assertThat(count("exported")).isEqualTo(2);
    assertThat(count("dropped")).isZero();
  }

  @Test
  void what_a_collector_refuses_is_dropped_and_counted() {
    platform.answer(Reply.json(400, "{}"));
    export.accept(span(1));
    export.run();
    export.accept(span(2));

    export.run();

    assertThat(count("dropped")).isEqualTo(1);
    assertThat(count("exported")).isEqualTo(1);
  }

  @Test
  void what_there_is_no_room_for_is_dropped_and_counted_and_nobody_waits() {
    platform.close();
    export.accept(span(1));
    export.run();
    for (int i = 2; i <= 20_000; i++) {
      export.accept(span(i));
    }
    export.run();

    assertThat(count("dropped")).isEqualTo(19_999 - 16_384);
  }
}
