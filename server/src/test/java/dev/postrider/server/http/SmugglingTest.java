package dev.postrider.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Requests of which two readers may see different ends, against a real server: behind each stands
 * what one of them would take for a second request. Whoever lets requests through by their paths
 * has seen one only, so there must be no second one.
 */
class SmugglingTest {
  private static final String SECOND =
      request("smuggled", "{\"account\":\"sandbox\",\"to\":\"smuggled\",\"text\":\"x\"}");
  private static final String BODY = "{\"account\":\"sandbox\",\"to\":\"first\",\"text\":\"x\"}";
  private static final int LENGTH = BODY.length();
  private static final String HEX = Integer.toHexString(LENGTH);
  private static final String CHUNKED = HEX + "\r\n" + BODY + "\r\n0\r\n\r\n";
  private static final int ALL = CHUNKED.length() + SECOND.length();

  /** The status of an answer that is the last word; it may stand right behind a body. */
  private static final Pattern ANSWER = Pattern.compile("HTTP/1\\.[01] ([2-5]\\d\\d)");

  @TempDir Path dir;
  private TestServer server;

  @BeforeEach
  void start() {
    server =
        TestServer.start(
            dir,
            """
            http: { failuresPerMinute: 100000 }
            accounts:
              - { id: sandbox, channel: sandbox }
              - { id: tg, channel: telegram, token: "1:x", baseUrl: "http://127.0.0.1:1", \
            webhookSecret: s3cret }
            """);
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static String request(String name, String body) {
    return "POST /v1/messages?x=%s HTTP/1.1\r\nHost: localhost\r\n".formatted(name)
        + "Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
            .formatted(body.length(), body);
  }

  // ---- the tricks

  /** By what is odd about it: header lines, and all that follows the head. */
  private static Map<String, String> tricks() {
    Map<String, String> tricks = new LinkedHashMap<>();
    lengths(tricks);
    encodings(tricks);
    lines(tricks);
    chunks(tricks);
    return tricks;
  }

  private static void put(Map<String, String> tricks, String lines, String rest) {
    tricks.put(lines, lines + "\r\n\r\n" + rest);
  }

  private static void lengths(Map<String, String> tricks) {
    String two = BODY + SECOND;
    String length = "Content-Length: " + LENGTH;
    String longer = "Content-Length: " + two.length();
    put(tricks, length + "\r\n" + longer, two);
    put(tricks, longer + "\r\n" + length, two);
    put(tricks, length + "\r\ncontent-length: " + two.length(), two);
    put(tricks, length + ", " + two.length(), two);
    put(tricks, longer + ", " + LENGTH, two);
    for (String odd :
        new String[] {
          "+" + LENGTH,
          "-" + LENGTH,
          "0x" + HEX,
          LENGTH + ".0",
          LENGTH + "e0",
          LENGTH + "_0",
          LENGTH + ";",
          LENGTH + " " + LENGTH,
          LENGTH + "\u000b",
          "\u0000" + LENGTH,
          "\u0665" + LENGTH,
          "" + ((1L << 32) + LENGTH),
          "184467440737095516" + (16 + LENGTH),
          ""
        }) {
      put(tricks, "Content-Length: " + odd, two);
    }
    put(tricks, "Content-Length : " + LENGTH, two);
    put(tricks, "Content-Length\t: " + LENGTH, two);
  }

  private static void encodings(Map<String, String> tricks) {
    String both = CHUNKED + SECOND;
    String chunked = "Transfer-Encoding: chunked";
    for (String length : new String[] {"" + ALL, "" + CHUNKED.length(), "0", "" + LENGTH}) {
      put(tricks, "Content-Length: " + length + "\r\n" + chunked, both);
      put(tricks, chunked + "\r\nContent-Length: " + length, both);
    }
    put(tricks, "Content-Length: " + LENGTH + "\r\n" + chunked + "\r\nX: plain", BODY + SECOND);
    for (String odd :
        new String[] {
          "Transfer-Encoding: chunked, identity",
          "Transfer-Encoding: identity, chunked",
          "Transfer-Encoding: chunked, chunked",
          "Transfer-Encoding: gzip, chunked",
          "Transfer-Encoding: xchunked",
          "Transfer-Encoding: chunkedx",
          "Transfer-Encoding: chunked;q=1",
          "Transfer-Encoding: \"chunked\"",
          "Transfer-Encoding: \u000bchunked",
          "Transfer-Encoding: chunked\u0000",
          "Transfer-Encoding: identity",
          "Transfer-Encoding:",
          "Transfer-Encoding : chunked",
          "Transfer-Encoding\t: chunked",
          " Transfer-Encoding: chunked",
          "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity",
          "Transfer-Encoding: identity\r\nTransfer-Encoding: chunked",
          "Transfer-Encoding:\r\n chunked",
          "X: y\rTransfer-Encoding: chunked",
          "X: y\nTransfer-Encoding: chunked",
        }) {
      put(tricks, odd, both);
      put(tricks, "Content-Length: " + ALL + "\r\n" + odd, both);
      put(tricks, odd + "\r\nContent-Length: " + ALL, both);
      put(tricks, "Content-Length: " + CHUNKED.length() + "\r\n" + odd, both);
    }
  }

  private static void lines(Map<String, String> tricks) {
    String two = BODY + SECOND;
    String length = "Content-Length: " + LENGTH;
    put(tricks, "Content-Length:\r\n " + LENGTH, two);
    put(tricks, "X: y\r\n " + length, two);
    put(tricks, "X: y\r\n\t" + length, two);
    put(tricks, "X: y\r" + length, two);
    put(tricks, "X: y\n" + length, two);
    put(tricks, length + "\rX: y", two);
    put(tricks, length + "\nX: y", two);
    put(tricks, "X: y\r\r\n" + length, two);
    put(tricks, "no colon\r\n" + length, two);
    put(tricks, "a name: y\r\n" + length, two);
    put(tricks, "X: \u0000\r\n" + length, two);
    tricks.put("a head that ends with line feeds", length + "\n\n" + two);
    tricks.put("a head that ends in the middle", "X: y\n\n" + SECOND);
    tricks.put("a head that ends with carriage returns", length + "\r\r" + two);
    tricks.put("an empty line of one carriage return", length + "\r\n\r" + two);
  }

  private static void chunks(Map<String, String> tricks) {
    String end = "\r\n0\r\n\r\n" + SECOND;
    for (String size :
        new String[] {
          "+" + HEX,
          "-" + HEX,
          "0x" + HEX,
          HEX + "\n" + BODY + end,
          "\n" + HEX,
          " " + HEX,
          HEX + " x",
          HEX + ",",
          HEX + "\u0000",
          HEX + ";a\nb",
          HEX + ";a\rb",
          HEX + "\r;a",
          HEX + ";a=\"\n\"",
          "1" + "0".repeat(8) + HEX,
          "1" + "0".repeat(16) + HEX,
          "",
        }) {
      put(tricks, "Transfer-Encoding: chunked\r\nX: " + tricks.size(), size + "\r\n" + BODY + end);
    }
    String chunk = HEX + "\r\n" + BODY;
    for (String rest :
        new String[] {
          "\n0\r\n\r\n",
          "\r0\r\n\r\n",
          "XX0\r\n\r\n",
          "0\r\n\r\n",
          "\r\n0\n\n",
          "\r\n0\r\r",
          "\r\n0\r\n\n",
          "\r\n0\r\nX: y\n\r\n",
          "\r\n0\r\nX: y\r\n z\n\n",
          "\r\n0\r\nno colon\r\n\r\n",
          "\r\n00;\n\r\n\r\n",
          "\r\n-0\r\n\r\n",
        }) {
      put(tricks, "Transfer-Encoding: chunked\r\nX: " + tricks.size(), chunk + rest + SECOND);
    }
  }

  // ---- what becomes of them

  /** What is said to it. Nothing follows, so whoever waits for more need not. */
  private static String talk(int port, String bytes) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    try (Socket socket = new Socket("127.0.0.1", port)) {
      socket.setSoTimeout(300_000);
      socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
      socket.shutdownOutput();
      socket.getInputStream().transferTo(all);
    } catch (SocketException e) {
      // the other side has hung up before it had read everything: what it had said counts
    }
    return all.toString(StandardCharsets.UTF_8);
  }

  /** The last second request that was let in, if one was. */
  private String lastSmuggled() {
    TestServer.Reply list = server.get("/v1/messages?to=smuggled&limit=1");
    assertThat(list.status()).isEqualTo(200);
    return list.json().at("/items/0/id").asString("none");
  }

  private static List<String> answers(String said) {
    return ANSWER.matcher(said).results().map(answer -> answer.group(1)).toList();
  }

  /** Says what is wrong with the answer to a request, if anything is. */
  private void check(String trick, String said, String before, List<String> wrong) {
    List<String> answers = answers(said);
    if (answers.size() > 1
        || answers.stream().anyMatch(status -> status.startsWith("5"))
        || !lastSmuggled().equals(before)) {
      String seen = trick.replace("\r", "\\r").replace("\n", "\\n");
      wrong.add("<%s>: %s".formatted(seen, answers));
    }
  }

  @Test
  void no_request_of_doubtful_length_is_answered_twice_or_lets_another_in() throws IOException {
    List<String> wrong = new ArrayList<>();
    for (Map.Entry<String, String> trick : tricks().entrySet()) {
      for (String version : new String[] {"1.1", "1.0"}) {
        String before = lastSmuggled();
        String head =
            "POST /v1/messages HTTP/%s\r\nHost: localhost\r\nConnection: keep-alive\r\n"
                    .formatted(version)
                + "Content-Type: application/json\r\n";
        String said = talk(server.port(), head + trick.getValue());
        check(version + " " + trick.getKey(), said, before, wrong);
      }
    }

    assertThat(wrong).isEmpty();
    assertThat(server.get("/healthz").status()).isEqualTo(200);
  }

  @Test
  void the_body_of_a_request_that_needs_none_is_no_request() throws IOException {
    List<String> wrong = new ArrayList<>();
    for (String line :
        new String[] {
          "GET /healthz",
          "HEAD /healthz",
          "DELETE /v1/dead-letters/x",
          "GET /v1/nothing",
          "POST /v1/nothing",
          "PUT /v1/messages",
          "BREW /v1/messages",
          "POST /v1/accounts/sandbox/check",
          "POST /hooks/nobody",
          "POST /hooks/tg",
        }) {
      for (String more : new String[] {"", "\r\nExpect: 100-continue", "\r\nContent-Type: x/y"}) {
        for (String version : new String[] {"1.1", "1.0"}) {
          String before = lastSmuggled();
          String head =
              "%s HTTP/%s\r\nHost: localhost\r\nConnection: keep-alive\r\nContent-Length: %d%s"
                  .formatted(line, version, SECOND.length(), more);
          String said = talk(server.port(), head + "\r\n\r\n" + SECOND);
          check(head, said, before, wrong);
        }
      }
    }

    assertThat(wrong).isEmpty();
  }

  @Test
  void requests_behind_one_another_are_answered_in_turn_up_to_the_first_that_is_none()
      throws IOException {
    String before = lastSmuggled();
    String get = "GET %s HTTP/1.1\r\nHost: localhost\r\n%s\r\n";
    String good = request("first", BODY) + get.formatted("/v1/nothing", "");

    String said = talk(server.port(), good + get.formatted("/healthz", "X: \u0000\r\n") + SECOND);

    assertThat(answers(said)).containsExactly("202", "404", "400");
    assertThat(lastSmuggled()).isEqualTo(before);
  }

  /** A proxy may know another path or host in it, and let it through for that. */
  @Test
  void a_request_line_or_host_that_can_be_read_in_two_ways_is_refused() throws IOException {
    List<String> wrong = new ArrayList<>();
    for (String first :
        new String[] {
          "GET http://localhost/v1/stats HTTP/1.1",
          "GET http://elsewhere/v1/stats HTTP/1.1",
          "GET //elsewhere/v1/stats HTTP/1.1",
          "GET localhost/v1/stats HTTP/1.1",
          "GET localhost:80 HTTP/1.1",
          "CONNECT localhost:80 HTTP/1.1",
          "OPTIONS * HTTP/1.1",
          "GET /v1/stats;x=y HTTP/1.1",
          "GET /v1;/stats HTTP/1.1",
          "GET /v1/stats#x HTTP/1.1",
          "GET /hooks/../v1/stats HTTP/1.1",
          "GET /hooks/..;/v1/stats HTTP/1.1",
          "GET /hooks/%2e%2e/v1/stats HTTP/1.1",
          "GET /v1/./stats HTTP/1.1",
          "GET /v1//stats HTTP/1.1",
          "GET /v1/%73tats HTTP/1.1",
          "GET /v1%2fstats HTTP/1.1",
          "GET /v1\\stats HTTP/1.1",
          "GET  /v1/stats HTTP/1.1",
          "GET\t/v1/stats HTTP/1.1",
          "GET /v1/stats x HTTP/1.1",
          "GET /v1/stats HTTP/1.1 HTTP/1.1",
          "GET /v1/stats HTTP/1.2",
          "GET /v1/stats",
          "\r\nGET /v1/stats HTTP/1.1",
          "GET /v1/stats HTTP/1.1\r\nHost: elsewhere",
          "GET /v1/stats HTTP/1.0\r\nHost: elsewhere",
          "PRI * HTTP/2.0",
        }) {
      List<String> answers = answers(talk(server.port(), first + "\r\nHost: localhost\r\n\r\n"));
      if (!answers.equals(List.of("400")) && !answers.equals(List.of("404"))) {
        wrong.add("<%s>: %s".formatted(first, answers));
      }
    }

    assertThat(wrong).isEmpty();
  }

  /** It lets webhooks through and keeps its connections to the server for the next request. */
  @Test
  void no_request_gets_past_nginx_in_the_body_of_another() throws Exception {
    String upstream =
        """
        upstream behind { server 127.0.0.1:%d; keepalive 1; }
        keepalive_timeout 0;
        """
            .formatted(server.port());
    String location =
        """
        if ($request_uri !~ "^/hooks/") { return 403; }
        proxy_http_version 1.1;
        proxy_set_header Host localhost;
        proxy_set_header Connection "";
        proxy_request_buffering off;
        proxy_ignore_client_abort on;
        proxy_pass http://behind;
        """;
    List<String> wrong = new ArrayList<>();
    try (Nginx nginx = new Nginx(dir, upstream, location)) {
      int port = URI.create(nginx.address()).getPort();
      for (Map.Entry<String, String> trick : tricks().entrySet()) {
        String before = lastSmuggled();
        String said = talk(port, "POST /hooks/tg HTTP/1.1\r\nHost: x\r\n" + trick.getValue());
        String next = talk(port, "GET /hooks/nobody HTTP/1.1\r\nHost: x\r\n\r\n");
        if (!next.startsWith("HTTP/1.1 404") || !lastSmuggled().equals(before)) {
          wrong.add("<%s>: %s, then %s".formatted(trick.getKey(), said, next));
        }
      }
    }

    assertThat(wrong).isEmpty();
  }
}
