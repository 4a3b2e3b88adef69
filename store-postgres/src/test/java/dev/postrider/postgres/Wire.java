package dev.postrider.postgres;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A wire to the database that can be made to lose answers, and can be cut. */
final class Wire implements AutoCloseable {
  private final ServerSocket door;
  private final int to;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private volatile boolean mute;
  private volatile boolean cut;

  Wire(int to) {
    this.to = to;
    try {
      door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofVirtual().start(this::serve);
  }

  int port() {
    return door.getLocalPort();
  }

  /** What is said still arrives, but no answer comes back. */
  void loseAnswers() {
    mute = true;
  }

  /** Connections break, and none can be made. */
  void cut() {
    cut = true;
    open.forEach(Wire::quietly);
    open.clear();
  }

  void heal() {
    mute = false;
    cut = false;
  }

  private void serve() {
    while (!door.isClosed()) {
      try {
        Socket client = door.accept();
        if (cut) {
          client.close();
          continue;
        }
        Socket server = new Socket(InetAddress.getLoopbackAddress(), to);
        open.add(client);
        open.add(server);
        Thread.ofVirtual().start(() -> pass(client, server, false));
        Thread.ofVirtual().start(() -> pass(server, client, true));
      } catch (IOException e) {
        return; // closed
      }
    }
  }

  private void pass(Socket from, Socket into, boolean answers) {
    byte[] buffer = new byte[16_384];
    try (from;
        into) {
      InputStream in = from.getInputStream();
      OutputStream out = into.getOutputStream();
      for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
        if (!answers || !mute) {
          out.write(buffer, 0, read);
          out.flush();
        }
      }
    } catch (IOException e) {
      // cut
    }
  }

  private static void quietly(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      // gone already
    }
  }

  @Override
  public void close() throws IOException {
    door.close();
    cut();
  }
}
