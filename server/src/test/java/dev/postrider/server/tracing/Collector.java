package dev.postrider.server.tracing;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.postrider.testkit.platform.FakePlatform;
import dev.postrider.testkit.platform.Request;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.Span;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Reads what came to a collector as the authors of OTLP do. */
record Collector(FakePlatform platform) {
  List<ResourceSpans> received() {
    return platform.requests().stream()
        .map(Collector::read)
        .flatMap(request -> request.getResourceSpansList().stream())
        .toList();
  }

  static ExportTraceServiceRequest read(Request request) {
    try {
      return ExportTraceServiceRequest.parseFrom(request.body());
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError(e);
    }
  }

  List<Span> spans() {
    return received().stream()
        .flatMap(each -> each.getScopeSpansList().stream())
        .flatMap(each -> each.getSpansList().stream())
        .toList();
  }

  List<Span> spans(String name) {
    return spans().stream().filter(span -> span.getName().equals(name)).toList();
  }

  static Map<String, String> texts(List<KeyValue> attributes) {
    return attributes.stream()
        .filter(each -> each.getValue().hasStringValue())
        .collect(Collectors.toMap(KeyValue::getKey, each -> each.getValue().getStringValue()));
  }

  static String hex(ByteString id) {
    return HexFormat.of().formatHex(id.toByteArray());
  }
}
