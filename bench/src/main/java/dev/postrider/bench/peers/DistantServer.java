package dev.postrider.bench.peers;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A server on loopback as if it were farther away: half of the time to go there and back, each way.
 */
final class DistantServer implements AutoCloseable {
  private record Chunk(byte[] bytes, long due) {}

  private final ServerSocket listener = new ServerSocket(0, 100, InetAddress.getLoopbackAddress());
  private final int port;
  private final long oneWay;

  DistantServer(int port, int roundTripMillis) throws IOException {
    this.port = port;
    oneWay = TimeUnit.MILLISECONDS.toNanos(roundTripMillis) / 2;
    Thread.ofVirtual().start(this::accept);
  }

  int port() {
    return listener.getLocalPort();
  }

  private void accept() {
    try {
      while (true) {
        Socket near = listener.accept();
        Socket far = new Socket(InetAddress.getLoopbackAddress(), port);
        near.setTcpNoDelay(true);
        far.setTcpNoDelay(true);
        carry(near, far);
        carry(far, near);
      }
    } catch (IOException e) {
      // closed
    }
  }

  private void carry(Socket from, Socket to) {
    BlockingQueue<Chunk> underWay = new LinkedBlockingQueue<>();
    Thread.ofVirtual().start(() -> read(from, underWay));
    Thread.ofVirtual().start(() -> write(underWay, to));
  }

  private void read(Socket from, BlockingQueue<Chunk> underWay) {
    byte[] buffer = new byte[65_536];
    try (from) {
      InputStream in = from.getInputStream();
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        underWay.add(new Chunk(Arrays.copyOf(buffer, n), System.nanoTime() + oneWay));
      }
    } catch (IOException e) {
      // the other side learns of it, too
    } finally {
      underWay.add(new Chunk(new byte[0], System.nanoTime() + oneWay));
    }
  }

  private static void write(BlockingQueue<Chunk> underWay, Socket to) {
    try (to) {
      OutputStream out = to.getOutputStream();
      for (Chunk chunk = underWay.take(); chunk.bytes.length > 0; chunk = underWay.take()) {
        for (long wait = chunk.due - System.nanoTime();
            wait > 0;
            wait = chunk.due - System.nanoTime()) {
          LockSupport.parkNanos(wait);
        }
        out.write(chunk.bytes);
      }
    } catch (IOException e) {
      // closed by the other side
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }
}
