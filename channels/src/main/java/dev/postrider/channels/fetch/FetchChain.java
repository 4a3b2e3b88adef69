package dev.postrider.channels.fetch;

import dev.postrider.media.Fetcher.Refused;
import dev.postrider.media.Fetcher.Unreachable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.Proxy;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * The line of one request to the world, with all its redirects. Whatever it connects to is checked
 * at the socket, whoever asked for the connection and however it was named; and at the deadline the
 * line is cut, whatever it is waiting for then. One caller at a time; only the cut comes from
 * another thread.
 */
final class FetchChain implements AutoCloseable {
  private final Bounds bounds;
  private final HostLookup names;
  private final long began = System.nanoTime();
  private final Thread watch;
  private @Nullable Socket current; // guarded by this
  private boolean cut; // guarded by this
  private boolean connected; // the current socket; guarded by this
  private boolean everConnected; // guarded by this

  /**
   * How far and for how long.
   *
   * @param allowedBy the setting that lets private addresses in
   * @param timedBy the setting that says how long
   */
  record Bounds(AllowedAddresses reach, Duration timeout, String allowedBy, String timedBy) {}

  FetchChain(Bounds bounds, HostLookup names) {
    this.bounds = bounds;
    this.names = names;
    watch = Thread.ofVirtual().name("postrider-fetch-deadline").start(this::watch);
  }

  private void watch() {
    try {
      Thread.sleep(left());
    } catch (InterruptedException _) {
      return; // the request is over
    }
    synchronized (this) {
      cut = true;
    }
    hangUp();
  }

  private Duration left() {
    Duration left = bounds.timeout.minusNanos(System.nanoTime() - began);
    return left.isNegative() ? Duration.ZERO : left;
  }

  /** The host's addresses as far as they may be reached. Nobody asks for them a second time. */
  List<InetAddress> lookUp(FetchAddress place) throws IOException {
    InetAddress given = place.address();
    InetAddress[] all = given == null ? lookUp(place.name()) : new InetAddress[] {given};
    List<InetAddress> reachable = Stream.of(all).filter(bounds.reach::includes).toList();
    if (reachable.isEmpty()) {
      throw outOfReach(place.name());
    }
    return reachable;
  }

  /**
   * A lookup cannot be broken off, but it can be left alone. It has a thread of the operating
   * system to itself, because it would not let go of one that virtual threads share.
   */
  private InetAddress[] lookUp(String host) throws IOException {
    FutureTask<InetAddress[]> lookup = new FutureTask<>(() -> names.addresses(host));
    Thread.ofPlatform().daemon().name("postrider-fetch-lookup").start(lookup);
    try {
      return lookup.get(left().toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException _) {
      throw new UnknownHostException();
    } catch (TimeoutException _) {
      throw new InterruptedIOException();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException();
    }
  }

  private Refused outOfReach(String host) {
    return new Refused(
        "%s is at a private address, which is reached only if %s has it"
            .formatted(host, bounds.allowedBy));
  }

  /** How long to try one of several addresses, so that a dead one leaves time for the others. */
  Duration patience(int addresses) {
    return left().dividedBy(addresses).plusMillis(1);
  }

  /** A socket that connects only to where it may. */
  synchronized Socket socket() throws IOException {
    if (cut) {
      throw new InterruptedIOException();
    }
    Socket socket = new Guarded();
    current = socket;
    connected = false;
    return socket;
  }

  private final class Guarded extends Socket {
    Guarded() {
      super(Proxy.NO_PROXY);
    }

    @Override
    public void connect(SocketAddress to, int limit) throws IOException {
      InetAddress address = to instanceof InetSocketAddress ip ? ip.getAddress() : null;
      if (address == null || !bounds.reach.includes(address)) {
        throw outOfReach(address == null ? "the host" : address.getHostAddress());
      }
      super.connect(to, limit);
      connected();
    }
  }

  private synchronized void connected() {
    connected = true;
    everConnected = true;
  }

  /** Ends the connection at once, with all that is still to come. */
  synchronized void hangUp() {
    try {
      if (current != null) {
        current.close();
      }
    } catch (IOException _) {
      // There is nothing left to end.
    }
  }

  /** A failure in words that can be shown: the host, and never what was asked of it. */
  synchronized IOException failure(FetchAddress place, IOException cause) {
    if (cause instanceof Refused) {
      return cause;
    }
    String text = place + " " + reason(cause);
    boolean late = cut || left().isZero();
    boolean unreachable = cause instanceof SSLException || (late ? !everConnected : !connected);
    return unreachable && !Thread.currentThread().isInterrupted()
        ? new Unreachable(text)
        : new IOException(text, cause);
  }

  private String reason(IOException cause) {
    if (Thread.currentThread().isInterrupted()) {
      return "was not waited for: interrupted";
    }
    if (cut || left().isZero()) {
      return "took longer than the %d ms of %s"
          .formatted(bounds.timeout.toMillis(), bounds.timedBy);
    }
    return switch (cause) {
      case UnknownHostException _ -> "has no address";
      case SSLException _ -> "cannot be trusted: " + cause.getMessage();
      case NoRouteToHostException _ -> "cannot be reached: there is no route to it";
      case ConnectException _ -> "cannot be reached: connection refused";
      default -> "failed: " + cause.getClass().getSimpleName();
    };
  }

  @Override
  public void close() {
    watch.interrupt();
    hangUp();
  }
}
