package dev.postrider.channels.discord;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postrider.channels.http.Json;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import tools.jackson.databind.JsonNode;

/** The server's side of a WebSocket (RFC 6455), as much as a script needs; one thread. */
final class FakeGateway implements AutoCloseable {
  private static final String MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
  private static final int PATIENCE = 10_000;

  private final ServerSocket listener;
  private final List<Caller> callers = new ArrayList<>();

  FakeGateway() throws IOException {
    listener = new ServerSocket(0, 16, InetAddress.getLoopbackAddress());
    listener.setSoTimeout(PATIENCE);
  }

  String url() {
    return "ws://127.0.0.1:" + listener.getLocalPort();
  }

  /** Waits for somebody to connect. */
  Caller caller() throws Exception {
    Caller caller = new Caller(listener.accept());
    callers.add(caller);
    return caller;
  }

  /** Waits for somebody to connect, and says hello. */
  Caller greeted(long heartbeat) throws Exception {
    Caller caller = caller();
    caller.say("{\"op\":10,\"d\":{\"heartbeat_interval\":" + heartbeat + "}}");
    return caller;
  }

  @Override
  public void close() throws IOException {
    listener.close();
    for (Caller caller : callers) {
      caller.drop();
    }
  }

  /** One connection. */
  static final class Caller {
    private final Socket socket;
    private final DataInputStream in;
    private final OutputStream out;
    final String path;

    private Caller(Socket socket) throws Exception {
      this.socket = socket;
      socket.setSoTimeout(PATIENCE);
      in = new DataInputStream(socket.getInputStream());
      out = socket.getOutputStream();
      path = line().split(" ")[1];
      String key = "";
      for (String line = line(); !line.isEmpty(); line = line()) {
        if (line.toLowerCase(Locale.ROOT).startsWith("sec-websocket-key:")) {
          key = line.substring(line.indexOf(':') + 1).strip();
        }
      }
      byte[] proof = MessageDigest.getInstance("SHA-1").digest((key + MAGIC).getBytes(UTF_8));
      out.write(
          ("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                  + "Sec-WebSocket-Accept: "
                  + Base64.getEncoder().encodeToString(proof)
                  + "\r\n\r\n")
              .getBytes(UTF_8));
    }

    private String line() throws IOException {
      ByteArrayOutputStream line = new ByteArrayOutputStream();
      for (int b = in.readUnsignedByte(); b != '\n'; b = in.readUnsignedByte()) {
        if (b != '\r') {
          line.write(b);
        }
      }
      return line.toString(UTF_8);
    }

    void say(String text) throws IOException {
      frame(0x81, text.getBytes(UTF_8));
    }

    /** The same in two fragments, as long messages come. */
    void sayInPieces(String text) throws IOException {
      int half = text.length() / 2;
      frame(0x01, text.substring(0, half).getBytes(UTF_8));
      frame(0x80, text.substring(half).getBytes(UTF_8));
    }

    void tell(String event, long seq, String data) throws IOException {
      say("{\"op\":0,\"t\":\"" + event + "\",\"s\":" + seq + ",\"d\":" + data + "}");
    }

    void hangUp(int code, String reason) throws IOException {
      byte[] text = reason.getBytes(UTF_8);
      frame(0x88, ByteBuffer.allocate(2 + text.length).putShort((short) code).put(text).array());
    }

    void drop() throws IOException {
      socket.close();
    }

    private void frame(int head, byte[] payload) throws IOException {
      ByteArrayOutputStream frame = new ByteArrayOutputStream();
      frame.write(head);
      if (payload.length < 126) {
        frame.write(payload.length);
      } else {
        frame.write(126);
        frame.write(payload.length >> 8);
        frame.write(payload.length & 0xff);
      }
      frame.write(payload);
      out.write(frame.toByteArray());
    }

    /** What the client says next. */
    JsonNode hear() throws IOException {
      in.readUnsignedByte();
      int length = in.readUnsignedByte() & 0x7f;
      length = length == 126 ? in.readUnsignedShort() : length;
      byte[] mask = in.readNBytes(4);
      byte[] payload = in.readNBytes(length);
      for (int i = 0; i < payload.length; i++) {
        payload[i] ^= mask[i % 4];
      }
      return Json.readObject(new String(payload, UTF_8));
    }

    /** What the client says next with this code, heartbeats left out. */
    JsonNode hear(int op) throws IOException {
      JsonNode said = hear();
      while (said.path("op").asInt() != op) {
        said = hear();
      }
      return said.path("d");
    }

    /** Waits until the client is gone. */
    void awaitEnd() throws IOException {
      try {
        while (true) {
          hear();
        }
      } catch (EOFException | SocketException e) {
        // As expected.
      }
    }
  }
}
