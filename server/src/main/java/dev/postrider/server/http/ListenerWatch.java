package dev.postrider.server.http;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Knocks at the server's own door. Helidon's listener can end, for want of memory or of files, and
 * leave a process that works and that nobody can reach; nothing else would notice.
 */
final class ListenerWatch implements AutoCloseable {
  private static final Duration OFTEN = Duration.ofSeconds(2);
  private static final Duration PATIENCE = Duration.ofSeconds(5);
  private static final int REFUSALS = 2;

  private final InetSocketAddress address;
  private final CompletableFuture<Void> ended = new CompletableFuture<>();
  private final ScheduledExecutorService watch =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().name("listener-watch").daemon().factory());
  private int refused;

  ListenerWatch(InetSocketAddress address) {
    this.address = address;
    watch.scheduleWithFixedDelay(
        this::knock, OFTEN.toMillis(), OFTEN.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Completed when nobody can connect any more. */
  CompletableFuture<Void> ended() {
    return ended.copy();
  }

  private void knock() {
    try (Socket socket = new Socket()) {
      socket.connect(address, Math.toIntExact(PATIENCE.toMillis()));
      refused = 0;
    } catch (ConnectException e) {
      refused++;
      if (refused == REFUSALS) {
        ended.complete(null);
      }
    } catch (IOException | RuntimeException | Error e) {
      // Too much to do, or no file left: that passes. Only a closed port refuses; and whatever is
      // thrown out of here would end the watch.
    }
  }

  @Override
  public void close() {
    watch.shutdownNow();
  }
}
