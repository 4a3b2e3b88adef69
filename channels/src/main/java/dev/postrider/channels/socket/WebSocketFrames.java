package dev.postrider.channels.socket;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.security.SecureRandom;

/**
 * The frames of a WebSocket (RFC 6455), from the client's side and without extensions. One thread
 * reads; writing is thread-safe.
 */
final class WebSocketFrames {
  static final int CONTINUED = 0;
  static final int TEXT = 1;
  static final int BINARY = 2;
  static final int CLOSE = 8;
  static final int PING = 9;
  static final int PONG = 10;

  private static final int LAST = 0x80;
  private static final int MASKED = 0x80;
  private static final int IN_TWO_BYTES = 126;
  private static final int IN_EIGHT_BYTES = 127;
  private static final int LONGEST_CONTROL = 125;
  private static final SecureRandom RANDOM = new SecureRandom();

  /** The other side does not keep to the protocol. */
  static final class ProtocolError extends IOException {
    ProtocolError(String message) {
      super(message);
    }
  }

  /** A message, or a control frame, whole. */
  record Message(int opcode, byte[] payload) {
    boolean isControl() {
      return opcode >= CLOSE;
    }
  }

  private record Frame(int opcode, boolean last, byte[] payload) {}

  private final DataInputStream in;
  private final OutputStream out;
  private final int longest;
  private final ByteArrayOutputStream begun = new ByteArrayOutputStream();
  private int begunAs;

  /**
   * @param longest bytes that a message may have
   */
  WebSocketFrames(InputStream in, OutputStream out, int longest) {
    this.in = new DataInputStream(in);
    this.out = out;
    this.longest = longest;
  }

  /**
   * The next message; control frames may come between the frames of one.
   *
   * @throws EOFException if the connection ends
   */
  Message read() throws IOException {
    while (true) {
      Frame frame = readFrame();
      if (frame.opcode >= CLOSE) {
        return new Message(frame.opcode, frame.payload);
      }
      if ((frame.opcode == CONTINUED) == (begunAs == 0)) {
        throw new ProtocolError("a piece of a message that did not begin, or did not end");
      }
      begunAs = frame.opcode == CONTINUED ? begunAs : frame.opcode;
      begun.writeBytes(frame.payload);
      if (frame.last) {
        Message whole = new Message(begunAs, begun.toByteArray());
        begun.reset();
        begunAs = 0;
        return whole;
      }
    }
  }

  private Frame readFrame() throws IOException {
    int first = in.readUnsignedByte();
    int second = in.readUnsignedByte();
    int opcode = first & 0x0f;
    boolean last = (first & LAST) != 0;
    long length = second;
    if ((first & 0x70) != 0 || (second & MASKED) != 0) {
      throw new ProtocolError("a frame with an extension that nobody has asked for");
    }
    if (opcode >= CLOSE && (!last || length > LONGEST_CONTROL)) {
      throw new ProtocolError("a control frame in pieces");
    }
    if (length == IN_TWO_BYTES) {
      length = in.readUnsignedShort();
    } else if (length == IN_EIGHT_BYTES) {
      length = in.readLong();
    }
    if (length < 0 || length > longest - begun.size()) {
      throw new ProtocolError("a message without an end");
    }
    byte[] payload = in.readNBytes((int) length); // takes memory as bytes arrive
    if (payload.length < length) {
      throw new EOFException();
    }
    return new Frame(opcode, last, payload);
  }

  /** Writes a message in one frame. */
  void write(int opcode, byte[] payload) throws IOException {
    ByteBuffer frame = ByteBuffer.allocate(14 + payload.length);
    frame.put((byte) (LAST | opcode));
    if (payload.length < IN_TWO_BYTES) {
      frame.put((byte) (MASKED | payload.length));
    } else if (payload.length <= 0xffff) {
      frame.put((byte) (MASKED | IN_TWO_BYTES)).putShort((short) payload.length);
    } else {
      frame.put((byte) (MASKED | IN_EIGHT_BYTES)).putLong(payload.length);
    }
    byte[] mask = new byte[4];
    RANDOM.nextBytes(mask);
    frame.put(mask);
    for (int i = 0; i < payload.length; i++) {
      frame.put((byte) (payload[i] ^ mask[i % 4]));
    }
    synchronized (out) {
      out.write(frame.array(), 0, frame.position());
      out.flush();
    }
  }
}
