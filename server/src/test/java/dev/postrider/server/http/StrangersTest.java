package dev.postrider.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** People who want to keep others out, against a real server. */
class StrangersTest {
  private static final String HOOK =
      """
      accounts:
        - { id: tg, channel: telegram, token: "1:x", baseUrl: "http://127.0.0.1:1", \
      webhookSecret: s3cret }
      """;
  private static final String TOKENS =
      "http: { tokens: [ { name: ops, secret: ruling-the-server-for-good, role: admin } ] }";

  @TempDir Path dir;
  private final List<Socket> open = new ArrayList<>();

  @ParameterizedTest
  @ValueSource(strings = {"Content-Length: 4000000", "Transfer-Encoding: chunked"})
  void a_webhook_for_nobody_is_answered_before_its_body_is_there(String length) throws IOException {
    try (TestServer server = TestServer.start(dir)) {
      String answer = server.raw(head("POST /hooks/nobody", length));

      assertThat(answer).startsWith("HTTP/1.1 404").contains("Connection: close");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"POST /v1/messages", "POST /v1/media"})
  void whoever_has_no_token_is_answered_before_the_body_is_there(String request)
      throws IOException {
    try (TestServer server = TestServer.start(dir, TOKENS)) {
      assertThat(server.raw(head(request, "Content-Length: 4000000"))).startsWith("HTTP/1.1 401");
    }
  }

  @Test
  void bodies_that_are_sent_by_halves_fill_only_so_much_memory() throws IOException {
    try (TestServer server = TestServer.start(dir, HOOK + "http: { bodiesLimit: 1mb }")) {
      byte[] half = new byte[2_000_000];
      for (int i = 0; i < 3; i++) {
        Socket socket = connect(server);
        write(socket, head("POST /hooks/tg", "Content-Length: 4000000"));
        push(socket, half);
      }

      assertThat(firstLine(firstAnswered())).startsWith("HTTP/1.1 503");
      close();
      String message = "{\"account\":\"tg\",\"to\":\"1\",\"text\":\"x\"}";
      assertThat(server.post("/v1/messages", message).status()).isEqualTo(202);
    }
  }

  @Test
  void one_large_chunk_is_not_gathered_in_memory() throws IOException {
    try (TestServer server = TestServer.start(dir, HOOK + "http: { bodiesLimit: 1mb }")) {
      Socket socket = connect(server);
      write(socket, head("POST /hooks/tg", "Transfer-Encoding: chunked") + "7fffffff\r\n");
      byte[] some = new byte[100_000];
      while (socket.getInputStream().available() == 0) {
        push(socket, some);
      }

      assertThat(firstLine(socket)).startsWith("HTTP/1.1 503");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"connections", "connectionsPerAddress"})
  void a_connection_too_many_is_told_so_and_room_is_there_when_others_leave(String setting)
      throws Exception {
    try (TestServer server = TestServer.start(dir, "http: { " + setting + ": 3 }")) {
      for (int i = 0; i < 3; i++) {
        Socket socket = connect(server);
        write(socket, "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
        assertThat(firstLine(socket)).startsWith("HTTP/1.1 200");
      }

      String refused = server.raw("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");

      assertThat(refused).startsWith("HTTP/1.1 503").contains("Retry-After: ", "http." + setting);
      assertThat(
              TestServer.json(refused.substring(refused.indexOf("\r\n\r\n")))
                  .get("type")
                  .asString())
          .isEqualTo("urn:postrider:problem:busy");
      close();
      for (String answer = refused; !answer.startsWith("HTTP/1.1 200"); ) {
        answer =
            server.raw("GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "GET /healthz HT",
        "GET /healthz HTTP/1.1\r\nHost: loc",
        "GET /healthz HTTP/1.0\r\nHost: loc",
        "POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{",
        "POST /v1/messages HTTP/1.0\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{",
        "POST /v1/media HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{",
        "POST /v1/media HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc",
        "POST /v1/messages HTTP/1.1\r\nHost: localhost\r\n"
            + "Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 100\r\n\r\n"
            + "--x\r\n",
        "POST /v1/messages/batch HTTP/1.1\r\nHost: localhost\r\n"
            + "Content-Type: application/x-ndjson\r\nContent-Length: 100\r\n\r\n{",
        "POST /v1/nothing HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{",
        "POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\n"
            + "Content-Length: 99999999\r\n\r\n{"
      })
  void whoever_stalls_is_cut_off_wherever_he_does(String begin) throws IOException {
    String settings = "http: { headerTimeout: 100ms, bodyTimeout: 100ms }";
    try (TestServer server = TestServer.start(dir, settings)) {
      String answer;
      try {
        answer = server.raw(begin); // ends when the server hangs up
      } catch (java.net.SocketTimeoutException e) {
        throw new AssertionError("not cut off", e);
      }
      assertThat(answer).doesNotContain("HTTP/1.1 2", "HTTP/1.1 5");
      assertThat(server.get("/healthz").status()).isEqualTo(200);
    }
  }

  @Test
  void a_connection_may_rest_between_requests_for_longer_than_a_head_may_take() throws Exception {
    String settings = "http: { headerTimeout: 100ms, bodyTimeout: 100ms }";
    try (TestServer server = TestServer.start(dir, settings);
        Socket socket = connect(server)) {
      String request = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";
      write(socket, request);
      assertThat(firstLine(socket)).startsWith("HTTP/1.1 200");
      try (Socket stalling = connect(server)) {
        stalling.setSoTimeout(300_000);
        assertThat(stalling.getInputStream().read()).isNegative(); // so the time has passed
      }

      write(socket, request);

      socket.setSoTimeout(300_000);
      assertThat(new String(socket.getInputStream().readNBytes(20), StandardCharsets.US_ASCII))
          .isNotEmpty();
    }
  }

  @Test
  void whoever_asks_for_much_and_does_not_read_it_is_dropped() throws IOException {
    String settings = "http: { headerTimeout: 2s, writeTimeout: 100ms }";
    try (TestServer server = TestServer.start(dir, settings);
        Socket socket = connect(server)) {
      int size = server.get("/openapi.json").raw().body().length();
      int often = 64_000_000 / size;
      write(socket, "GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(often));
      try (Socket stalling = connect(server)) {
        stalling.setSoTimeout(300_000);
        assertThat(stalling.getInputStream().read()).isNegative(); // so the time has passed
      }

      long read = 0;
      try {
        socket.setSoTimeout(300_000);
        for (int some = 0; some >= 0; some = socket.getInputStream().read(new byte[65_536])) {
          read += some;
        }
      } catch (java.net.SocketException e) {
        // reset: dropped
      }
      assertThat(read).isLessThan((long) often * size);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "POST /v1/inbound/lease HTTP/1.1\r\nHost: localhost\r\nContent-Length: 14\r\n\r\n"
            + "{\"wait\":\"60s\"}"
      })
  void the_257th_that_waits_is_told_that_there_are_too_many(String request) throws IOException {
    try (TestServer server = TestServer.start(dir)) {
      for (int i = 0; i < 256; i++) {
        Socket socket = connect(server);
        write(socket, request);
        socket.setSoTimeout(300_000);
        assertThat(firstLine(socket)).startsWith("HTTP/1.1 200");
      }

      Socket last = connect(server);
      last.setSoTimeout(300_000);
      write(last, request);

      assertThat(firstLine(last)).startsWith("HTTP/1.1 503");
      assertThat(server.get("/healthz").status()).isEqualTo(200);
      close();
    }
  }

  // ---- what strangers do

  private Socket connect(TestServer server) throws IOException {
    Socket socket = new Socket("127.0.0.1", server.port());
    open.add(socket);
    return socket;
  }

  private void close() throws IOException {
    for (Socket socket : open) {
      socket.close();
    }
  }

  private static void write(Socket socket, String text) throws IOException {
    socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
  }

  /**
   * Sends it, or as much as the server takes: when it has hung up, its answer can still be read.
   */
  private static void push(Socket socket, byte[] bytes) throws IOException {
    try {
      socket.getOutputStream().write(bytes);
    } catch (SocketException e) {
      assertThat(socket.getInputStream().available()).as("an answer before the end").isPositive();
    }
  }

  /** Whichever is answered first. */
  private Socket firstAnswered() throws IOException {
    while (true) {
      for (Socket socket : open) {
        if (socket.getInputStream().available() > 0) {
          return socket;
        }
      }
      Thread.onSpinWait();
    }
  }

  /** Empty if none comes. */
  private static String firstLine(Socket socket) throws IOException {
    InputStream in = socket.getInputStream();
    StringBuilder line = new StringBuilder();
    try {
      for (int next = in.read(); next >= 0 && next != '\r'; next = in.read()) {
        line.append((char) next);
      }
    } catch (java.net.SocketTimeoutException e) {
      return "";
    }
    return line.toString();
  }

  private static String head(String request, String length) {
    return request + " HTTP/1.1\r\nHost: localhost\r\n" + length + "\r\n\r\n";
  }
}
