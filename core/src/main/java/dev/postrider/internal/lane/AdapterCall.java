package dev.postrider.internal.lane;

import dev.postrider.channel.Dispatch;
import dev.postrider.channel.Link;
import dev.postrider.channel.NotSentException;
import dev.postrider.channel.Outcome;
import dev.postrider.channel.PartFile;
import dev.postrider.channel.Reconciliation;
import dev.postrider.channel.UploadResult;
import dev.postrider.time.Scheduler;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Calls an adapter without trusting it: as a task of its own, for a limited time. Whatever it does
 * (answer, throw, hang, answer after it was given up) comes out as exactly one outcome.
 */
final class AdapterCall {
  private static final Logger log = LoggerFactory.getLogger(AdapterCall.class);

  private final Link link;
  private final Scheduler time;
  private final Duration timeout;
  private final Runnable onLateAnswer;

  /**
   * @param onLateAnswer told when a verdict arrives after the adapter was given up; an adapter that
   *     gives up in turn has said nothing
   */
  AdapterCall(Link link, Scheduler time, Duration timeout, Runnable onLateAnswer) {
    this.link = link;
    this.time = time;
    this.timeout = timeout;
    this.onLateAnswer = onLateAnswer;
  }

  Outcome send(Dispatch dispatch) {
    return call(
        () -> {
          try {
            return link.send(dispatch);
          } catch (NotSentException e) {
            return new Outcome.NotSent(String.valueOf(e.getMessage()));
          }
        },
        new Outcome.Unknown("no answer within " + timeout.toSeconds() + " s"),
        kind -> new Outcome.Unknown("sending failed unexpectedly (" + kind + ")"));
  }

  /** Looks whether the part arrived; an adapter that cannot say leaves the outcome unknown. */
  Outcome reconcile(Dispatch dispatch, Outcome.Unknown unknown) {
    return call(
        () ->
            switch (link.reconcile(dispatch)) {
              case Reconciliation.Found found -> new Outcome.Delivered(found.receipt());
              case Reconciliation.Absent _ ->
                  new Outcome.NotSent(unknown.cause() + "; looked, and it had not arrived");
              case Reconciliation.Inconclusive _ -> unknown;
            },
        unknown,
        kind -> new Outcome.Unknown(unknown.cause() + " (" + kind + ")"));
  }

  /** Brings bytes. Whatever comes of it, nobody has seen anything: the part was not sent. */
  UploadResult upload(PartFile cargo) {
    UploadResult uploaded =
        call(
            () -> link.upload(cargo),
            notUploaded("the upload took longer than " + timeout.toSeconds() + " s"),
            kind -> notUploaded("the upload failed unexpectedly (" + kind + ")"));
    return uploaded instanceof UploadResult.Failed(Outcome.Unknown(String cause))
        ? notUploaded(cause)
        : uploaded;
  }

  private static UploadResult notUploaded(String cause) {
    return new UploadResult.Failed(new Outcome.NotSent(cause));
  }

  private <T> T call(Callable<T> request, T onTimeout, Function<String, T> onException) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    Scheduler.Task task =
        time.start(
            "send",
            () -> {
              T result = guard(request, onException);
              boolean verdict = result instanceof Outcome && !(result instanceof Outcome.Unknown);
              if (!answer.complete(result) && verdict) {
                onLateAnswer.run();
              }
            });
    Scheduler.Timer watchdog =
        time.after(
            timeout,
            () -> {
              if (answer.complete(onTimeout)) {
                task.interrupt();
              }
            });
    try {
      return time.await(answer);
    } finally {
      watchdog.cancel();
    }
  }

  private static <T> T guard(Callable<T> request, Function<String, T> onException) {
    try {
      return request.call();
    } catch (InterruptedException | Scheduler.Interrupted e) {
      return onException.apply("interrupted");
    } catch (Exception | LinkageError | StackOverflowError e) {
      // Only the kind of the exception: its message may quote a URL, and a URL may hold a token.
      StackTraceElement[] stack = e.getStackTrace();
      log.warn(
          "An adapter threw {} at {}; the outcome is unknown",
          e.getClass().getName(),
          stack.length == 0 ? "an unknown place" : stack[0]);
      return onException.apply(e.getClass().getSimpleName());
    }
  }
}
