package dev.postrider.channels.http;

import java.net.http.HttpRequest.BodyPublisher;
import java.nio.ByteBuffer;
import java.util.concurrent.Flow.Subscriber;
import java.util.concurrent.Flow.Subscription;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A request body that knows whether it was asked for. The client asks for it once it is connected
 * and has written the head; a platform cannot have acted on a request whose body was never asked
 * for. So this one bit tells "not sent" from "unknown", whatever exception a failure came as, and
 * also for a timeout or an interruption, which come as none.
 */
final class Outgoing implements BodyPublisher {
  private enum Stage {
    WAITING,
    ASKED,
    WITHDRAWN
  }

  private final BodyPublisher body;
  private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.WAITING);

  Outgoing(BodyPublisher body) {
    this.body = body;
  }

  /** Whether the body stays here for good: it was not asked for, and now never will be. */
  boolean withdraw() {
    return stage.compareAndSet(Stage.WAITING, Stage.WITHDRAWN) || stage.get() == Stage.WITHDRAWN;
  }

  @Override
  public long contentLength() {
    return body.contentLength();
  }

  @Override
  public void subscribe(Subscriber<? super ByteBuffer> subscriber) {
    if (stage.compareAndSet(Stage.WAITING, Stage.ASKED)) {
      body.subscribe(subscriber);
      return;
    }
    subscriber.onSubscribe(NOTHING);
    subscriber.onError(new IllegalStateException("withdrawn"));
  }

  private static final Subscription NOTHING =
      new Subscription() {
        @Override
        public void request(long n) {}

        @Override
        public void cancel() {}
      };
}
