package dev.postrider.channels.socket;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.channels.Settings;
import dev.postrider.channels.TestCertificate;
import dev.postrider.channels.http.TrustedAuthorities;
import dev.postrider.channels.socket.LineSocket.Peer;
import dev.postrider.config.AccountConfig;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class LineSocketTest {
  private static final Duration LONG = Duration.ofMinutes(5);
  private static final Duration SHORT = Duration.ofMillis(50);

  private static <T> CompletableFuture<T> later(Callable<T> work) {
    CompletableFuture<T> result = new CompletableFuture<>();
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                result.complete(work.call());
              } catch (Exception e) {
                result.completeExceptionally(e);
              }
            });
    return result;
  }

  private static ServerSocket listen() throws IOException {
    return new ServerSocket(0, 4, InetAddress.getLoopbackAddress());
  }

  private static void write(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(UTF_8));
    socket.getOutputStream().flush();
  }

  private static BufferedReader reader(Socket socket) throws IOException {
    return new BufferedReader(new InputStreamReader(socket.getInputStream(), UTF_8));
  }

  @Test
  void lines_come_and_go_and_half_a_line_waits_for_its_rest() throws Exception {
    try (ServerSocket listener = listen();
        LineSocket line =
            LineSocket.plain(new Peer("127.0.0.1", listener.getLocalPort(), LONG, 512));
        Socket server = listener.accept()) {
      write(server, ":irc 001 rider :grüße\r\nPING :a\nhal");
      assertThat(line.next(LONG)).isEqualTo(":irc 001 rider :grüße");
      assertThat(line.next(LONG)).isEqualTo("PING :a");
      assertThat(line.next(SHORT)).isNull();
      write(server, "f a line\n");
      assertThat(line.next(LONG)).isEqualTo("half a line");

      line.say("PRIVMSG #town :hello");
      assertThat(reader(server).readLine()).isEqualTo("PRIVMSG #town :hello");
      assertThatThrownBy(() -> line.say("PRIVMSG #a :x\r\nQUIT"))
          .isInstanceOf(IllegalArgumentException.class);

      server.close();
      assertThatThrownBy(() -> line.next(LONG)).hasMessage("127.0.0.1 has ended the connection");
    }
  }

  @Test
  void a_line_without_an_end_is_refused() throws Exception {
    try (ServerSocket listener = listen();
        LineSocket line =
            LineSocket.plain(new Peer("127.0.0.1", listener.getLocalPort(), LONG, 512));
        Socket server = listener.accept()) {
      write(server, "x".repeat(600));
      assertThatThrownBy(() -> line.next(LONG)).hasMessageContaining("a line without an end");
    }
  }

  @Test
  void a_quiet_connection_is_asked_and_one_that_does_not_answer_is_lost() throws Exception {
    try (ServerSocket listener = listen();
        LineSocket line =
            LineSocket.plain(new Peer("127.0.0.1", listener.getLocalPort(), LONG, 512));
        Socket server = listener.accept()) {
      CompletableFuture<String> answered =
          later(() -> line.nextKeptAlive(SHORT, "PING :postrider"));
      assertThat(reader(server).readLine()).isEqualTo("PING :postrider");
      assertThatThrownBy(answered::join).hasMessageContaining("has fallen silent");
    }
  }

  @Test
  void a_reader_ends_when_it_is_interrupted() throws Exception {
    try (ServerSocket listener = listen();
        LineSocket line =
            LineSocket.plain(new Peer("127.0.0.1", listener.getLocalPort(), LONG, 512));
        Socket server = listener.accept()) {
      CompletableFuture<Throwable> ended = new CompletableFuture<>();
      Thread reader =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      line.next(Duration.ofMinutes(10));
                    } catch (IOException e) {
                      ended.complete(e);
                    }
                  });
      reader.interrupt();
      assertThat(ended.join()).isInstanceOf(IOException.class);
      assertThat(server.isConnected()).isTrue();
    }
  }

  @Test
  void with_tls_only_who_is_vouched_for_is_spoken_to(@TempDir Path folder) throws Exception {
    TestCertificate certificate = TestCertificate.make(folder);
    SSLContext own =
        TrustedAuthorities.of(
            Settings.of(
                AccountConfig.of("irc", "irc").set("caFile", certificate.pem().toString())));
    try (ServerSocket listener =
        certificate
            .server()
            .getServerSocketFactory()
            .createServerSocket(0, 4, InetAddress.getLoopbackAddress())) {
      Peer peer = new Peer("localhost", listener.getLocalPort(), LONG, 512);
      CompletableFuture<String> heard =
          later(
              () -> {
                try (Socket server = listener.accept()) {
                  return reader(server).readLine();
                }
              });
      try (LineSocket line = LineSocket.tls(peer, own)) {
        line.say("NICK rider");
        assertThat(heard.join()).isEqualTo("NICK rider");
      }
      later(() -> listener.accept().getInputStream().read());
      assertThatThrownBy(() -> LineSocket.tls(peer, null))
          .hasMessageStartingWith("localhost cannot be trusted");
    }
  }

  @Test
  void nobody_there_is_an_error_that_names_the_host() throws Exception {
    int port;
    try (ServerSocket listener = listen()) {
      port = listener.getLocalPort();
    }
    assertThatThrownBy(() -> LineSocket.plain(new Peer("127.0.0.1", port, LONG, 512)))
        .hasMessageStartingWith("nobody at 127.0.0.1");
  }
}
