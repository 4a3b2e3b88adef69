package dev.postrider.channels.socket;

import dev.postrider.time.Scheduler;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Finds the question to each answer on a connection that carries many at once: by an id that the
 * other side repeats. A question ends with its answer, after a time, or with the connection;
 * whichever comes first. Thread-safe.
 *
 * @param <A> what an answer is
 */
public final class PendingAnswers<A> {

  /** How a question ended. */
  public sealed interface End<A> {
    record Answered<A>(A answer) implements End<A> {}

    /** No answer in time: it may still have been done. */
    record TimedOut<A>(Duration patience) implements End<A> {}

    /** The connection ended before an answer came: it may still have been done. */
    record Lost<A>(String cause) implements End<A> {}
  }

  /** A question that waits. */
  public record Question<A>(String id, CompletableFuture<End<A>> end) {}

  private final Scheduler time;
  private final AtomicLong last = new AtomicLong();
  private final Map<String, CompletableFuture<End<A>>> open = new ConcurrentHashMap<>();
  private volatile @Nullable String lost;

  public PendingAnswers(Scheduler time) {
    this.time = time;
  }

  /** An id that no other question of this connection has; to be sent after this returns. */
  public Question<A> ask(Duration patience) {
    return ask(Long.toString(last.incrementAndGet()), patience);
  }

  /** The same where the question has an id already, which no other that waits may have. */
  public Question<A> ask(String id, Duration patience) {
    CompletableFuture<End<A>> end = new CompletableFuture<>();
    Scheduler.Timer limit = time.after(patience, () -> end.complete(new End.TimedOut<>(patience)));
    open.put(id, end);
    end.whenComplete(
        (_, _) -> {
          open.remove(id, end);
          limit.cancel();
        });
    String cause = lost;
    if (cause != null) { // in the meantime, or before
      end.complete(new End.Lost<>(cause));
    }
    return new Question<>(id, end);
  }

  /** Tells whether somebody waited for it. */
  public boolean answered(String id, A answer) {
    CompletableFuture<End<A>> end = open.get(id);
    return end != null && end.complete(new End.Answered<>(answer));
  }

  /** The connection is gone: nobody will answer what waits, nor what is asked from now on. */
  public void lost(String cause) {
    lost = cause;
    List.copyOf(open.values()).forEach(end -> end.complete(new End.Lost<>(cause)));
  }

  /** How many wait. */
  public int size() {
    return open.size();
  }
}
