package dev.postrider.testkit.internal.net;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A port for a program that takes a number and binds it later, perhaps again after it was killed.
 * Below the ports the system gives to connections, so that no connection takes it meanwhile.
 */
public final class FreePort {
  private static final int FROM = 12_000;
  private static final int TO = 32_000;

  private FreePort() {}

  public static int find() {
    while (true) {
      int port = ThreadLocalRandom.current().nextInt(FROM, TO);
      try (ServerSocket _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        return port;
      } catch (IOException _) {
        // taken: another one
      }
    }
  }
}
