package dev.postrider.server.http;

import dev.postrider.server.api.ConnectionTraffic;
import io.helidon.common.buffers.BufferData;
import io.helidon.common.buffers.DataWriter;

/** Writes to a connection, as long as the other side reads. */
record TimedWriter(DataWriter to, ConnectionTraffic traffic) implements DataWriter {

  @Override
  public void write(BufferData... buffers) {
    traffic.write(() -> to.write(buffers));
  }

  @Override
  public void write(BufferData buffer) {
    traffic.write(() -> to.write(buffer));
  }

  @Override
  public void writeNow(BufferData... buffers) {
    traffic.write(() -> to.writeNow(buffers));
  }

  @Override
  public void writeNow(BufferData buffer) {
    traffic.write(() -> to.writeNow(buffer));
  }

  @Override
  public void flush() {
    traffic.write(to::flush);
  }
}
