package dev.postrider.jdbc.session;

import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One write on its way through the {@link Committer}: somebody waits for its result. The result is
 * set inside the transaction and handed out after the commit.
 */
public abstract class Write<T> {
  private final CompletableFuture<T> future = new CompletableFuture<>();
  private @Nullable T result;
  private @Nullable Throwable failure;

  public final CompletableFuture<T> future() {
    return future;
  }

  /** What to hand out once this is durable. */
  protected final void result(@Nullable T value) {
    result = value;
    failure = null;
  }

  /** Fails this write alone: its transaction may go on without it. */
  protected final void fail(Throwable cause) {
    failure = cause;
  }

  /** What it is called when it fails with this. */
  protected String operation(Throwable failure) {
    return getClass().getSimpleName().toLowerCase(Locale.ROOT);
  }

  /** Whether it wants a transaction for itself. */
  protected boolean alone() {
    return false;
  }

  final void complete() {
    if (failure == null) {
      future.complete(result);
    } else {
      future.completeExceptionally(failure);
    }
  }
}
