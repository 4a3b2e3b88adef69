package dev.postrider.server.api;

import io.helidon.common.socket.HelidonSocket;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.ServerConnectionException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * What goes over one connection. It may take only so long, in both directions, and the bytes that
 * came in and are not handled yet count towards a bound that all connections share. Belongs to the
 * connection's thread; only {@link #endIfLate} is for others.
 */
public final class ConnectionTraffic {
  /** Of the connection that this thread serves. */
  public static final ScopedValue<ConnectionTraffic> CURRENT = ScopedValue.newInstance();

  /** Who sends 32 KiB a second is never too slow. */
  private static final long NANOS_PER_BYTE = 1_000_000_000L / (32 << 10);

  private static final long REFUSED_NANOS = 3_000_000_000L;

  private static final long FOREVER = Long.MAX_VALUE;

  private final ConnectionLimits limits;
  private final HelidonSocket socket;
  private final Thread thread = Thread.currentThread();
  private boolean betweenRequests;
  private boolean inBody;
  private long patience; // nanoseconds that may still be spent waiting for this request
  private long held; // bytes that came in and count
  private long blockedUntil = FOREVER; // guarded by this
  private boolean late; // guarded by this

  public ConnectionTraffic(ConnectionLimits limits, HelidonSocket socket) {
    this.limits = limits;
    this.socket = socket;
    patience = limits.headerNanos();
  }

  public static ConnectionTraffic current() {
    return CURRENT.get();
  }

  /** Gives a connection that is refused anyway little time. */
  public void beRefused() {
    patience = Math.min(patience, REFUSED_NANOS);
  }

  /** The next bytes; null at the end. */
  public byte @Nullable [] next() {
    long began = System.nanoTime();
    block(betweenRequests ? FOREVER : began + patience);
    byte @Nullable [] bytes;
    try {
      bytes = socket.get();
    } catch (UncheckedIOException e) {
      throw new ServerConnectionException("Nothing can be read any more.", e);
    } finally {
      unblock();
    }
    if (betweenRequests) {
      betweenRequests = false;
      patience = limits.headerNanos();
    } else {
      patience -= System.nanoTime() - began;
    }
    if (bytes != null) {
      count(bytes.length);
    }
    return bytes;
  }

  private void count(int bytes) {
    held += bytes;
    boolean over = limits.holds(bytes);
    if (inBody) {
      patience += bytes * NANOS_PER_BYTE;
      if (over) {
        throw limits.tooManyBytes();
      }
    }
  }

  /** The head of a request is there. */
  public void bodyBegins() {
    betweenRequests = false;
    inBody = true;
    patience = limits.bodyNanos();
  }

  /** What came in so far is not in memory any more. */
  public void passedOn() {
    limits.released(held);
    held = 0;
  }

  /** All of the request has been read; another may follow whenever it likes. */
  public void requestEnds() {
    inBody = false;
    betweenRequests = true;
  }

  /** Does what may wait for the other side to read, but not for ever. */
  public void write(Runnable write) {
    block(System.nanoTime() + limits.writeNanos());
    try {
      write.run();
    } finally {
      unblock();
    }
  }

  private synchronized void block(long until) {
    blockedUntil = until;
  }

  private synchronized void unblock() {
    blockedUntil = FOREVER;
    if (late) {
      throw new CloseConnectionException("The other side took too long.");
    }
  }

  public synchronized void endIfLate(long now) {
    if (blockedUntil != FOREVER && now - blockedUntil > 0 && !late) {
      late = true;
      thread.interrupt(); // on a virtual thread this closes the socket it waits for
    }
  }
}
