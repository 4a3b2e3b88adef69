package dev.postrider.server.tracing;

import dev.postrider.message.Traceparent;
import dev.postrider.trace.Span;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/**
 * An {@code ExportTraceServiceRequest} of OTLP. The numbers are those of the fields in
 * opentelemetry-proto, in which they never change their meaning.
 */
final class OtlpRequest {
  private static final HexFormat HEX = HexFormat.of();
  private static final int ERROR = 2;

  private OtlpRequest() {}

  /**
   * @param resource what all spans come from, by the names that OpenTelemetry has for it
   */
  static byte[] of(Map<String, String> resource, String version, List<Span> spans) {
    return new ProtobufWriter()
        .message(
            1,
            ofResource -> {
              ofResource.message(
                  1, about -> resource.forEach((name, value) -> attribute(about, 1, name, value)));
              ofResource.message(
                  2,
                  ofScope -> {
                    ofScope.message(1, scope -> scope.text(1, "dev.postrider").text(2, version));
                    spans.forEach(span -> ofScope.message(2, out -> write(out, span)));
                  });
            })
        .toByteArray();
  }

  private static void write(ProtobufWriter out, Span span) {
    place(out, span.self());
    if (span.parent() != null) {
      out.bytes(4, HEX.parseHex(span.parent()));
    }
    out.text(5, span.name())
        .number(6, kind(span.kind()))
        .fixed64(7, nanos(span.start()))
        .fixed64(8, nanos(span.end()));
    span.attributes().forEach((name, value) -> attribute(out, 9, name, value));
    Traceparent link = span.link();
    if (link != null) {
      out.message(13, other -> place(other, link));
    }
    String error = span.error();
    if (error != null) {
      out.message(15, status -> status.text(2, error).number(3, ERROR));
    }
    out.fixed32(16, span.self().flags());
  }

  private static void place(ProtobufWriter out, Traceparent place) {
    out.bytes(1, HEX.parseHex(place.traceId())).bytes(2, HEX.parseHex(place.spanId()));
  }

  private static void attribute(ProtobufWriter out, int field, String name, Object value) {
    out.message(
        field,
        attribute ->
            attribute
                .text(1, name)
                .message(
                    2,
                    any -> {
                      switch (value) {
                        case Boolean truth -> any.number(2, truth ? 1 : 0);
                        case Long number -> any.number(3, number);
                        default -> any.text(1, value.toString());
                      }
                    }));
  }

  private static int kind(Span.Kind kind) {
    return switch (kind) {
      case INTERNAL -> 1;
      case CLIENT -> 3;
      case PRODUCER -> 4;
      case CONSUMER -> 5;
    };
  }

  private static long nanos(Instant at) {
    return at.getEpochSecond() * 1_000_000_000 + at.getNano();
  }
}
