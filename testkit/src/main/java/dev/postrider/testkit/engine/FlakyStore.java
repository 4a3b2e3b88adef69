package dev.postrider.testkit.engine;

import dev.postrider.store.Store;
import dev.postrider.store.cluster.Cluster;
import dev.postrider.store.failure.StoreUnavailable;
import dev.postrider.store.inbound.InboundStore;
import dev.postrider.store.media.Blob;
import dev.postrider.store.media.Blobs;
import dev.postrider.store.reminder.ReminderStore;
import dev.postrider.time.Scheduler;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A real store behind a bad disk: for a while its writes, or its asynchronous reads, fail or take
 * their time. What fails has left nothing behind, as the contract of {@link Store} has it. {@link
 * #trouble} goes further than the contract: any call may then end in anything, before or after it
 * was done.
 */
public final class FlakyStore {
  private static final Set<String> READS =
      Set.of("due", "nextDue", "nextExpiry", "depths", "nextLeaseExpiry");

  /** Calls that only lead to others. */
  private static final Set<String> ROOMS =
      Set.of(
          "durable",
          "cluster",
          "export",
          "inboundStore",
          "reminders",
          "blobs",
          "close",
          "listen",
          "clockZero",
          "leaseLength",
          "hashCode",
          "equals",
          "toString");

  private static final Set<String> CALLS =
      Stream.of(Store.class, InboundStore.class, ReminderStore.class, Cluster.class, Object.class)
          .flatMap(type -> Stream.of(type.getMethods()))
          .map(Method::getName)
          .collect(Collectors.toUnmodifiableSet());

  static {
    READS.forEach(FlakyStore::require);
    ROOMS.forEach(FlakyStore::require);
  }

  private final Scheduler time;
  private final List<String> calls = new ArrayList<>();
  private final Map<String, Throwable> failures = new HashMap<>();
  private boolean writesFail;
  private boolean readsFail;
  private Duration delay = Duration.ZERO;
  private Trouble trouble = _ -> null;

  /** When a call goes wrong. */
  public enum Moment {
    /** It throws instead of giving a future; nothing was done. */
    AT_ONCE,
    /** Its future fails; nothing was done. */
    BEFORE,
    /** It was done, but its future fails: the answer is lost. */
    AFTER,
    /** Its future is never done; nothing was. */
    NEVER
  }

  /** A call that goes wrong, and with what. */
  public record Fault(Moment moment, Throwable failure) {}

  /** Decides at every call, by its name, whether it goes wrong; reads that block included. */
  @FunctionalInterface
  public interface Trouble {
    @Nullable Fault strike(String call);
  }

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
            (_, method, arguments) -> call(type, real, method, arguments)));
  }

  public void failWrites(boolean fail) {
    writesFail = fail;
  }

  public void failReads(boolean fail) {
    readsFail = fail;
  }

  /** From now on whatever this says goes wrong. */
  public void trouble(Trouble decides) {
    trouble = decides;
  }

  /** So many calls of this name go wrong, then it is well again. */
  public void fail(String call, int times, Moment moment, Supplier<Throwable> failure) {
    require(call);
    int[] left = {times};
    trouble(name -> name.equals(call) && left[0]-- > 0 ? new Fault(moment, failure.get()) : null);
  }

  /** A call that no store has would never go wrong, and nobody would notice. */
  private static void require(String call) {
    if (!CALLS.contains(call)) {
      throw new IllegalArgumentException("no store has a call '" + call + "'");
    }
  }

  /** From now on everything goes well. */
  public void calm() {
    trouble = _ -> null;
  }

  /** The next asynchronous call of this name fails with this, and leaves nothing behind. */
  public void failOnce(String call, Throwable failure) {
    require(call);
    failures.put(call, failure);
  }

  /** Writes are durable at once, but their caller hears of it this much later. */
  public void delay(Duration duration) {
    delay = duration;
  }

  /** The asynchronous calls so far, by name. */
  public List<String> calls() {
    return calls;
  }

  private @Nullable Object call(
      Class<?> room, Object real, Method method, Object @Nullable [] arguments) throws Throwable {
    boolean async = method.getReturnType() == CompletableFuture.class;
    boolean read = READS.contains(method.getName()) || room == Cluster.class; // beside the writer
    if (async && room != Cluster.class) {
      calls.add(method.getName());
      Throwable failure = failures.remove(method.getName());
      if (failure != null) {
        return CompletableFuture.failedFuture(failure);
      }
      if (read ? readsFail : writesFail) {
        return CompletableFuture.failedFuture(new StoreUnavailable("the disk is full"));
      }
    }
    Fault fault = ROOMS.contains(method.getName()) ? null : trouble.strike(method.getName());
    if (fault != null && (!async || fault.moment != Moment.AFTER)) {
      if (async && fault.moment == Moment.BEFORE) {
        return CompletableFuture.failedFuture(fault.failure);
      }
      if (async && fault.moment == Moment.NEVER) {
        return new CompletableFuture<>();
      }
      throw fault.failure;
    }
    Object result;
    try {
      result = method.invoke(real, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
    if (fault != null && result instanceof CompletableFuture<?> future) {
      return lost(future, fault.failure);
    }
    return switch (result) {
      case Blobs blobs -> new FlakyBlobs(blobs);
      case InboundStore inboundStore -> around(InboundStore.class, inboundStore);
      case ReminderStore reminders -> around(ReminderStore.class, reminders);
      case Optional<?> maybe when maybe.orElse(null) instanceof Cluster cluster ->
          Optional.of(around(Cluster.class, cluster));
      case CompletableFuture<?> future when !read && delay.isPositive() -> later(future);
      case null, default -> result;
    };
  }

  private static CompletableFuture<?> lost(CompletableFuture<?> answer, Throwable failure) {
    return answer.handle(
        (_, _) -> {
          throw FlakyStore.<RuntimeException>sneaky(failure);
        });
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Throwable> E sneaky(Throwable any) throws E {
    throw (E) any;
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
    public void keep(String hash, Instant until) {
      if (writesFail) {
        throw new StoreUnavailable("the disk is full");
      }
      blobs.keep(hash, until);
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
