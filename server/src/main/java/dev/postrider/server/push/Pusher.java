package dev.postrider.server.push;

import dev.postrider.InboundHandler;
import dev.postrider.Postrider;
import dev.postrider.Turn;
import dev.postrider.channels.http.HttpCall;
import dev.postrider.channels.http.HttpResult;
import dev.postrider.channels.http.HttpSender;
import dev.postrider.channels.http.Secrets;
import dev.postrider.channels.webhook.Signatures;
import dev.postrider.server.api.inbound.PushJson;
import dev.postrider.server.config.PushSettings;
import dev.postrider.store.inbound.StoredInbound;
import dev.postrider.trace.Spans;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Posts inbound messages to a web server, signed after Standard Webhooks. A 2xx means handled, and
 * its body may bring replies, which are stored in the same write; anything else is a failed
 * attempt. The {@code webhook-id} is the message's, the same on every attempt, so that a receiver
 * can tell what it has seen. Thread-safe.
 */
final class Pusher implements InboundHandler, AutoCloseable {
  private static final Duration CONNECT = Duration.ofSeconds(10);
  private static final int LONGEST_ANSWER = 1 << 20;

  private final URI to;
  private final Signatures signatures;
  private final HttpSender sender;
  private final Postrider postrider;
  private final InstantSource clock;
  private final @Nullable Spans spans;

  Pusher(PushSettings settings, Postrider postrider, InstantSource clock, @Nullable Spans spans) {
    this.to = settings.to();
    this.signatures = Signatures.of(List.of(settings.secret()));
    this.sender =
        new HttpSender(
            settings.timeout().compareTo(CONNECT) < 0 ? settings.timeout() : CONNECT,
            settings.timeout(),
            Secrets.ofAddress(to.toString(), settings.secret()));
    this.postrider = postrider;
    this.clock = clock;
    this.spans = spans;
  }

  @Override
  public void onInbound(StoredInbound message, Turn turn) throws Exception {
    byte[] body = PushJson.write(message, postrider);
    HttpCall call =
        HttpCall.post(to)
            .text("application/json", new String(body, StandardCharsets.UTF_8))
            .upTo(LONGEST_ANSWER);
    Map<String, String> headers =
        signatures.headers(message.id().toString(), clock.instant(), body);
    for (Map.Entry<String, String> header : headers.entrySet()) {
      call = call.header(header.getKey(), header.getValue());
    }
    if (spans != null) {
      call = call.header("traceparent", spans.traceparent(message.id()).toString());
    }
    HttpResult result = sender.send(call);
    if (Thread.interrupted()) {
      throw new InterruptedException("the server stops");
    }
    switch (result) {
      case HttpResult.Response response -> answered(response, turn);
      case HttpResult.Unreachable(String cause) -> throw new PushFailed(cause);
      case HttpResult.NotSent(String cause) -> throw new PushFailed(cause);
      case HttpResult.Unknown(String cause) -> throw new PushFailed(cause);
    }
  }

  private static void answered(HttpResult.Response response, Turn turn) throws PushFailed {
    int status = response.status();
    if (status / 100 == 3) {
      throw new PushFailed("the receiver answered " + status + "; redirects are not followed");
    }
    if (status / 100 != 2) {
      throw new PushFailed(("the receiver answered " + status + " " + response.excerpt()).strip());
    }
    if (!saysSomething(response)) {
      return;
    }
    if (!response.whole()) {
      throw new PushFailed("the receiver's answer broke off, or is longer than 1 MiB");
    }
    try {
      PushJson.replies(response.body(), turn::message).forEach(turn::answer);
    } catch (IllegalArgumentException e) {
      throw new PushFailed("the receiver's answer cannot be read: " + e.getMessage());
    }
  }

  /** Many web servers say "OK" in one way or another; only JSON can hold replies. */
  private static boolean saysSomething(HttpResult.Response response) {
    String type = response.headers().getOrDefault("content-type", "");
    String body = response.body().stripLeading();
    return body.startsWith("{") || (type.startsWith("application/json") && !body.isEmpty());
  }

  @Override
  public void close() {
    sender.close();
  }
}
