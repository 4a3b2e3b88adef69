package dev.postrider.server.tracing;

import dev.postrider.channel.PartFile;
import dev.postrider.channels.http.HttpCall;
import dev.postrider.channels.http.HttpResult;
import dev.postrider.channels.http.HttpSender;
import dev.postrider.channels.http.Secrets;
import dev.postrider.server.config.TracingSettings;
import dev.postrider.server.log.Line;
import dev.postrider.trace.Span;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sends spans to a collector, many at once, in rounds. Nothing ever waits for it: while the
 * collector cannot be reached, as many spans are kept as there is room for, and the others are
 * dropped and counted. Thread-safe; a round belongs to one thread.
 */
public final class SpanExport implements Consumer<Span>, Runnable, MeterBinder, AutoCloseable {
  private static final Duration CONNECT = Duration.ofSeconds(3);
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final int ROOM = 16_384;
  private static final int AT_ONCE = 512;

  private final URI endpoint;
  private final Map<String, String> headers;
  private final Map<String, String> resource;
  private final String version;
  private final HttpSender sender;
  private final BlockingQueue<Span> waiting = new ArrayBlockingQueue<>(ROOM);
  private final AtomicLong exported = new AtomicLong();
  private final AtomicLong dropped = new AtomicLong();
  private List<Span> batch = List.of(); // not taken yet by the collector
  private @Nullable String failing; // why, since it was logged
  private long droppedBefore;

  /**
   * @param node the name of this process
   */
  public SpanExport(TracingSettings settings, URI endpoint, String node, String version) {
    this.endpoint = endpoint;
    this.headers = settings.headers();
    this.version = version;
    this.resource =
        Map.of(
            "service.name", settings.service(),
            "service.version", version,
            "service.instance.id", node);
    this.sender =
        new HttpSender(
            CONNECT,
            PATIENCE,
            Secrets.ofAddress(
                endpoint.toString(), settings.headers().values().toArray(String[]::new)));
  }

  @Override
  public void accept(Span span) {
    if (!waiting.offer(span)) {
      dropped.incrementAndGet();
    }
  }

  @Override
  public void bindTo(MeterRegistry registry) {
    FunctionCounter.builder("postrider.spans.exported", exported, AtomicLong::get)
        .description("Spans that the collector has taken")
        .register(registry);
    FunctionCounter.builder("postrider.spans.dropped", dropped, AtomicLong::get)
        .description("Spans that were lost, since the collector did not take them")
        .register(registry);
  }

  /** A round: all that waits, until there is nothing more or the collector fails. */
  @Override
  public synchronized void run() {
    while (true) {
      if (batch.isEmpty()) {
        batch = new ArrayList<>();
        waiting.drainTo(batch, AT_ONCE);
      }
      if (batch.isEmpty() || !send()) {
        return;
      }
    }
  }

  /** Whether to go on: the batch is gone, one way or the other. */
  private boolean send() {
    HttpResult result = sender.send(request());
    if (Thread.currentThread().isInterrupted()) {
      return false; // the server stops, and the batch is sent once more
    }
    return switch (result) {
      case HttpResult.Response response when response.status() / 100 == 2 -> {
        exported.addAndGet(batch.size());
        works();
        batch = List.of();
        yield true;
      }
      case HttpResult.Response response when isForNow(response.status()) ->
          fails("it answered " + response.status());
      case HttpResult.Response response -> { // the same would be refused again
        dropped.addAndGet(batch.size());
        batch = List.of();
        yield fails("it answered " + response.status());
      }
      case HttpResult.Unreachable(String cause) -> fails(cause);
      case HttpResult.NotSent(String cause) -> fails(cause);
      case HttpResult.Unknown(String cause) -> fails(cause);
    };
  }

  /** The answers after which OTLP wants the same to be sent again. */
  private static boolean isForNow(int status) {
    return status == 429 || (status >= 502 && status <= 504);
  }

  private record Body(byte[] bytes) implements PartFile.Bytes {
    @Override
    public long size() {
      return bytes.length;
    }

    @Override
    public InputStream open() {
      return new ByteArrayInputStream(bytes);
    }
  }

  private HttpCall request() {
    byte[] body = OtlpRequest.of(resource, version, batch);
    HttpCall call = HttpCall.post(endpoint).file("application/x-protobuf", new Body(body));
    for (Map.Entry<String, String> header : headers.entrySet()) {
      call = call.header(header.getKey(), header.getValue());
    }
    return call;
  }

  private boolean fails(String cause) {
    if (failing == null) {
      Line.warn(
              "tracing.failing",
              "Spans cannot be sent to %s: %s. Messages are not affected; it is tried again"
                  .formatted(endpoint.getHost(), cause))
          .with("cause", cause)
          .write();
    }
    failing = cause;
    return false;
  }

  private void works() {
    if (failing != null) {
      failing = null;
      long lost = dropped.get() - droppedBefore;
      Line.info(
              "tracing.ok",
              "Spans are sent to %s again; %d were dropped".formatted(endpoint.getHost(), lost))
          .with("dropped", lost)
          .write();
    }
    droppedBefore = dropped.get();
  }

  /** Sends the rest, unless the collector is failing: nobody waits for it at a stop either. */
  @Override
  public synchronized void close() {
    if (failing == null) {
      run();
    }
    sender.close();
  }
}
