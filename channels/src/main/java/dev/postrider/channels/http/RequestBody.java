package dev.postrider.channels.http;

import java.net.http.HttpRequest.BodyPublisher;
import java.nio.ByteBuffer;
import java.util.concurrent.Flow.Subscriber;
import java.util.concurrent.Flow.Subscription;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A request body that knows whether any of it was handed over. The client takes the first bytes
 * once it is connected and has written the head; a platform cannot have acted on a request of whose
 * body it has nothing. So this one bit tells "not sent" from "unknown", whatever exception a
 * failure came as, and also for a timeout or an interruption, which come as none, and for a body
 * that could not be read.
 */
final class RequestBody implements BodyPublisher {
  private enum Stage {
    HERE,
    HANDED_OVER,
    WITHDRAWN
  }

  private final BodyPublisher body;
  private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.HERE);

  RequestBody(BodyPublisher body) {
    this.body = body;
  }

  /** Whether the body stays here for good: none of it was handed over, and now never will be. */
  boolean withdraw() {
    return stage.compareAndSet(Stage.HERE, Stage.WITHDRAWN) || stage.get() == Stage.WITHDRAWN;
  }

  private boolean handOver() {
    return stage.compareAndSet(Stage.HERE, Stage.HANDED_OVER) || stage.get() == Stage.HANDED_OVER;
  }

  @Override
  public long contentLength() {
    return body.contentLength();
  }

  @Override
  public void subscribe(Subscriber<? super ByteBuffer> subscriber) {
    if (stage.get() == Stage.HERE) {
      body.subscribe(new Gate(subscriber));
      return;
    }
    subscriber.onSubscribe(NOTHING); // a second try, which is not ours to make
    subscriber.onError(withdrawn());
  }

  private static IllegalStateException withdrawn() {
    return new IllegalStateException("withdrawn");
  }

  /** Lets the body through, unless it was withdrawn before its first byte. */
  private final class Gate implements Subscriber<ByteBuffer> {
    private final Subscriber<? super ByteBuffer> client;
    private Subscription subscription = NOTHING;

    Gate(Subscriber<? super ByteBuffer> client) {
      this.client = client;
    }

    @Override
    public void onSubscribe(Subscription given) {
      subscription = given;
      client.onSubscribe(given);
    }

    @Override
    public void onNext(ByteBuffer bytes) {
      if (handOver()) {
        client.onNext(bytes);
        return;
      }
      subscription.cancel();
      client.onError(withdrawn());
    }

    @Override
    public void onError(Throwable cause) {
      client.onError(cause);
    }

    @Override
    public void onComplete() {
      if (handOver()) { // of an empty body, this is all there is
        client.onComplete();
        return;
      }
      client.onError(withdrawn());
    }
  }

  private static final Subscription NOTHING =
      new Subscription() {
        @Override
        public void request(long n) {}

        @Override
        public void cancel() {}
      };
}
