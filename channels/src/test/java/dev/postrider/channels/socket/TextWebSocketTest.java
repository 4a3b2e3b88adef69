package dev.postrider.channels.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.channels.Settings;
import dev.postrider.channels.TestCertificate;
import dev.postrider.channels.http.HttpSender;
import dev.postrider.channels.http.Secrets;
import dev.postrider.channels.socket.TextWebSocket.Heard;
import dev.postrider.channels.socket.TextWebSocket.Terms;
import dev.postrider.config.AccountConfig;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Proxy;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class TextWebSocketTest {
  private static final Duration LONG = Duration.ofMinutes(4);

  private static final Terms TERMS = new Terms(LONG, Proxy.NO_PROXY, null, Map.of());

  private WebSocketPeer peer;
  private WebSocketPeer.Connection server;
  private TextWebSocket socket;

  @BeforeEach
  void connect() throws Exception {
    peer = new WebSocketPeer();
    CompletableFuture<TextWebSocket> connecting = connecting(peer.address());
    server = peer.accept();
    socket = connecting.join();
  }

  private CompletableFuture<TextWebSocket> connecting(String address) {
    return connecting(uri -> TextWebSocket.connect(TERMS, uri), address);
  }

  @FunctionalInterface
  private interface Connector {
    TextWebSocket connect(URI address) throws IOException, InterruptedException;
  }

  private static CompletableFuture<TextWebSocket> connecting(Connector with, String address) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return with.connect(URI.create(address));
          } catch (IOException | InterruptedException e) {
            throw new CompletionException(e);
          }
        });
  }

  @AfterEach
  void close() throws Exception {
    socket.close();
    server.close();
    peer.close();
  }

  @Test
  void messages_come_one_by_one_whole_and_in_order() throws Exception {
    server.say("one");
    server.sayInPieces("two, in two pieces");
    server.hangUp(4000, "bye");

    assertThat(socket.next(LONG)).isEqualTo(new Heard.Said("one"));
    assertThat(socket.next(LONG)).isEqualTo(new Heard.Said("two, in two pieces"));
    assertThat(socket.next(LONG)).isEqualTo(new Heard.Ended(4000, "bye"));
  }

  @Test
  void what_is_said_arrives() throws Exception {
    socket.say("hello");
    assertThat(server.hear()).isEqualTo("hello");
  }

  @Test
  void nothing_in_time_is_nothing() throws Exception {
    assertThat(socket.next(Duration.ofMillis(1))).isNull();
  }

  @Test
  void a_quiet_connection_is_pinged_and_one_that_does_not_answer_is_lost() throws Exception {
    CompletableFuture<Heard> heard =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return socket.nextKeptAlive(Duration.ofSeconds(2));
              } catch (IOException | InterruptedException e) {
                throw new CompletionException(e);
              }
            });
    assertThat(server.hear()).isEqualTo("ping");
    server.pong();
    assertThat(server.hear()).as("it is asked again after each answer").isEqualTo("ping");

    assertThat(heard.join()).isEqualTo(new Heard.Ended(TextWebSocket.LOST, "it has fallen silent"));
  }

  @Test
  void a_connection_that_breaks_is_lost() throws Exception {
    server.close();
    assertThat(socket.next(LONG))
        .isInstanceOfSatisfying(
            Heard.Ended.class, end -> assertThat(end.code()).isEqualTo(TextWebSocket.LOST));
  }

  @Test
  void an_end_right_behind_a_message_is_told() throws Exception {
    server.say("last");
    server.close();

    assertThat(socket.next(LONG)).isEqualTo(new Heard.Said("last"));
    assertThat(socket.next(LONG))
        .isInstanceOfSatisfying(
            Heard.Ended.class, end -> assertThat(end.code()).isEqualTo(TextWebSocket.LOST));
  }

  @Test
  void a_message_is_not_read_before_the_one_before_it_was_taken() throws Exception {
    CompletableFuture<Void> saying =
        CompletableFuture.runAsync(
            () -> {
              try {
                for (int i = 0; i < 400; i++) {
                  server.say("x".repeat(60_000)); // more than the buffers of both ends hold
                }
              } catch (IOException e) {
                throw new CompletionException(e);
              }
            });
    assertThat(socket.next(LONG)).isInstanceOf(Heard.Said.class);
    assertThat(saying).isNotDone();
    for (int i = 1; i < 400; i++) {
      assertThat(socket.next(LONG)).isInstanceOf(Heard.Said.class);
    }
    saying.join();
  }

  @Test
  void closing_ends_a_write_to_somebody_who_does_not_read() throws Exception {
    CompletableFuture<Void> saying =
        CompletableFuture.runAsync(
            () -> {
              try {
                for (int i = 0; i < 400; i++) {
                  socket.say("x".repeat(60_000)); // more than the buffers of both ends hold
                }
              } catch (IOException | InterruptedException e) {
                throw new CompletionException(e);
              }
            });
    assertThat(server.hear()).hasSize(60_000);
    socket.close();

    assertThatThrownBy(saying::join).hasMessageContaining("the socket to 127.0.0.1 fails");
    assertThat(socket.next(LONG)).isInstanceOf(Heard.Ended.class);
  }

  @Test
  void a_frame_that_breaks_the_protocol_ends_the_connection() throws Exception {
    server.sayOn("begun");
    server.say("another, before the first has ended");

    assertThat(socket.next(LONG))
        .isEqualTo(
            new Heard.Ended(
                TextWebSocket.LOST, "a piece of a message that did not begin, or did not end"));
  }

  @Test
  void somebody_who_takes_the_handshake_without_understanding_it_is_not_spoken_to()
      throws Exception {
    CompletableFuture<TextWebSocket> connecting = connecting(peer.address());
    peer.pretend();

    assertThatThrownBy(connecting::join).hasMessageContaining("it does not speak WebSocket");
  }

  @Test
  void a_proxy_is_asked_to_pass_the_connection_on() throws Exception {
    try (ServerSocket proxy = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      Terms through =
          new Terms(
              LONG, new Proxy(Proxy.Type.HTTP, proxy.getLocalSocketAddress()), null, Map.of());
      CompletableFuture<TextWebSocket> connecting =
          connecting(uri -> TextWebSocket.connect(through, uri), "ws://chat.example/link");
      try (Socket asked = proxy.accept()) {
        String line =
            new BufferedReader(
                    new InputStreamReader(asked.getInputStream(), StandardCharsets.US_ASCII))
                .readLine();
        assertThat(line).isEqualTo("CONNECT chat.example:80 HTTP/1.1");
      }
      assertThatThrownBy(connecting::join).cause().isInstanceOf(IOException.class);
    }
  }

  @Test
  void a_message_without_an_end_ends_the_connection() throws Exception {
    CompletableFuture<Heard> heard =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return socket.next(LONG);
              } catch (InterruptedException e) {
                throw new CompletionException(e);
              }
            });
    try {
      for (int i = 0; i < 300; i++) {
        server.sayOn("x".repeat(65_000));
      }
    } catch (IOException e) {
      // It has hung up.
    }
    assertThat(heard.get())
        .isEqualTo(new Heard.Ended(TextWebSocket.LOST, "a message without an end"));
  }

  @Test
  void with_tls_only_who_the_account_believes_is_spoken_to(@TempDir Path folder) throws Exception {
    TestCertificate certificate = TestCertificate.make(folder);
    Settings settings =
        Settings.of(
            AccountConfig.of("mm", "mattermost").set("caFile", certificate.pem().toString()));
    try (WebSocketPeer secure = new WebSocketPeer(certificate.server());
        HttpSender http = HttpSender.of(settings, Secrets.of())) {
      CompletableFuture<TextWebSocket> connecting = connecting(http::webSocket, secure.address());
      try (WebSocketPeer.Connection peer = secure.accept();
          TextWebSocket own = connecting.join()) {
        peer.say("hello");
        assertThat(own.next(LONG)).isEqualTo(new Heard.Said("hello"));
      }
      CompletableFuture<TextWebSocket> stranger = connecting(secure.address());
      assertThatThrownBy(secure::accept).isInstanceOf(IOException.class);
      assertThatThrownBy(stranger::join).hasMessageContaining("localhost cannot be trusted");
    }
  }

  @Test
  void a_socket_ends_with_the_sender_that_connected_it() throws Exception {
    Settings settings = Settings.of(AccountConfig.of("mm", "mattermost"));
    HttpSender http = HttpSender.of(settings, Secrets.of());
    CompletableFuture<TextWebSocket> connecting = connecting(http::webSocket, peer.address());
    try (WebSocketPeer.Connection other = peer.accept();
        TextWebSocket own = connecting.join()) {
      http.close();

      assertThat(own.next(LONG)).isInstanceOf(Heard.Ended.class);
      assertThat(other.hear()).isNull();
      assertThat(own.isOver()).isTrue();
    }
  }

  @Test
  void a_refused_handshake_names_the_host_and_not_the_ticket() throws Exception {
    CompletableFuture<TextWebSocket> refused = connecting(peer.address());
    peer.refuse();

    assertThatThrownBy(refused::join)
        .cause()
        .isInstanceOf(IOException.class)
        .hasMessageContaining("127.0.0.1")
        .hasMessageNotContaining("very-secret");
  }
}
