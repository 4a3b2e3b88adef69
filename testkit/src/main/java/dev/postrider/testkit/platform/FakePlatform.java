package dev.postrider.testkit.platform;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A scriptable HTTP platform on the loopback address.
 *
 * <p>What a request gets is looked up in this order: the queue of {@link #answer}, the rules of
 * {@link #when} in the order they were given, then {@link #otherwise}. A request counts as seen by
 * the platform the moment its last byte was read, whatever the reply then does.
 *
 * <p>One virtual thread per connection, and it only ever waits for bytes; thread-safe.
 */
public final class FakePlatform implements AutoCloseable {
  private final ServerSocket listener;
  private final Thread acceptor;
  private final Set<Socket> connections = ConcurrentHashMap.newKeySet();
  private final AtomicLong connectionCount = new AtomicLong();
  private final Journal<Request> journal = new Journal<>();
  private final Journal<Long> ended = new Journal<>();
  private final Queue<Reply> queue = new ConcurrentLinkedQueue<>();
  private final List<Rule> rules = new CopyOnWriteArrayList<>();
  private volatile Function<Request, Reply> otherwise = _ -> Reply.json(200, "{}");
  private volatile boolean recording = true;

  private record Rule(Predicate<Request> matches, Function<Request, Reply> reply) {}

  private FakePlatform(int port) {
    try {
      listener = new ServerSocket(port, 1024, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot listen on the loopback address", e);
    }
    acceptor = Thread.ofVirtual().name("fake-platform").start(this::accept);
  }

  /** Starts a platform on a free port. */
  public static FakePlatform start() {
    return new FakePlatform(0);
  }

  /** Starts a platform on a port of one's own: for coming back after an outage. */
  public static FakePlatform start(int port) {
    return new FakePlatform(port);
  }

  public int port() {
    return listener.getLocalPort();
  }

  /** Where it listens: {@code http://127.0.0.1:40123}. */
  public String baseUrl() {
    return "http://127.0.0.1:" + port();
  }

  /** Answers the next requests with these, one each, whatever they ask. */
  public FakePlatform answer(Reply... replies) {
    queue.addAll(List.of(replies));
    return this;
  }

  public FakePlatform when(Predicate<Request> matches, Reply reply) {
    return when(matches, _ -> reply);
  }

  public FakePlatform when(Predicate<Request> matches, Function<Request, Reply> reply) {
    rules.add(new Rule(matches, reply));
    return this;
  }

  /** Answers everything that neither the queue nor a rule has answered. */
  public FakePlatform otherwise(Function<Request, Reply> reply) {
    otherwise = reply;
    return this;
  }

  /** Whether requests are kept; a harness that sends millions keeps its own, smaller, books. */
  public FakePlatform recording(boolean on) {
    recording = on;
    return this;
  }

  /** Every request read so far, in the order of arrival. */
  public List<Request> requests() {
    return journal.all();
  }

  /** The one request that came; an error if there were more or fewer. */
  public Request onlyRequest() {
    List<Request> all = journal.all();
    if (all.size() != 1) {
      throw new AssertionError("expected one request and saw " + all.size());
    }
    return all.getFirst();
  }

  /** Waits until so many requests were read in all. */
  public List<Request> awaitRequests(int count, Duration atMost) {
    return journal.await(count, atMost);
  }

  /** Waits until so many connections have ended in all, whoever ended them. */
  public List<Long> awaitEndedConnections(int count, Duration atMost) {
    return ended.await(count, atMost);
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket socket = listener.accept();
        connections.add(socket);
        if (listener.isClosed()) {
          socket.close();
        }
        long number = connectionCount.incrementAndGet();
        Thread.ofVirtual().name("fake-platform-" + number).start(() -> serve(socket, number));
      } catch (IOException e) {
        if (!listener.isClosed()) {
          throw new UncheckedIOException(e);
        }
      }
    }
  }

  private void serve(Socket socket, long number) {
    try (socket) {
      Wire wire = new Wire(socket);
      for (Wire.Head head = wire.readHead(); head != null; head = wire.readHead()) {
        Reply queued = queue.poll();
        if (queued instanceof Reply.Slam || !exchange(wire, head, number, queued)) {
          return;
        }
      }
    } catch (IOException _) {
      // The client went away, which is its right.
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } finally {
      connections.remove(socket);
      ended.add(number);
    }
  }

  private boolean exchange(Wire wire, Wire.Head head, long number, @Nullable Reply queued)
      throws IOException, InterruptedException {
    byte[] body = wire.readBody(head);
    Request request =
        new Request(
            number, Instant.now(), head.method(), head.path(), Map.copyOf(head.headers()), body);
    if (recording) {
      journal.add(request);
    }
    return wire.write(queued == null ? choose(request) : queued) && !head.wantsClose();
  }

  private Reply choose(Request request) {
    for (Rule rule : rules) {
      if (rule.matches.test(request)) {
        return rule.reply.apply(request);
      }
    }
    return otherwise.apply(request);
  }

  /** Stops listening and cuts every connection: from now on connections are refused. */
  @Override
  public void close() {
    try {
      listener.close();
      acceptor.join(); // until it has left the port, the kernel still takes connections
      for (Socket socket : connections) {
        socket.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
