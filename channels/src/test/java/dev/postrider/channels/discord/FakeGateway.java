package dev.postrider.channels.discord;

import dev.postrider.channels.http.Json;
import dev.postrider.channels.socket.WebSocketPeer;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import tools.jackson.databind.JsonNode;

/** Discord's side of a session, as a script; one thread. */
final class FakeGateway implements AutoCloseable {
  private final WebSocketPeer peer;
  private final List<Caller> callers = new ArrayList<>();

  FakeGateway() throws IOException {
    peer = new WebSocketPeer();
  }

  String url() {
    return peer.url();
  }

  /** Waits for somebody to connect. */
  Caller caller() throws Exception {
    Caller caller = new Caller(peer.accept());
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
    peer.close();
    for (Caller caller : callers) {
      caller.drop();
    }
  }

  /** One connection. */
  static final class Caller {
    private final WebSocketPeer.Connection socket;
    final String path;

    private Caller(WebSocketPeer.Connection socket) {
      this.socket = socket;
      path = socket.path();
    }

    void say(String text) throws IOException {
      socket.say(text);
    }

    /** The same in two fragments, as long messages come. */
    void sayInPieces(String text) throws IOException {
      socket.sayInPieces(text);
    }

    void tell(String event, long seq, String data) throws IOException {
      say("{\"op\":0,\"t\":\"" + event + "\",\"s\":" + seq + ",\"d\":" + data + "}");
    }

    void hangUp(int code, String reason) throws IOException {
      socket.hangUp(code, reason);
    }

    void drop() throws IOException {
      socket.close();
    }

    /** What the client says next with this code, heartbeats left out. */
    JsonNode hear(int op) throws IOException {
      while (true) {
        String text = socket.hear();
        if (text == null) {
          throw new EOFException("the client is gone");
        }
        JsonNode said = Objects.requireNonNull(Json.readObject(text), text);
        if (said.path("op").asInt() == op) {
          return said.path("d");
        }
      }
    }

    /** Waits until the client is gone. */
    void awaitEnd() throws IOException {
      while (socket.hear() != null) {
        // Whatever it still had to say.
      }
    }
  }
}
