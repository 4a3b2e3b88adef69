package dev.postrider.channels.http;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;

/**
 * A stream that ends when nothing has come for so long: a connection that is dead but not closed
 * would never end by itself.
 */
final class IdleLimit extends FilterInputStream {
  private final Duration idle;
  private final Thread watch;
  private volatile long heardAt = System.nanoTime();
  private volatile boolean silent;

  IdleLimit(InputStream in, Duration idle) {
    super(in);
    this.idle = idle;
    watch = Thread.ofVirtual().name("idle limit").start(this::watch);
  }

  private void watch() {
    try {
      while (true) {
        long left = idle.toNanos() - (System.nanoTime() - heardAt);
        if (left <= 0) {
          silent = true;
          in.close();
          return;
        }
        Thread.sleep(Duration.ofNanos(left));
      }
    } catch (InterruptedException | IOException e) {
      // It was closed, which is what this is for.
    }
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int at, int length) throws IOException {
    try {
      int count = in.read(into, at, length);
      heardAt = System.nanoTime();
      if (count < 0 && silent) {
        throw new IOException("it has fallen silent");
      }
      return count;
    } catch (IOException e) {
      throw silent ? new IOException("it has fallen silent") : e;
    }
  }

  @Override
  public void close() throws IOException {
    watch.interrupt();
    super.close();
  }
}
