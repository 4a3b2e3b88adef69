package dev.postrider.server.tracing;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** Writes a message of Protocol Buffers, field by field. */
final class ProtobufWriter {
  private static final int VARINT = 0;
  private static final int EIGHT_BYTES = 1;
  private static final int BYTES = 2;
  private static final int FOUR_BYTES = 5;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  byte[] toByteArray() {
    return out.toByteArray();
  }

  ProtobufWriter number(int field, long value) {
    tag(field, VARINT);
    varint(value);
    return this;
  }

  ProtobufWriter fixed32(int field, int value) {
    tag(field, FOUR_BYTES);
    little(value, Integer.BYTES);
    return this;
  }

  ProtobufWriter fixed64(int field, long value) {
    tag(field, EIGHT_BYTES);
    little(value, Long.BYTES);
    return this;
  }

  ProtobufWriter text(int field, String value) {
    return bytes(field, value.getBytes(StandardCharsets.UTF_8));
  }

  ProtobufWriter bytes(int field, byte[] value) {
    tag(field, BYTES);
    varint(value.length);
    out.writeBytes(value);
    return this;
  }

  /** A message inside the message. */
  ProtobufWriter message(int field, Consumer<ProtobufWriter> fields) {
    ProtobufWriter inner = new ProtobufWriter();
    fields.accept(inner);
    return bytes(field, inner.toByteArray());
  }

  private void tag(int field, int type) {
    varint((long) field << 3 | type);
  }

  private void varint(long value) {
    long rest = value;
    while ((rest & ~0x7FL) != 0) {
      out.write((int) (rest & 0x7F | 0x80));
      rest >>>= 7;
    }
    out.write((int) rest);
  }

  private void little(long value, int bytes) {
    for (int i = 0; i < bytes; i++) {
      out.write((int) (value >>> (8 * i)));
    }
  }
}
