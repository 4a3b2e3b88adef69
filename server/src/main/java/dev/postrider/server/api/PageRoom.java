package dev.postrider.server.api;

import io.helidon.webserver.CloseConnectionException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * How many pages of lists are in memory at once: as many as the heap has room for. Whoever comes on
 * top waits, but not for ever. Thread-safe.
 */
public final class PageRoom {
  /** A page of {@code Page.MOST_BYTES}, decoded, as JSON, with every character escaped. */
  private static final long ROOM_OF_ONE = 64 << 20;

  private static final int MOST = 64;
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final Semaphore room;
  private final Duration patience;

  public PageRoom() {
    this((int) Math.clamp(Runtime.getRuntime().maxMemory() / ROOM_OF_ONE, 1, MOST), PATIENCE);
  }

  PageRoom(int pages, Duration patience) {
    room = new Semaphore(pages, true);
    this.patience = patience;
  }

  /**
   * Takes the room of a page.
   *
   * @throws HttpProblem if there was none for too long
   */
  public void enter() {
    try {
      if (!room.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS)) {
        throw HttpProblem.busy("Too many lists are being read at once; ask again.");
      }
    } catch (InterruptedException e) {
      throw new CloseConnectionException("The server is stopping.", e);
    }
  }

  public void leave() {
    room.release();
  }
}
