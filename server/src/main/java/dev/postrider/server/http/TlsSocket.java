package dev.postrider.server.http;

import dev.postrider.server.api.ConnectionTraffic;
import io.helidon.common.buffers.BufferData;
import io.helidon.common.socket.HelidonSocket;
import io.helidon.common.socket.PeerInfo;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * TLS over a connection of Helidon's. Helidon could do it itself, but before a connection is ours
 * to bound: it would wait for a handshake as long as the other side likes, and ask the name service
 * about every caller. Here the handshake is part of the first read, and so within the time of a
 * request's head. Belongs to the connection's thread.
 */
final class TlsSocket implements HelidonSocket {
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
  private static final int HANDSHAKE_RECORD = 22;
  private static final int RECORD_HEAD = 5;
  private static final int LARGEST_RECORD = (16 << 10) + 2048;
  private static final int MOST_LAST_RECORDS = 8;

  private final HelidonSocket plain;
  private final SSLEngine engine;
  private ByteBuffer received = NOTHING; // and not decrypted yet
  private boolean begun;
  private boolean established;

  TlsSocket(HelidonSocket plain, SSLEngine engine) {
    this.plain = plain;
    this.engine = engine;
  }

  /** What came did not begin like TLS, but perhaps like HTTP. */
  static final class NotTls extends RuntimeException {
    private static final long serialVersionUID = 1L;

    NotTls() {
      super("The other side does not speak TLS.", null, false, false);
    }
  }

  // ---- reading

  @Override
  public byte @Nullable [] get() {
    try {
      while (true) {
        while (received.remaining() < recordLength()) {
          if (!receive()) {
            return null;
          }
        }
        // No record holds more than it takes on the way.
        ByteBuffer clear = ByteBuffer.allocate(recordLength());
        SSLEngineResult result = engine.unwrap(received, clear);
        switch (result.getStatus()) {
          case OK -> handshake(result.getHandshakeStatus());
          case BUFFER_UNDERFLOW, BUFFER_OVERFLOW -> throw new SSLException("A broken record.");
          case CLOSED -> {
            return null;
          }
        }
        if (clear.position() > 0) {
          return Arrays.copyOf(clear.array(), clear.position());
        }
      }
    } catch (SSLException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Of the record that comes next: its head says so in the end. */
  private int recordLength() throws SSLException {
    if (received.remaining() < RECORD_HEAD) {
      return RECORD_HEAD;
    }
    int content = Short.toUnsignedInt(received.getShort(received.position() + RECORD_HEAD - 2));
    if (content > LARGEST_RECORD) {
      throw new SSLException("A record that is too large.");
    }
    return RECORD_HEAD + content;
  }

  /** Waits for more; false at the end. */
  private boolean receive() {
    byte @Nullable [] bytes = plain.get();
    if (bytes == null) {
      return false;
    }
    if (!begun) {
      if (bytes[0] != HANDSHAKE_RECORD) {
        throw new NotTls();
      }
      begun = true;
    }
    if (received.hasRemaining()) {
      ByteBuffer both = ByteBuffer.allocate(received.remaining() + bytes.length);
      received = both.put(received).put(bytes).flip();
    } else {
      received = ByteBuffer.wrap(bytes);
    }
    return true;
  }

  private void handshake(HandshakeStatus begins) throws SSLException {
    HandshakeStatus status = begins;
    while (true) {
      switch (status) {
        case NEED_TASK -> {
          if (established && engine.getSession().getProtocol().equals("TLSv1.2")) {
            // Costs us much and them nothing, as often as they like; nobody needs it.
            throw new SSLException("The other side wants another handshake.");
          }
          for (Runnable task = engine.getDelegatedTask();
              task != null;
              task = engine.getDelegatedTask()) {
            task.run();
          }
          status = engine.getHandshakeStatus();
        }
        case NEED_WRAP -> status = encrypt(NOTHING).getHandshakeStatus();
        case FINISHED -> {
          established = true;
          return;
        }
        case NEED_UNWRAP, NEED_UNWRAP_AGAIN, NOT_HANDSHAKING -> {
          return;
        }
      }
    }
  }

  // ---- writing

  @Override
  public void write(BufferData buffer) {
    byte[] bytes = new byte[buffer.available()];
    buffer.read(bytes);
    ByteBuffer clear = ByteBuffer.wrap(bytes);
    try {
      while (clear.hasRemaining()) {
        if (encrypt(clear).getStatus() == SSLEngineResult.Status.CLOSED) {
          throw new SocketException("The other side has gone.");
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private SSLEngineResult encrypt(ByteBuffer clear) throws SSLException {
    ByteBuffer record = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
    SSLEngineResult result = engine.wrap(clear, record);
    if (record.position() > 0) {
      plain.write(BufferData.create(record.array(), 0, record.position()));
    }
    return result;
  }

  /** Ends what was said over a connection, within the time that anything written has. */
  static void end(HelidonSocket socket, ConnectionTraffic traffic) {
    if (socket instanceof TlsSocket tls) {
      try {
        traffic.write(tls::sayGoodbye);
      } catch (RuntimeException e) {
        // whoever does not hear it has gone
      }
    }
  }

  /** Says that nothing more comes, so that the other side knows that it has everything. */
  private void sayGoodbye() {
    try {
      engine.closeOutbound();
      for (int i = 0; begun && !engine.isOutboundDone() && i < MOST_LAST_RECORDS; i++) {
        encrypt(NOTHING);
      }
    } catch (SSLException e) {
      throw new UncheckedIOException(e);
    }
  }

  // ---- the connection below

  @Override
  public boolean isSecure() {
    return true;
  }

  @Override
  public void close() {
    plain.close();
  }

  @Override
  public void idle() {
    plain.idle();
  }

  @Override
  public boolean isConnected() {
    return plain.isConnected();
  }

  @Override
  @Deprecated(forRemoval = true)
  public int read(BufferData buffer) {
    throw new UnsupportedOperationException("nobody calls it");
  }

  @Override
  public PeerInfo remotePeer() {
    return plain.remotePeer();
  }

  @Override
  public PeerInfo localPeer() {
    return plain.localPeer();
  }

  @Override
  public String socketId() {
    return plain.socketId();
  }

  @Override
  public String childSocketId() {
    return plain.childSocketId();
  }
}
