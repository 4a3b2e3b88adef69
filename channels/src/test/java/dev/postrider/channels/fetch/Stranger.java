package dev.postrider.channels.fetch;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** Somebody who listens on every address of this machine, and answers as the test likes. */
final class Stranger implements AutoCloseable {

  /** What is written to the connection once the head of a request was read. */
  @FunctionalInterface
  interface Answer {
    void to(Asked request, OutputStream out) throws IOException, InterruptedException;

    static Answer of(String head, String body) {
      return (_, out) -> out.write((head + "\r\n\r\n" + body).getBytes(ISO_8859_1));
    }

    static Answer ok(String body) {
      return of("HTTP/1.1 200 OK\r\nContent-Length: " + body.length(), body);
    }

    static Answer redirect(String location) {
      return of("HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: " + location, "");
    }
  }

  /** A request: its head, and the address of ours it came to. */
  record Asked(List<String> head, InetAddress at) {
    String path() {
      return head.getFirst().split(" ")[1];
    }
  }

  private final ServerSocket listener;
  private final Answer answer;
  private final BlockingQueue<Socket> callers = new LinkedBlockingQueue<>();
  private final BlockingQueue<Asked> requests = new LinkedBlockingQueue<>();

  Stranger(Answer answer) throws IOException {
    this(new ServerSocket(0), answer);
  }

  Stranger(ServerSocket listener, Answer answer) {
    this.listener = listener;
    this.answer = answer;
    Thread.startVirtualThread(this::accept);
  }

  int port() {
    return listener.getLocalPort();
  }

  List<Asked> requests() {
    return List.copyOf(requests);
  }

  /** Whether nobody has ever connected; tells for certain, by coming after all others. */
  boolean sawNobody() throws Exception {
    try (Socket last = new Socket()) {
      last.connect(new InetSocketAddress("127.0.0.1", port()));
      return callers.take().getPort() == last.getLocalPort();
    }
  }

  Asked awaitRequest() throws InterruptedException {
    return requests.take();
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket caller = listener.accept();
        callers.add(caller);
        Thread.startVirtualThread(() -> serve(caller));
      } catch (IOException e) {
        if (!listener.isClosed()) {
          throw new UncheckedIOException(e);
        }
      }
    }
  }

  private void serve(Socket caller) {
    try (caller) {
      BufferedReader in =
          new BufferedReader(new InputStreamReader(caller.getInputStream(), ISO_8859_1));
      List<String> head = new ArrayList<>();
      for (String line = in.readLine(); !line.isEmpty(); line = in.readLine()) {
        head.add(line);
      }
      Asked request = new Asked(head, caller.getLocalAddress());
      requests.add(request);
      answer.to(request, caller.getOutputStream());
    } catch (IOException | NullPointerException _) {
      // The caller went away, which is its right.
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() throws IOException {
    listener.close();
    for (Socket caller : callers) {
      caller.close();
    }
  }
}
