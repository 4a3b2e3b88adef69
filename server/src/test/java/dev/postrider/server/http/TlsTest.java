package dev.postrider.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.server.log.LogCapture;
import dev.postrider.server.tls.TestCertificate;
import dev.postrider.server.tls.Trust;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.math.BigInteger;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A real server that speaks HTTPS, and what strangers can do to it. */
class TlsTest {
  private static final String GET = "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n";

  /** Of a client that knows nothing newer than TLS 1.1. */
  private static final byte[] HELLO_OF_TLS_1_1 =
      HexFormat.of()
          .parseHex(
              "160301002d" // a handshake of 45 bytes
                  + "01000029" // a hello of 41
                  + "0302" // TLS 1.1
                  + "00".repeat(32) // random
                  + "00" // no session
                  + "0002c009" // ECDHE-ECDSA-AES128-SHA
                  + "0100"); // no compression

  @TempDir static Path made;
  @TempDir Path dir;

  private static TestCertificate own;
  private static TestCertificate rsa;

  @BeforeAll
  static void make() {
    own = TestCertificate.make(made.resolve("ec"), "EC", 365);
    rsa = TestCertificate.make(made.resolve("rsa"), "RSA", 365);
  }

  @ParameterizedTest
  @ValueSource(strings = {"EC", "RSA"})
  void everything_is_served_over_https(String algorithm) throws Exception {
    TestCertificate certificate = algorithm.equals("EC") ? own : rsa;
    try (TestServer server = start(certificate, "");
        HttpClient client = client(certificate)) {
      assertThat(server.address()).startsWith("https://127.0.0.1:");

      assertThat(get(client, server, "/healthz").body()).contains("\"status\":\"ok\"");
      assertThat(get(client, server, "/openapi.json").body().length()).isGreaterThan(50_000);
      String line =
          "{\"account\":\"sandbox\",\"to\":\"a\",\"text\":\"%s\"}\n".formatted("x".repeat(3000));
      HttpResponse<String> batch =
          client.send(
              HttpRequest.newBuilder(URI.create(server.address() + "/v1/messages/batch"))
                  .header("Content-Type", "application/x-ndjson")
                  .POST(BodyPublishers.ofString(line.repeat(300)))
                  .build(),
              BodyHandlers.ofString());
      assertThat(batch.statusCode()).isEqualTo(200);
      assertThat(batch.body().lines()).hasSize(300).allMatch(each -> each.contains("\"id\""));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"TLSv1.2", "TLSv1.3"})
  void both_versions_of_tls_are_spoken_and_the_end_of_an_answer_is_said(String version)
      throws Exception {
    try (TestServer server = start(own, "");
        SSLSocket socket = connect(server, own)) {
      socket.setEnabledProtocols(new String[] {version});

      String answer = ask(socket, GET.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"));

      assertThat(socket.getSession().getProtocol()).isEqualTo(version);
      assertThat(answer).startsWith("HTTP/1.1 200").endsWith("}");
    }
  }

  @Test
  void a_client_of_http_1_0_is_served_over_tls_too() throws Exception {
    try (TestServer server = start(own, "");
        SSLSocket socket = connect(server, own)) {
      assertThat(ask(socket, "GET /healthz HTTP/1.0\r\n\r\n")).startsWith("HTTP/1.0 200");
    }
  }

  @Test
  void what_is_older_than_tls_1_2_is_refused() throws Exception {
    try (TestServer server = start(own, "")) {
      byte[] answer = raw(server, HELLO_OF_TLS_1_1);

      assertThat(answer).hasSize(7).startsWith(21); // an alert,
      assertThat(answer[5]).isEqualTo((byte) 2); // fatal,
      assertThat(answer[6]).isEqualTo((byte) 70); // that is about the version
    }
  }

  @Test
  void whoever_speaks_http_2_alone_is_told_so_in_the_handshake() throws Exception {
    try (TestServer server = start(own, "");
        SSLSocket socket = connect(server, own)) {
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setApplicationProtocols(new String[] {"h2"});
      socket.setSSLParameters(parameters);

      assertThatThrownBy(socket::startHandshake)
          .isInstanceOf(SSLHandshakeException.class)
          .hasMessageContaining("no_application_protocol");
    }
  }

  @Test
  void whoever_speaks_plain_http_is_told_to_use_https() throws Exception {
    try (TestServer server = start(own, "")) {
      String answer =
          new String(raw(server, GET.getBytes(StandardCharsets.US_ASCII)), StandardCharsets.UTF_8);

      assertThat(answer)
          .startsWith("HTTP/1.1 400 Bad Request\r\n")
          .contains("Connection: close", "urn:postrider:problem:https-only", "https://");
    }
  }

  @Test
  void garbage_in_place_of_a_handshake_ends_the_connection_and_nothing_else() throws Exception {
    try (TestServer server = start(own, "");
        HttpClient client = client(own);
        LogCapture log = new LogCapture()) {
      byte[] garbage = new byte[6_000]; // more than it says it is: 0x1616
      java.util.Arrays.fill(garbage, (byte) 0x16);

      assertThat(raw(server, garbage).length).isLessThan(20);
      assertThat(raw(server, new byte[] {0x16, 3, 1, (byte) 0xff, (byte) 0xff, 1}).length)
          .isLessThan(20);

      assertThat(get(client, server, "/healthz").statusCode()).isEqualTo(200);
      assertThat(log.sentences()).isEmpty();
    }
  }

  @Test
  void a_second_handshake_on_a_connection_is_refused() throws Exception {
    try (TestServer server = start(own, "");
        SSLSocket socket = connect(server, own)) {
      socket.setEnabledProtocols(new String[] {"TLSv1.2"});
      write(socket, GET);
      assertThat(socket.getInputStream().read()).isEqualTo('H');
      readAnswer(socket);

      assertThatThrownBy(
              () -> {
                socket.startHandshake();
                write(socket, GET);
                readAnswer(socket);
              })
          .isInstanceOf(IOException.class);
    }
  }

  // ---- those who keep others waiting

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 20})
  void a_handshake_that_stalls_is_cut_off(int sent) throws Exception {
    try (TestServer server = start(own, "headerTimeout: 100ms")) {
      byte[] begin = new byte[sent];
      System.arraycopy(HELLO_OF_TLS_1_1, 0, begin, 0, sent);

      assertThat(raw(server, begin).length).isLessThan(20); // ends when the server hangs up
    }
  }

  @Test
  void whoever_says_nothing_after_the_handshake_is_cut_off() throws Exception {
    try (TestServer server = start(own, "headerTimeout: 5s");
        SSLSocket socket = connect(server, own)) {
      socket.startHandshake();

      assertThat(socket.getInputStream().read()).isNegative();
    }
  }

  @Test
  void whoever_does_not_read_is_dropped_over_tls_too() throws Exception {
    try (TestServer server = start(own, "headerTimeout: 2s, writeTimeout: 100ms");
        SSLSocket socket = connect(server, own)) {
      String request = "GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n";
      assertThatThrownBy(
              () -> {
                write(socket, request.repeat(500)); // 60 MB of answers
                try (Socket stalling = new Socket("127.0.0.1", server.port())) {
                  stalling.getInputStream().read(); // so the time has passed
                }
                long read = 0;
                byte[] some = new byte[65_536];
                for (int got = 0; got >= 0; got = socket.getInputStream().read(some)) {
                  read += got;
                }
                throw new IOException("the end after " + read);
              })
          .isInstanceOf(IOException.class);
    }
  }

  @Test
  void a_connection_too_many_is_told_so_over_tls() throws Exception {
    try (TestServer server = start(own, "connections: 1");
        SSLSocket first = connect(server, own);
        SSLSocket second = connect(server, own)) {
      write(first, GET);
      assertThat(first.getInputStream().read()).isEqualTo('H');

      assertThat(ask(second, GET)).startsWith("HTTP/1.1 503").contains("http.connections");
    }
  }

  // ---- files that change

  @Test
  void a_new_certificate_is_shown_to_new_connections_and_drops_none() throws Exception {
    TestCertificate used = copy(own);
    try (TestServer server = start(used, "");
        SSLSocket old = connect(server, own)) {
      BigInteger before = serial(server, own);
      write(old, GET);
      readAnswer(old);

      rsa.replace(used);

      awaitSerial(server, before);
      write(old, GET);
      assertThat(readAnswer(old)).contains("\"status\":\"ok\"");
      try (HttpClient client = client(rsa)) {
        assertThat(get(client, server, "/healthz").body()).contains("\"status\":\"ok\"");
      }
    }
  }

  @Test
  void a_broken_certificate_changes_nothing_and_health_and_log_say_so_once() throws Exception {
    TestCertificate used = copy(own);
    try (TestServer server = start(used, "");
        HttpClient client = client(own);
        LogCapture log = new LogCapture()) {
      Files.writeString(used.key(), "no key");

      String health = awaitHealth(client, server, "degraded");

      assertThat(health).contains("http.tls.key holds no private key", "the old one stays");
      assertThat(get(client, server, "/healthz").statusCode()).isEqualTo(200);
      own.replace(used);
      awaitHealth(client, server, "ok");
      assertThat(log.sentences())
          .filteredOn(line -> line.contains("certificate"))
          .singleElement()
          .asString()
          .startsWith("The old certificate stays: http.tls.key holds no private key");
    }
  }

  @Test
  void a_certificate_that_ends_soon_is_told_of() throws Exception {
    TestCertificate ending = TestCertificate.make(made.resolve("ending"), "EC", 10);
    try (LogCapture log = new LogCapture();
        TestServer server = start(ending, "");
        HttpClient client = client(ending)) {
      assertThat(get(client, server, "/healthz").body())
          .contains("degraded", "The certificate in ", " ends at ");
      assertThat(log.sentences()).filteredOn(line -> line.contains(" ends at ")).hasSize(1);
    }
  }

  // ---- what is served

  @Test
  void events_are_followed_over_tls() throws Exception {
    try (TestServer server = start(own, "");
        SSLSocket socket = connect(server, own);
        HttpClient client = client(own)) {
      write(socket, "GET /v1/events?types=message.delivered HTTP/1.1\r\nHost: localhost\r\n\r\n");
      BufferedReader lines =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
      assertThat(lines.readLine()).isEqualTo("HTTP/1.1 200 OK");
      while (!lines.readLine().equals("retry: 2000")) {} // it is listened to

      client.send(
          HttpRequest.newBuilder(URI.create(server.address() + "/v1/messages"))
              .header("Content-Type", "application/json")
              .POST(
                  BodyPublishers.ofString("{\"account\":\"sandbox\",\"to\":\"a\",\"text\":\"x\"}"))
              .build(),
          BodyHandlers.ofString());

      String line = lines.readLine();
      while (!line.startsWith("event:")) {
        line = lines.readLine();
      }
      assertThat(line).isEqualTo("event: message.delivered");
      server.close(); // says goodbye at once; else the client would wait for it until a heartbeat
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"https, 200", "http, 403"})
  void a_page_of_the_server_itself_comes_from_https(String line) throws Exception {
    String scheme = line.split(", ")[0];
    try (TestServer server = start(own, "");
        SSLSocket socket = connect(server, own)) {
      String here = "localhost:" + server.port();
      String answer =
          ask(
              socket,
              "GET /v1/stats HTTP/1.1\r\nHost: %s\r\nOrigin: %s://%s\r\nConnection: close\r\n\r\n"
                  .formatted(here, scheme, here));

      assertThat(answer).startsWith("HTTP/1.1 " + line.split(", ")[1]);
    }
  }

  // ---- helpers

  private TestServer start(TestCertificate certificate, String further) {
    return TestServer.start(
        dir, "http: { " + certificate.yaml() + (further.isEmpty() ? "" : ", " + further) + " }");
  }

  private TestCertificate copy(TestCertificate of) throws IOException {
    return new TestCertificate(
        Files.copy(of.certificate(), dir.resolve("certificate.pem")),
        Files.copy(of.key(), dir.resolve("key.pem")),
        of.authority());
  }

  private static SSLContext trust(TestCertificate... certificates) throws Exception {
    List<String> all = new ArrayList<>();
    for (TestCertificate each : certificates) {
      all.add(Files.readString(each.authority()));
    }
    return Trust.only(
        Files.writeString(Files.createTempFile(made, "trusted", ".pem"), String.join("", all)));
  }

  private static HttpClient client(TestCertificate certificate) throws Exception {
    return HttpClient.newBuilder().sslContext(trust(certificate)).build();
  }

  private static HttpResponse<String> get(HttpClient client, TestServer server, String path)
      throws Exception {
    return client.send(
        HttpRequest.newBuilder(URI.create(server.address() + path)).build(),
        BodyHandlers.ofString());
  }

  private static SSLSocket connect(TestServer server, TestCertificate... trusted) throws Exception {
    SSLSocket socket =
        (SSLSocket) trust(trusted).getSocketFactory().createSocket("127.0.0.1", server.port());
    socket.setSoTimeout(300_000);
    return socket;
  }

  private static BigInteger serial(TestServer server, TestCertificate... trusted) throws Exception {
    try (SSLSocket socket = connect(server, trusted)) {
      return ((X509Certificate) socket.getSession().getPeerCertificates()[0]).getSerialNumber();
    }
  }

  private static void awaitSerial(TestServer server, BigInteger before) throws Exception {
    while (serial(server, own, rsa).equals(before)) {
      Thread.onSpinWait();
    }
  }

  private static String awaitHealth(HttpClient client, TestServer server, String wanted)
      throws Exception {
    String health = "";
    while (!health.contains("\"status\":\"" + wanted)) {
      health = get(client, server, "/healthz").body();
    }
    return health;
  }

  private static void write(Socket socket, String text) throws IOException {
    OutputStream out = socket.getOutputStream();
    out.write(text.getBytes(StandardCharsets.US_ASCII));
    out.flush();
  }

  /** Says it and gives all that comes back until the end. */
  private static String ask(Socket socket, String request) throws IOException {
    write(socket, request);
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    socket.getInputStream().transferTo(all);
    return all.toString(StandardCharsets.UTF_8);
  }

  /** Reads up to the end of the one JSON object that an answer holds. */
  private static String readAnswer(Socket socket) throws IOException {
    StringBuilder answer = new StringBuilder();
    while (answer.isEmpty() || answer.charAt(answer.length() - 1) != '}') {
      int next = socket.getInputStream().read();
      if (next < 0) {
        throw new SSLException("the end after: " + answer);
      }
      answer.append((char) next);
    }
    return answer.toString();
  }

  private static byte[] raw(TestServer server, byte[] request) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", server.port())) {
      socket.setSoTimeout(300_000);
      socket.getOutputStream().write(request);
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      try {
        socket.getInputStream().transferTo(all);
      } catch (java.net.SocketException e) {
        // reset: hung up as well
      }
      return all.toByteArray();
    }
  }
}
