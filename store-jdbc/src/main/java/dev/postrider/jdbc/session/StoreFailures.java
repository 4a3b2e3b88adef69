package dev.postrider.jdbc.session;

import dev.postrider.store.failure.LeaseLost;
import dev.postrider.store.failure.StoreClosed;
import dev.postrider.store.failure.StoreFailure;
import dev.postrider.store.failure.StoreUnavailable;
import java.sql.SQLTimeoutException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Keeps the contract of failure of {@link dev.postrider.store.Store}: whatever goes wrong inside,
 * whoever called is told in one of its words.
 */
public final class StoreFailures {
  private StoreFailures() {}

  /** What to tell whoever asked for this. */
  public static RuntimeException of(String operation, Throwable cause) {
    return switch (cause) {
      case StoreUnavailable known -> known;
      case StoreClosed known -> known;
      case LeaseLost known -> known;
      case StoreFailure known -> known;
      case SQLTimeoutException e -> new StoreUnavailable(String.valueOf(e.getMessage()), e);
      case OutOfMemoryError e -> new StoreUnavailable("this process is out of memory", e);
      default -> new StoreFailure(operation, cause);
    };
  }

  /** The store's method that a piece of code was made in, as the trace of its failure tells. */
  public static String operation(Throwable failure) {
    String found = "write";
    for (StackTraceElement frame : failure.getStackTrace()) {
      String[] name = frame.getMethodName().split("\\$");
      boolean ours = frame.getClassName().startsWith("dev.postrider.");
      if (ours && name.length == 3 && name[0].equals("lambda")) {
        found = name[1]; // the outermost counts
      }
    }
    return found;
  }

  /** Of a read: a question that makes no sense, such as a wrong cursor, is its caller's fault. */
  public static RuntimeException ofRead(Throwable cause) {
    return cause instanceof IllegalArgumentException wrong ? wrong : of("read", cause);
  }

  /** Hands in a write that must be made ready first: what goes wrong there fails its future too. */
  public static <T> CompletableFuture<T> prepared(
      String operation, Supplier<CompletableFuture<T>> write) {
    try {
      return write.get();
    } catch (RuntimeException | Error e) {
      return CompletableFuture.failedFuture(of(operation, e));
    }
  }

  /** Makes sense of what was written, off the writer's thread. */
  public static <A, T> CompletableFuture<T> decoded(
      String operation, CompletableFuture<A> write, Function<A, T> decode) {
    return write.thenCompose(written -> prepared(operation, () -> done(decode.apply(written))));
  }

  private static <T> CompletableFuture<T> done(T value) {
    return CompletableFuture.completedFuture(value);
  }
}
