package dev.postrider.channels.socket;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.postrider.channels.http.HttpCall;
import dev.postrider.channels.http.HttpSender;
import dev.postrider.channels.http.Secrets;
import dev.postrider.channels.socket.EventStream.Event;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(300)
class EventStreamTest {

  private static EventStream stream(String text) {
    return new EventStream(new ByteArrayInputStream(text.getBytes(UTF_8)), 1_000);
  }

  @ParameterizedTest
  @ValueSource(strings = {"\n", "\r\n", "\r"})
  void events_are_read_with_every_end_of_line(String end) throws IOException {
    EventStream stream =
        stream(
            "\ufeff: hello\n\nid: 7\nevent: receive\ndata: {\"a\":\ndata:1}\n\n"
                + "data: grüße\n\n: alive\n\ndata".replace("\n", end));

    assertThat(stream.next()).isEqualTo(new Event("7", "receive", "{\"a\":\n1}"));
    assertThat(stream.next()).isEqualTo(new Event("7", "message", "grüße"));
    assertThat(stream.next()).as("what has no end is no event").isNull();
  }

  @Test
  void a_server_may_ask_for_a_pause() throws IOException {
    EventStream stream = stream("retry: 1500\nretry: soon\n\n");
    assertThat(stream.next()).isNull();
    assertThat(stream.retry()).isEqualTo(Duration.ofMillis(1500));
  }

  @ParameterizedTest
  @ValueSource(strings = {"data: %s\n\n", "data: x\n%s", "data: aaaa%s"})
  void what_never_ends_does_not_fill_the_memory(String pattern) {
    String much = "data: 12345678\n".repeat(200);
    String text = pattern.formatted(pattern.contains("\n%s") ? much : "x".repeat(2_000));
    assertThatThrownBy(() -> stream(text).next()).hasMessageContaining("without an end");
  }

  @Test
  void a_stream_over_http_comes_as_it_is_written_and_ends_when_it_falls_silent() throws Exception {
    CountDownLatch over = new CountDownLatch(1);
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext(
        "/events",
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          exchange.getResponseBody().write("data: one\n\n".getBytes(UTF_8));
          exchange.getResponseBody().flush();
          try {
            over.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          exchange.close();
        });
    server.start();
    URI base = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    try (HttpSender http =
        new HttpSender(Duration.ofMinutes(5), Duration.ofMinutes(5), Secrets.of("very-secret"))) {
      try (EventStream stream =
          new EventStream(
              http.follow(HttpCall.get(base.resolve("/events")), Duration.ofSeconds(3)), 1_000)) {
        assertThat(stream.next()).isEqualTo(new Event(null, "message", "one"));
        assertThatThrownBy(stream::next).hasMessage("it has fallen silent");
      }
      assertThatThrownBy(
              () -> http.follow(HttpCall.get(base.resolve("/none")), Duration.ofMinutes(5)))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("127.0.0.1: 404");
    } finally {
      over.countDown();
      server.stop(0);
    }
  }
}
