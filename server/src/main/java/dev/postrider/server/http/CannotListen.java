package dev.postrider.server.http;

import dev.postrider.server.config.HttpSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;

/** The address cannot be bound; the message says why and what to do. */
public final class CannotListen extends RuntimeException {
  private static final long serialVersionUID = 1L;

  CannotListen(HttpSettings settings) {
    super(
        "Cannot listen on %s:%d: %s".formatted(settings.host(), settings.port(), reason(settings)));
  }

  /** Tries it once more, because the server keeps the reason to itself. */
  private static String reason(HttpSettings settings) {
    try (ServerSocket socket = new ServerSocket()) {
      InetAddress host = InetAddress.getByName(settings.host());
      socket.bind(new InetSocketAddress(host, settings.port()));
      return "the port was taken a moment ago. Try again.";
    } catch (UnknownHostException e) {
      return "there is no such host. Check http.host.";
    } catch (IOException e) {
      return String.valueOf(e.getMessage()).contains("in use")
          ? "another program uses that port. Stop it, or choose another with --port."
          : e.getMessage() + ". Check http.host and http.port.";
    }
  }
}
