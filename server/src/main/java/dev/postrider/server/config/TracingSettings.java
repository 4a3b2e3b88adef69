package dev.postrider.server.config;

import java.net.URI;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where spans go.
 *
 * @param endpoint takes traces by OTLP over HTTP; null: there are no spans
 * @param headers go with every request; their values may be secrets
 * @param sampleRatio of how many of the traces that begin here spans are told, from 0 to 1
 * @param service the name under which the spans are found
 */
public record TracingSettings(
    @Nullable URI endpoint, Map<String, String> headers, double sampleRatio, String service) {

  /** No spans; everything else is as usual. */
  public static final TracingSettings OFF = new TracingSettings(null, Map.of(), 1, "postrider");

  public TracingSettings {
    headers = Map.copyOf(headers);
  }

  static TracingSettings of(ConfigSection tracing) {
    return new TracingSettings(
        tracing.value("endpoint", Type.address()),
        tracing.value("headers", Type.headers(), OFF.headers),
        tracing.value("sampleRatio", Type.share(), OFF.sampleRatio),
        tracing.value("service", Type.text(), OFF.service));
  }

  /** Without any secret. */
  @Override
  public String toString() {
    return endpoint == null ? "no tracing" : "tracing to " + endpoint.getHost();
  }
}
