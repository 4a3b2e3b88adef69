package dev.postrider.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Programs that people use, against a real server: curl, Python's urllib, nginx from Debian's
 * packages ({@code -Dpostrider.peers=skip} skips that one), and clients as old as HTTP/1.0.
 */
class HttpClientsTest {
  private static final String MESSAGE = "{\"account\":\"sandbox\",\"to\":\"a\",\"text\":\"x\"}";
  private static final String WAIT = "{\"wait\":\"1s\"}";
  private static final int SECONDS = 300;

  @TempDir Path dir;
  private TestServer server;

  @BeforeEach
  void start() {
    server = TestServer.start(dir);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"--http1.0", "--http1.1", "-HConnection: close"})
  void curl_is_answered_in_full(String option) throws Exception {
    assertThat(curl(option, "/healthz")).endsWith("\n200").contains("\"status\":\"ok\"");
    assertThat(curl(option, "/v1/messages", "--json", MESSAGE)).endsWith("\n202");
    assertThat(curl(option, "/v1/inbound/lease", "--json", WAIT)).endsWith("{\"items\":[]}\n200");
    assertThat(curl(option, "/v1/dead-letters/export")).isEqualTo("\n200");
    server.say("a", "#fail");
    server.say("b", "#fail");
    assertThat(curl(option, "/v1/dead-letters/export").lines()).hasSize(4);
    assertThat(curl(option, "/openapi.json", "-I"))
        .contains(
            "Content-Length: "
                + server.get("/openapi.json").raw().body().getBytes(StandardCharsets.UTF_8).length);
    String batch = (MESSAGE + "\n").repeat(2_000);
    Path file = Files.writeString(dir.resolve("batch"), batch);
    assertThat(
            curl(
                    option,
                    "/v1/messages/batch",
                    "-HContent-Type: application/x-ndjson",
                    "--data-binary",
                    "@" + file)
                .lines())
        .hasSize(2_002);
    assertThat(curl(option, "/v1/messages", "--json", "{")).endsWith("\n400");
  }

  @Test
  void pythons_urllib_is_answered_in_full() throws Exception {
    String program =
        """
        import sys, urllib.request
        def ask(path, body=None):
            request = urllib.request.Request(sys.argv[1] + path, body, \
        {"Content-Type": "application/json"})
            with urllib.request.urlopen(request, timeout=20) as answer:
                print(answer.status, answer.read().decode().strip())
        ask("/healthz")
        ask("/v1/messages", b'%s')
        ask("/v1/inbound/lease", b'%s')
        ask("/v1/dead-letters/export")
        """
            .formatted(MESSAGE, WAIT);
    server.say("a", "#fail");

    String answers = run("python3", "-c", program, server.address());

    assertThat(answers.lines())
        .satisfiesExactly(
            line -> assertThat(line).startsWith("200").contains("\"status\":\"ok\""),
            line -> assertThat(line).startsWith("202").contains("\"id\""),
            line -> assertThat(line).isEqualTo("200 {\"items\":[]}"),
            line -> assertThat(line).startsWith("200").contains("#fail"));
  }

  /** Its plain {@code proxy_pass} speaks HTTP/1.0 to the server behind it. */
  @Test
  void nginx_passes_requests_on_with_its_defaults() throws Exception {
    try (Nginx nginx = new Nginx(dir, "", "proxy_pass " + server.address() + ";")) {
      String front = nginx.address();
      server.say("a", "#fail");

      assertThat(run("curl", "-sS", front + "/healthz")).contains("\"status\":\"ok\"");
      assertThat(run("curl", "-sS", "--json", MESSAGE, front + "/v1/messages")).contains("\"id\"");
      assertThat(run("curl", "-sS", "--json", WAIT, front + "/v1/inbound/lease"))
          .endsWith("{\"items\":[]}");
      assertThat(run("curl", "-sS", front + "/v1/dead-letters/export")).contains("#fail");
    }
  }

  @Test
  void events_reach_a_client_that_knows_no_chunks() throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.setSoTimeout(300_000);
      ask(
          socket,
          "GET /v1/events?types=message.delivered HTTP/1.0\r\nAccept: text/event-stream\r\n\r\n");
      BufferedReader lines =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
      assertThat(lines.readLine()).isEqualTo("HTTP/1.0 200 OK");
      while (!lines.readLine().isEmpty()) {} // the head
      assertThat(lines.readLine()).isEqualTo("retry: 2000");

      server.say("a", "x");

      String line = lines.readLine();
      while (!line.startsWith("event:")) {
        assertThat(line).matches("|:|id: .*");
        line = lines.readLine();
      }
      assertThat(line).isEqualTo("event: message.delivered");
      assertThat(TestServer.json(lines.readLine().substring("data: ".length())).isObject())
          .isTrue();
    }
  }

  @Test
  void a_client_of_http_1_0_needs_no_host_and_is_hung_up_on_after_its_answer() throws IOException {
    String answer = server.raw("GET /v1/stats HTTP/1.0\r\n\r\n");

    assertThat(answer).startsWith("HTTP/1.0 200 OK\r\n").contains("Connection: close\r\n");
    assertThat(server.raw("POST /v1/inbound/lease HTTP/1.0\r\nContent-Length: 13\r\n\r\n" + WAIT))
        .contains("\r\n\r\n {\"items\":[]}")
        .doesNotContain("Transfer-Encoding");
    assertThat(server.raw("GET /v1/stats HTTP/1.0\r\nHost: evil.example\r\n\r\n"))
        .startsWith("HTTP/1.0 403");
    assertThat(server.raw("GET /v1/stats HTTP/1.0\r\nContent-Length: x\r\n\r\n"))
        .startsWith("HTTP/1.0 400");
  }

  @Test
  void a_client_of_http_1_0_that_asks_for_it_sends_its_next_request_on_the_same_connection()
      throws IOException {
    String first =
        "POST /v1/messages HTTP/1.0\r\nConnection: Keep-Alive\r\nContent-Type: application/json\r\n"
            + "Content-Length: %d\r\n\r\n%s".formatted(MESSAGE.length(), MESSAGE);

    String answers = server.raw(first + first + "GET /healthz HTTP/1.0\r\n\r\n");

    assertThat(answers.split("HTTP/1.0 202 Accepted\r\n", -1)).hasSize(3);
    assertThat(answers.split("Connection: keep-alive\r\n", -1)).hasSize(3);
    assertThat(answers.split("HTTP/1.0 200 OK\r\n", -1)).hasSize(2);
  }

  private static void ask(Socket socket, String request) throws IOException {
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
  }

  /** The body, and the status on a line of its own. */
  private String curl(String option, String path, String... more) throws Exception {
    List<String> command = new ArrayList<>(List.of("curl", "-sS", option, "-w", "\n%{http_code}"));
    command.addAll(List.of(more));
    command.add(server.address() + path);
    return run(command.toArray(String[]::new));
  }

  private String run(String... command) throws Exception {
    Path out = Files.createTempFile(dir, "out", "");
    Process process;
    try {
      process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(out.toFile())
              .start();
    } catch (IOException e) {
      throw new IOException("this test needs " + command[0] + " to be installed", e);
    }
    boolean ended = process.waitFor(SECONDS, TimeUnit.SECONDS);
    process.destroyForcibly();
    String text = Files.readString(out);
    assertThat(ended).as(text).isTrue();
    assertThat(process.exitValue()).as(String.join(" ", command) + "\n" + text).isZero();
    return text;
  }
}
