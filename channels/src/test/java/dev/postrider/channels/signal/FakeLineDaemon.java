package dev.postrider.channels.signal;

import dev.postrider.channels.http.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;

/** signal-cli's daemon on a socket: a line a message, and what it says can be scripted. */
final class FakeLineDaemon implements AutoCloseable {
  private final ServerSocketChannel server;
  private final List<SocketChannel> open = new CopyOnWriteArrayList<>();
  final AtomicInteger connections = new AtomicInteger();

  /** Every question, in order. */
  final BlockingQueue<JsonNode> asked = new LinkedBlockingQueue<>();

  /** What each method says after its id; nothing for those that are not here. */
  final Map<String, String> answers = new ConcurrentHashMap<>();

  /** Whether it reads at all. */
  volatile boolean reads = true;

  private FakeLineDaemon(ServerSocketChannel server) {
    this.server = server;
    answers.put("subscribeReceive", "\"result\":0");
    answers.put("version", "\"result\":{\"version\":\"0.13.19\"}");
    answers.put("listAccounts", "\"result\":[{\"number\":\"" + FakeSignalCli.NUMBER + "\"}]");
    answers.put("send", FakeSignalCli.sent("SUCCESS"));
    Thread.ofVirtual().start(this::accept);
  }

  static FakeLineDaemon tcp() throws IOException {
    return new FakeLineDaemon(
        ServerSocketChannel.open()
            .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
  }

  static FakeLineDaemon unix(Path path) throws IOException {
    return new FakeLineDaemon(
        ServerSocketChannel.open(StandardProtocolFamily.UNIX)
            .bind(UnixDomainSocketAddress.of(path)));
  }

  /** As an account's {@code socket}. */
  String address() throws IOException {
    SocketAddress local = server.getLocalAddress();
    return local instanceof InetSocketAddress tcp ? "127.0.0.1:" + tcp.getPort() : local.toString();
  }

  private void accept() {
    try {
      while (true) {
        SocketChannel peer = server.accept();
        connections.incrementAndGet();
        open.add(peer);
        Thread.ofVirtual().start(() -> serve(peer));
      }
    } catch (IOException e) {
      // It was closed.
    }
  }

  private void serve(SocketChannel peer) {
    if (!reads) {
      return;
    }
    try (BufferedReader lines =
        new BufferedReader(
            new InputStreamReader(Channels.newInputStream(peer), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        JsonNode question = Json.readObject(line);
        asked.add(question);
        String answer = answers.get(question.path("method").asString());
        if (answer != null) {
          write(
              peer,
              "{\"jsonrpc\":\"2.0\",%s,\"id\":\"%s\"}\n"
                  .formatted(answer, question.path("id").asString()));
        }
      }
    } catch (IOException e) {
      // It has gone, or was cut.
    }
    open.remove(peer);
  }

  private static synchronized void write(SocketChannel peer, String text) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    while (bytes.hasRemaining()) {
      peer.write(bytes);
    }
  }

  /** Writes to whoever is connected, as it stands. */
  void says(String text) throws IOException {
    for (SocketChannel peer : open) {
      write(peer, text);
    }
  }

  /** Tells of something that came, in the form of a subscription. */
  void tells(String received) throws IOException {
    says(
        "{\"jsonrpc\":\"2.0\",\"method\":\"receive\",\"params\":{\"subscription\":0,\"result\":"
            + received.replace("\n", "")
            + "}}\n");
  }

  /** Waits until it is asked this. */
  JsonNode awaits(String method) throws InterruptedException {
    JsonNode question = asked.take();
    while (!question.path("method").asString().equals(method)) {
      question = asked.take();
    }
    return question;
  }

  void cut() throws IOException {
    for (SocketChannel peer : open) {
      peer.close();
    }
    open.clear();
  }

  @Override
  public void close() throws IOException {
    server.close();
    cut();
  }
}
