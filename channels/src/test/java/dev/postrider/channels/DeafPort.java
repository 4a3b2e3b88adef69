package dev.postrider.channels;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/**
 * A port that refuses every connection. It is bound and does not listen, so nobody else can listen
 * there while a test relies on the refusal.
 */
public final class DeafPort implements Closeable {
  private final Socket bound = new Socket();

  public DeafPort() throws IOException {
    bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  public int number() {
    return bound.getLocalPort();
  }

  public String baseUrl() {
    return "http://127.0.0.1:" + number();
  }

  @Override
  public void close() throws IOException {
    bound.close();
  }
}
