package dev.postrider.channels.mattermost;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** One address for two servers, as Mattermost has one for its API and its WebSocket. */
final class FrontDoor implements AutoCloseable {
  private final ServerSocket listener;
  private final int api;
  private final int sockets;

  FrontDoor(String api, String sockets) throws IOException {
    this.api = URI.create(api).getPort();
    this.sockets = URI.create(sockets).getPort();
    listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  String url() {
    return "http://127.0.0.1:" + listener.getLocalPort();
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        Thread.ofVirtual().start(() -> lead(client));
      } catch (IOException _) {
        // Closed, or a client that went away.
      }
    }
  }

  private void lead(Socket client) {
    try (client) {
      byte[] head = head(client.getInputStream());
      boolean socket = new String(head, StandardCharsets.US_ASCII).contains("/api/v4/websocket ");
      try (Socket server = new Socket(InetAddress.getLoopbackAddress(), socket ? sockets : api)) {
        server.getOutputStream().write(head);
        Thread back = Thread.ofVirtual().start(() -> pipe(server, client));
        pipe(client, server);
        back.join();
      }
    } catch (IOException _) {
      // Whoever is left is told by the closed connection.
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private static byte[] head(InputStream in) throws IOException {
    ByteArrayOutputStream head = new ByteArrayOutputStream();
    while (!head.toString(StandardCharsets.US_ASCII).endsWith("\r\n\r\n")) {
      int one = in.read();
      if (one < 0) {
        throw new IOException("no request came");
      }
      head.write(one);
    }
    return head.toByteArray();
  }

  private static void pipe(Socket from, Socket to) {
    try (from;
        to) {
      from.getInputStream().transferTo(to.getOutputStream());
    } catch (IOException _) {
      // Either side may end it.
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }
}
