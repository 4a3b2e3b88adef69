package dev.postrider.channels.socket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.channels.Settings;
import dev.postrider.channels.TestCertificate;
import dev.postrider.channels.http.HttpSender;
import dev.postrider.channels.http.Secrets;
import dev.postrider.channels.socket.TextWebSocket.Heard;
import dev.postrider.config.AccountConfig;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(30)
class TextWebSocketTest {
  private static final Duration LONG = Duration.ofSeconds(20);

  private final HttpClient client = HttpClient.newHttpClient();
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
    return connecting(client.newWebSocketBuilder(), address);
  }

  private static CompletableFuture<TextWebSocket> connecting(
      WebSocket.Builder builder, String address) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return TextWebSocket.connect(builder, URI.create(address));
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
    client.close();
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
                return socket.nextKeptAlive(Duration.ofMillis(50));
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
      CompletableFuture<TextWebSocket> connecting = connecting(http.webSocket(), secure.address());
      try (WebSocketPeer.Connection peer = secure.accept();
          TextWebSocket own = connecting.join()) {
        peer.say("hello");
        assertThat(own.next(LONG)).isEqualTo(new Heard.Said("hello"));
      }
      CompletableFuture<TextWebSocket> stranger =
          connecting(client.newWebSocketBuilder(), secure.address());
      assertThatThrownBy(secure::accept).isInstanceOf(IOException.class);
      assertThatThrownBy(stranger::join).hasMessageContaining("SSLHandshakeException");
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
