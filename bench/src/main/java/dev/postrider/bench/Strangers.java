package dev.postrider.bench;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Connections that keep a server busy and bring it nothing, from several addresses of this machine:
 * idle ones, which have asked once and rest, and half-open ones, which have sent half a head, and
 * come again whenever the server cuts them off.
 */
final class Strangers implements AutoCloseable {
  private static final int PER_ADDRESS = 2_500;
  private static final String HALF = "GET /readyz HTTP/1.1\r\nHost: loc";
  private static final String WHOLE = "GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n";

  private final InetSocketAddress server;
  private final List<SocketChannel> idle = new ArrayList<>();
  private final List<SocketChannel> half = new ArrayList<>();
  private final Thread keeper;
  private volatile boolean closed;
  private final AtomicInteger cutOff = new AtomicInteger();

  Strangers(int port, int idleOnes, int halfOpenOnes) throws IOException {
    server = new InetSocketAddress("127.0.0.1", port);
    for (int i = 0; i < idleOnes; i++) {
      SocketChannel channel = open(2 + i / PER_ADDRESS, WHOLE);
      if (channel.read(ByteBuffer.allocate(4096)) <= 0) {
        throw new IOException("connection " + i + " was not served");
      }
      channel.configureBlocking(false);
      idle.add(channel);
    }
    int address = 2 + idleOnes / PER_ADDRESS;
    for (int i = 0; i < halfOpenOnes; i++) {
      half.add(halfOpen(address));
    }
    keeper = Thread.ofPlatform().daemon().start(() -> keepOpen(address));
  }

  private SocketChannel open(int address, String begin) throws IOException {
    SocketChannel channel = SocketChannel.open();
    channel.bind(new InetSocketAddress("127.0.0." + address, 0));
    channel.connect(server);
    channel.write(ByteBuffer.wrap(begin.getBytes(StandardCharsets.US_ASCII)));
    return channel;
  }

  private SocketChannel halfOpen(int address) throws IOException {
    SocketChannel channel = open(address, HALF);
    channel.configureBlocking(false);
    return channel;
  }

  private void keepOpen(int address) {
    try {
      while (!closed) {
        for (int i = 0; i < half.size() && !closed; i++) {
          if (!alive(half.get(i))) {
            half.get(i).close();
            half.set(i, halfOpen(address));
            cutOff.incrementAndGet();
          }
        }
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
      }
    } catch (IOException e) {
      if (!closed) {
        System.err.println("The half-open connections are no more: " + e);
      }
    }
  }

  private static boolean alive(SocketChannel channel) {
    try {
      return channel.read(ByteBuffer.allocate(1)) == 0;
    } catch (IOException e) {
      return false;
    }
  }

  /** Makes sure that they were there all the time; gives how many half-open ones were cut off. */
  int check() {
    long left = idle.stream().filter(Strangers::alive).count();
    if (left != idle.size() || !keeper.isAlive()) {
      throw new IllegalStateException("only " + left + " idle connections are left");
    }
    return cutOff.get();
  }

  @Override
  public void close() throws IOException, InterruptedException {
    closed = true;
    keeper.join();
    for (List<SocketChannel> all : List.of(idle, half)) {
      for (SocketChannel channel : all) {
        channel.close();
      }
    }
  }
}
