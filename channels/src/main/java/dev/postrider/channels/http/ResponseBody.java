package dev.postrider.channels.http;

import java.io.ByteArrayOutputStream;
import java.net.http.HttpHeaders;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.ResponseInfo;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow.Subscription;
import org.jspecify.annotations.Nullable;

/**
 * An answer as far as it has arrived. A status is a verdict even if the body is cut, stalls or
 * never ends, so what is there can be taken at any time; at the limit the rest is refused.
 */
final class ResponseBody implements BodyHandler<Boolean> {
  private final int limit;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private @Nullable ResponseInfo head;
  private boolean whole;

  ResponseBody(int limit) {
    this.limit = limit;
  }

  @Override
  public synchronized BodySubscriber<Boolean> apply(ResponseInfo info) {
    head = info;
    return new Reader();
  }

  /** What has arrived, or null if not even the head has. */
  synchronized HttpResult.@Nullable Response soFar(Secrets secrets) {
    if (head == null) {
      return null;
    }
    return new HttpResult.Response(
        head.statusCode(),
        headers(head.headers()),
        secrets.scrub(bytes.toString(StandardCharsets.UTF_8)),
        whole);
  }

  /** The first value of each, by lower-case name. */
  static Map<String, String> headers(HttpHeaders all) {
    Map<String, String> headers = new HashMap<>();
    all.map()
        .forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), values.getFirst()));
    return Map.copyOf(headers);
  }

  /** There may have been more than there is room for. */
  private synchronized void end() {
    whole = bytes.size() < limit;
  }

  /** Returns whether there is room for more. */
  private synchronized boolean take(List<ByteBuffer> buffers) {
    for (ByteBuffer buffer : buffers) {
      byte[] chunk = new byte[Math.min(buffer.remaining(), limit - bytes.size())];
      buffer.get(chunk);
      bytes.writeBytes(chunk);
    }
    return bytes.size() < limit;
  }

  private final class Reader implements BodySubscriber<Boolean> {
    private final CompletableFuture<Boolean> done = new CompletableFuture<>();
    private @Nullable Subscription subscription;

    @Override
    public CompletionStage<Boolean> getBody() {
      return done;
    }

    @Override
    public void onSubscribe(Subscription given) {
      subscription = given;
      given.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
      if (!take(buffers) && subscription != null) {
        subscription.cancel();
        done.complete(false);
      }
    }

    @Override
    public void onError(Throwable cause) {
      done.complete(false);
    }

    @Override
    public void onComplete() {
      end();
      done.complete(true);
    }
  }
}
