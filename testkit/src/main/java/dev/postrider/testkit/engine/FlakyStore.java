package dev.postrider.testkit.engine;

import dev.postrider.store.Blob;
import dev.postrider.store.Blobs;
import dev.postrider.store.Desk;
import dev.postrider.store.Store;
import dev.postrider.store.StoreUnavailable;
import dev.postrider.time.Scheduler;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A real store behind a bad disk: for a while its writes, or its asynchronous reads, fail or take
 * their time. What fails has left nothing behind, as the contract of {@link Store} has it.
 */
public final class FlakyStore {
  private static final Set<String> READS =
      Set.of("due", "nextDue", "nextExpiry", "depths", "nextLapse");

  private final Scheduler time;
  private final List<String> calls = new ArrayList<>();
  private boolean writesFail;
  private boolean readsFail;
  private Duration delay = Duration.ZERO;

  public FlakyStore(Scheduler time) {
    this.time = time;
  }

  /** The store, seen through this. */
  public Store around(Store store) {
    return around(Store.class, store);
  }

  private <T> T around(Class<T> type, T real) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (_, method, arguments) -> call(real, method, arguments)));
  }

  public void failWrites(boolean fail) {
    writesFail = fail;
  }

  public void failReads(boolean fail) {
    readsFail = fail;
  }

  /** Writes are durable at once, but their caller hears of it this much later. */
  public void delay(Duration duration) {
    delay = duration;
  }

  /** The asynchronous calls so far, by name. */
  public List<String> calls() {
    return calls;
  }

  private @Nullable Object call(Object real, Method method, Object @Nullable [] arguments)
      throws Throwable {
    boolean async = method.getReturnType() == CompletableFuture.class;
    boolean read = READS.contains(method.getName());
    if (async) {
      calls.add(method.getName());
      if (read ? readsFail : writesFail) {
        return CompletableFuture.failedFuture(new StoreUnavailable("the disk is full"));
      }
    }
    Object result;
    try {
      result = method.invoke(real, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
    if (result instanceof Blobs blobs) {
      return new FlakyBlobs(blobs);
    }
    if (result instanceof Desk desk) {
      return around(Desk.class, desk);
    }
    return async && !read && delay.isPositive() && result instanceof CompletableFuture<?> future
        ? later(future)
        : result;
  }

  private final class FlakyBlobs implements Blobs {
    private final Blobs blobs;

    FlakyBlobs(Blobs blobs) {
      this.blobs = blobs;
    }

    @Override
    public Blob take(InputStream bytes, String type, long limit, Instant keepUntil)
        throws IOException {
      if (writesFail) {
        throw new StoreUnavailable("the disk is full");
      }
      return blobs.take(bytes, type, limit, keepUntil);
    }

    @Override
    public Optional<Blob> find(String hash) {
      return blobs.find(hash);
    }

    @Override
    public InputStream open(String hash) throws IOException {
      return blobs.open(hash);
    }
  }

  private <T> CompletableFuture<T> later(CompletableFuture<T> future) {
    CompletableFuture<T> told = new CompletableFuture<>();
    future.whenComplete(
        (value, failure) ->
            time.after(
                delay,
                () -> {
                  if (failure == null) {
                    told.complete(value);
                  } else {
                    told.completeExceptionally(failure);
                  }
                }));
    return told;
  }
}
