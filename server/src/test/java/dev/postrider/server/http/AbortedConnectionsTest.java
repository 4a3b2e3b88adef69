package dev.postrider.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.message.Message;
import dev.postrider.server.config.LogFormat;
import dev.postrider.server.config.LogLevel;
import dev.postrider.server.config.LogSettings;
import dev.postrider.server.log.LogCapture;
import dev.postrider.server.log.Logging;
import dev.postrider.server.tls.TestCertificate;
import dev.postrider.server.tls.Trust;
import java.io.IOException;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.logging.Level;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Clients that go without a word, at every moment. Nobody can fill the log by that. */
class AbortedConnectionsTest {
  private static final String POST = "POST /v1/messages HTTP/1.1\r\nHost: localhost\r\n";

  @TempDir Path dir;

  @BeforeEach
  void logEverything() {
    Logging.setUp(new LogSettings(LogFormat.TEXT, LogLevel.DEBUG));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "G",
        "GET /healthz HTTP/1.1\r\nHo",
        "GET /healthz HTTP/1.0\r\nHo",
        "GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET /openapi.json HTTP/1.0\r\n\r\n",
        POST + "Content-Length: 100\r\n\r\n{",
        POST + "Content-Length: 100\r\nExpect: 100-continue\r\n\r\n",
        POST + "Transfer-Encoding: chunked\r\n\r\n5\r\n{",
        POST + "Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 99\r\n\r\n--x\r\n",
        "POST /v1/messages HTTP/1.0\r\nContent-Length: 100\r\n\r\n{",
        "POST /v1/media HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{",
        "POST /v1/nothing HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{",
        "POST /v1/messages/batch HTTP/1.1\r\nHost: localhost\r\n"
            + "Content-Type: application/x-ndjson\r\nContent-Length: 100\r\n\r\n{",
        "POST /v1/inbound/lease HTTP/1.1\r\nHost: localhost\r\nContent-Length: 13\r\n"
            + "\r\n{\"wait\":\"2s\"}",
        "GET /v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET /v1/dead-letters/export HTTP/1.1\r\nHost: localhost\r\n\r\n"
      })
  void an_aborted_connection_costs_at_most_one_debug_line(String begin) throws Exception {
    try (TestServer server = TestServer.start(dir, "http: { connections: 1 }");
        LogCapture log = new LogCapture()) {
      try (Socket socket = new Socket("127.0.0.1", server.port())) {
        socket.getOutputStream().write(begin.getBytes(StandardCharsets.ISO_8859_1));
        if (begin.endsWith("\r\n\r\n") && begin.startsWith("GET")) {
          assertThat(socket.getInputStream().read()).isEqualTo('H'); // in the middle of the answer
        }
        abort(socket);
      }

      awaitEnd(server);
      check(log);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"hello", "handshake", "request", "events"})
  void an_aborted_connection_with_tls_costs_no_more(String until) throws Exception {
    TestCertificate certificate = TestCertificate.make(dir.resolve("tls"), "EC", 365);
    String config = "http: { connections: 1, " + certificate.yaml() + " }";
    try (TestServer server = TestServer.start(dir, config);
        LogCapture log = new LogCapture()) {
      try (Socket socket = new Socket("127.0.0.1", server.port());
          SSLSocket tls =
              (SSLSocket)
                  Trust.only(certificate.authority())
                      .getSocketFactory()
                      .createSocket(socket, "localhost", server.port(), false)) {
        switch (until) {
          case "hello" -> socket.getOutputStream().write(new byte[] {0x16, 3, 1, 2, 0, 1});
          case "handshake" -> tls.startHandshake();
          case "request" ->
              tls.getOutputStream()
                  .write((POST + "Content-Length: 100\r\n\r\n{").getBytes(StandardCharsets.UTF_8));
          default -> {
            tls.getOutputStream()
                .write(
                    "GET /v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n"
                        .getBytes(StandardCharsets.UTF_8));
            assertThat(tls.getInputStream().read()).isEqualTo('H');
          }
        }
        abort(socket);
      }

      awaitEnd(server);
      check(log);
    }
  }

  @Test
  void a_connection_that_was_one_too_many_and_is_aborted_costs_no_more() throws Exception {
    try (TestServer server = TestServer.start(dir, "http: { connections: 1 }");
        LogCapture log = new LogCapture()) {
      try (Socket first = new Socket("127.0.0.1", server.port())) {
        for (int i = 0; i < 100; i++) {
          try (Socket socket = new Socket("127.0.0.1", server.port())) {
            abort(socket);
          }
        }
        abort(first);
      }

      awaitEnd(server);
      assertThat(log.levels()).noneMatch(level -> level.intValue() > Level.FINE.intValue());
      assertThat(log.sentences()).hasSizeLessThanOrEqualTo(101);
    }
  }

  /** The other side hears a reset, as if the process had been killed or the network cut. */
  private static void abort(Socket socket) throws IOException {
    socket.setOption(StandardSocketOptions.SO_LINGER, 0);
    socket.close();
  }

  /** There is room for one connection, so when another is served the first has ended. */
  private static void awaitEnd(TestServer server) throws Exception {
    boolean secure = server.address().startsWith("https");
    String answer = "";
    while (!answer.startsWith("HTTP/1.1 " + (secure ? "400" : "200"))) {
      server.postrider().send(Message.to("sandbox", "a").text("x").build()); // followers are told
      try {
        answer =
            server.raw("GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
      } catch (IOException e) {
        answer = ""; // refused without a word
      }
    }
  }

  private static void check(LogCapture log) {
    List<Level> levels = log.levels();
    assertThat(levels)
        .as(log.text())
        .hasSizeLessThanOrEqualTo(1)
        .noneMatch(level -> level.intValue() > Level.FINE.intValue());
  }
}
