package dev.postrider.server.api;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.postrider.server.config.HttpLimits;
import dev.postrider.server.config.HttpSettings;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps what strangers can make the server do within bounds: how many connections there are, how
 * many bytes wait to be handled, and how long anybody is waited for. Thread-safe.
 */
public final class ConnectionLimits implements AutoCloseable {
  /** No platform's webhook is larger. */
  public static final long LARGEST_WEBHOOK = 4 << 20;

  private static final Logger log = LoggerFactory.getLogger(ConnectionLimits.class);
  private static final int MOST_REFUSED_AT_ONCE = 32;
  private static final int MOST_BEING_REFUSED = 2 * MOST_REFUSED_AT_ONCE;
  private static final long MOST_OTHER_FILES = 4096;
  private static final long BYTES_OF_ONE = 24 << 10;

  /** Room for a request's head beside its body. */
  private static final long HEAD = 64 << 10;

  private final HttpLimits limits;
  private final Duration bodyTimeout;
  private final int mostConnections;
  private final int mostAtOnce;
  private final long mostBytes;
  private final AtomicInteger connections = new AtomicInteger();
  private final Map<InetAddress, Integer> perAddress = new ConcurrentHashMap<>();
  private final Semaphore refused = new Semaphore(MOST_REFUSED_AT_ONCE);
  private final AtomicLong bytes = new AtomicLong();
  private final Set<ConnectionTraffic> watched = ConcurrentHashMap.newKeySet();
  private final ScheduledExecutorService watch =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().name("slow-connections").daemon().factory());

  public ConnectionLimits(HttpSettings settings) {
    limits = settings.limits();
    bodyTimeout = settings.bodyTimeout();
    int files = spareFiles();
    int beingRefused = Math.min(MOST_BEING_REFUSED, files / 4);
    int possible = Math.min(files - beingRefused, room(Runtime.getRuntime().maxMemory()));
    mostConnections = Math.clamp(limits.connections(), 1, Math.max(possible, 1));
    mostAtOnce = mostConnections + beingRefused + 1;
    long oneBody = Math.max(settings.bodyLimit(), LARGEST_WEBHOOK) + HEAD;
    mostBytes = Math.max(Math.min(limits.bodiesLimit(), quarterOfTheHeap()), oneBody);
    long often = Math.clamp(shortest(limits, bodyTimeout).toMillis() / 4, 10, 500);
    watch.scheduleWithFixedDelay(this::endLateOnes, often, often, TimeUnit.MILLISECONDS);
  }

  private static Duration shortest(HttpLimits limits, Duration bodyTimeout) {
    return Collections.min(List.of(bodyTimeout, limits.headerTimeout(), limits.writeTimeout()));
  }

  /** The store, files and platforms need some too, and a listener without any ends. */
  private static int spareFiles() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
        ? spare(unix.getMaxFileDescriptorCount())
        : 1_000_000;
  }

  /** As many as fill a quarter of the heap when they rest. */
  static int room(long heap) {
    return (int) Math.clamp(heap / 4 / BYTES_OF_ONE, 1, Integer.MAX_VALUE);
  }

  /** Half of them; of very many all but what others need at most. */
  static int spare(long files) {
    return (int) Math.clamp(Math.max(files / 2, files - MOST_OTHER_FILES), 1, 1_000_000_000);
  }

  private static long quarterOfTheHeap() {
    return Runtime.getRuntime().maxMemory() / 4;
  }

  // ---- connections

  /** Counts a connection in; or says why it cannot be, and does not. */
  public @Nullable HttpProblem admit(@Nullable InetAddress address) {
    if (connections.incrementAndGet() > mostConnections) {
      connections.decrementAndGet();
      return HttpProblem.busy(
          "There are %d connections already; the limit is http.connections."
              .formatted(mostConnections));
    }
    if (address != null
        && perAddress.merge(address, 1, Integer::sum) > limits.connectionsPerAddress()) {
      leave(address);
      return HttpProblem.busy(
          ("There are %d connections from your address already; the limit is"
                  + " http.connectionsPerAddress.")
              .formatted(limits.connectionsPerAddress()));
    }
    return null;
  }

  public void leave(@Nullable InetAddress address) {
    connections.decrementAndGet();
    if (address != null) {
      perAddress.computeIfPresent(address, (_, count) -> count == 1 ? null : count - 1);
    }
  }

  /**
   * Most that are accepted at all, with those that are about to be refused: whoever comes on top
   * waits with the operating system. Otherwise a crowd could use up all files before the first of
   * it is looked at, and a listener without files ends.
   */
  public int mostAtOnce() {
    return mostAtOnce;
  }

  public boolean mayListenToRefused() {
    return refused.tryAcquire();
  }

  public void refusedLeft() {
    refused.release();
  }

  // ---- bytes

  /** Counts bytes that came in; gives whether that is too many. */
  public boolean holds(int more) {
    return bytes.addAndGet(more) > mostBytes;
  }

  public void released(long less) {
    bytes.addAndGet(-less);
  }

  public HttpProblem tooManyBytes() {
    return HttpProblem.busy(
        "Bodies of %d bytes are in memory already; the limit is http.bodiesLimit."
            .formatted(mostBytes));
  }

  // ---- time

  public long headerNanos() {
    return limits.headerTimeout().toNanos();
  }

  public long bodyNanos() {
    return bodyTimeout.toNanos();
  }

  public long writeNanos() {
    return limits.writeTimeout().toNanos();
  }

  public void watch(ConnectionTraffic traffic) {
    watched.add(traffic);
  }

  public void ended(ConnectionTraffic traffic) {
    watched.remove(traffic);
    traffic.passedOn();
  }

  private void endLateOnes() {
    long now = System.nanoTime();
    for (ConnectionTraffic traffic : watched) {
      try {
        traffic.endIfLate(now);
      } catch (RuntimeException | Error e) { // one that is thrown would end the watch over all
        log.warn("A slow connection could not be ended: {}", e.toString());
      }
    }
  }

  @Override
  public void close() {
    watch.shutdownNow();
  }
}
