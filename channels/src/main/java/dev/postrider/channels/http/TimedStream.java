package dev.postrider.channels.http;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;

/**
 * Bytes of an answer that may be waited for only so long in all. Only waiting counts: whoever reads
 * may take their time. For one reader.
 */
final class TimedStream extends FilterInputStream {
  private static final Duration LOOK = Duration.ofSeconds(1);

  private final Runnable end;
  private final Thread watch;
  private long left; // nanoseconds; guarded by this
  private long since; // when the reader began to wait; guarded by this
  private boolean waiting; // guarded by this
  private boolean late; // guarded by this

  /**
   * @param end ends the connection, also while somebody waits for its bytes
   */
  TimedStream(InputStream bytes, Duration patience, Runnable end) {
    super(bytes);
    this.end = end;
    left = patience.toNanos();
    watch = Thread.ofVirtual().name("postrider-download-deadline").start(this::watch);
  }

  private void watch() {
    try {
      while (!isLate()) {
        Thread.sleep(LOOK);
      }
    } catch (InterruptedException _) {
      return; // it is closed
    }
    end.run();
  }

  private synchronized boolean isLate() {
    late = waiting && System.nanoTime() - since > left;
    return late;
  }

  private synchronized void begin() {
    since = System.nanoTime();
    waiting = true;
  }

  private synchronized void done() {
    waiting = false;
    left -= System.nanoTime() - since;
  }

  @Override
  public int read() throws IOException {
    byte[] one = new byte[1];
    return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    begin();
    try {
      int read = super.read(into, offset, length);
      failIfLate();
      return read;
    } catch (IOException e) {
      failIfLate();
      throw e;
    } finally {
      done();
    }
  }

  private synchronized void failIfLate() throws IOException {
    if (late) {
      throw new IOException("the platform took too long to send the file");
    }
  }

  @Override
  public void close() throws IOException {
    watch.interrupt();
    end.run();
    super.close();
  }
}
