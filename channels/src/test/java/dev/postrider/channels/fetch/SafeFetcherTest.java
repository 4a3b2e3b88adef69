package dev.postrider.channels.fetch;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.channels.DeafPort;
import dev.postrider.channels.fetch.Stranger.Answer;
import dev.postrider.config.MediaSettings;
import dev.postrider.config.Network;
import dev.postrider.media.Fetcher;
import dev.postrider.media.Fetcher.Refused;
import dev.postrider.store.media.Blobs;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.ServiceLoader;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Here {@code 127.0.0.1} plays the public Internet, because the owner allows it, and {@code
 * 127.0.0.2} what only this machine can reach.
 */
class SafeFetcherTest {
  private static final Duration LONG = Duration.ofMinutes(5);
  private static final Duration SHORT = Duration.ofMillis(300);
  private static final String INTERNET = "127.0.0.1";
  private static final String PRIVATE = "127.0.0.2";
  private static final DefaultClientTlsStrategy TLS = DefaultClientTlsStrategy.createDefault();

  private final List<AutoCloseable> open = new ArrayList<>();
  private final Queue<String> lookups = new ConcurrentLinkedQueue<>();
  private boolean taken;

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : open.reversed()) {
      each.close();
    }
  }

  private Stranger stranger(Answer answer) throws IOException {
    Stranger stranger = new Stranger(answer);
    open.add(stranger);
    return stranger;
  }

  private static MediaSettings settings(Duration timeout, String... allowed) {
    return new MediaSettings(
        1 << 20, Duration.ofHours(1), timeout, 3, Stream.of(allowed).map(Network::parse).toList());
  }

  /** A fetcher for which the names of hosts stand for these addresses, one after the other. */
  private SafeFetcher fetcher(String... answers) {
    HostLookup names =
        host -> {
          lookups.add(host);
          String answer = answers[Math.min(lookups.size(), answers.length) - 1];
          return List.of(answer.split(" ")).stream()
              .map(InetAddress::ofLiteral)
              .toArray(InetAddress[]::new);
        };
    return new SafeFetcher(names, TLS);
  }

  private String fetch(String url) throws IOException {
    return fetch(fetcher(INTERNET), url, settings(LONG, INTERNET));
  }

  private String fetch(SafeFetcher fetcher, String url, MediaSettings settings) throws IOException {
    return fetcher.fetch(
        url,
        settings,
        bytes -> {
          taken = true;
          return new String(bytes.readAllBytes(), ISO_8859_1);
        });
  }

  private static String at(Stranger stranger, String path) {
    return "http://files.example:" + stranger.port() + path;
  }

  @Test
  void it_is_found_by_the_service_loader() {
    assertThat(ServiceLoader.load(Fetcher.class).findFirst()).get().isInstanceOf(SafeFetcher.class);
  }

  @Test
  void a_file_is_asked_for_as_by_a_stranger() throws Exception {
    Stranger stranger = stranger(Answer.ok("bytes"));
    assertThat(fetch(at(stranger, "/a%20b//c d|e?x=[1]&ü#part"))).isEqualTo("bytes");
    assertThat(stranger.awaitRequest().head())
        .containsExactlyInAnyOrder(
            "GET /a%20b//c%20d%7Ce?x=[1]&%C3%BC HTTP/1.1",
            "Host: files.example:" + stranger.port(),
            "Accept: */*",
            "Accept-Encoding: identity",
            "Connection: close",
            "User-Agent: Postrider");
  }

  @Test
  void a_name_in_any_script_is_looked_up_and_asked_in_ascii() throws Exception {
    Stranger stranger = stranger(Answer.ok("bytes"));
    String port = ":" + stranger.port();
    assertThat(fetch("http://münchen.example" + port)).isEqualTo("bytes");
    assertThat(lookups).containsExactly("xn--mnchen-3ya.example");
    assertThat(stranger.awaitRequest().head()).contains("Host: xn--mnchen-3ya.example" + port);
  }

  @ParameterizedTest
  @CsvSource({
    "http://files.example, files.example, -1, /",
    "http://files.example:80/a, files.example, -1, /a",
    "https://files.example:443/a, files.example, -1, /a",
    "http://files.example:443/?q, files.example, 443, /?q",
    "HTTPS://FILES.Example.:/a, files.example, -1, /a",
    "http://my_bucket.files.example/a, my_bucket.files.example, -1, /a",
    "http://münchen.example/a, xn--mnchen-3ya.example, -1, /a",
    "http://ｆｉｌｅｓ。example/a, files.example, -1, /a",
    "http://1.1.1.1/a, 1.1.1.1, -1, /a",
    "http://[2606:4700::1111]:81/a, 2606:4700::1111, 81, /a",
    "http://[::ffff:1.1.1.1]/a, ::ffff:1.1.1.1, -1, /a"
  })
  void an_address_is_read_like_this(String url, String host, int port, String target)
      throws IOException {
    FetchAddress place = FetchAddress.of(url);
    assertThat(place.name()).isEqualTo(host);
    assertThat(place.host().getPort()).isEqualTo(port);
    assertThat(place.target()).isEqualTo(target);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "file:///etc/passwd",
        "ftp://files.example/a",
        "gopher://127.0.0.1:70/_x",
        "data:text/plain,x",
        "jar:http://files.example/a.jar!/b",
        "ws://files.example/",
        "//files.example/a",
        "/etc/passwd",
        "http:files.example",
        "http:///a",
        "http://",
        "http://:80/",
        "http://user@files.example/",
        "http://user:very-secret@files.example/",
        "http://files.example\\@127.0.0.1/",
        "http://files.example:0/",
        "http://files.example:65536/",
        "http://files.example:8a/",
        "http://files.example:80:80/",
        "http://files..example/",
        "http://files.example%00.org/",
        "http://fil es.example/",
        "http://[::1/",
        "http://[::1%25lo]/",
        "http://[fe80::1%eth0]/",
        "http://[v1.x]/",
        "http://files.example\r\nX: 1/",
        "http://files.example/\ud800",
        ""
      })
  void what_is_not_a_plain_web_address_is_refused_unseen(String url) {
    assertThatThrownBy(() -> fetch(url))
        .isInstanceOf(Refused.class)
        .hasMessageNotContaining("very-secret");
    assertThat(lookups).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1",
        "127.0.0.1.",
        "127.1",
        "127.0.1",
        "2130706433",
        "017700000001",
        "0x7f000001",
        "0x7F.0.0.1",
        "0x7f.1",
        "0177.0.0.1",
        "0177.0.0.01",
        "127.0.0.0x1",
        "00000127.0.0.1",
        "4294967297",
        "１２７.０.０.１",
        "127。0。0。1",
        "①②⑦.⓪.⓪.①",
        "%31%32%37.0.0.1",
        "127%2e0.0.1",
        "0",
        "0.0.0.0",
        "localhost",
        "LOCALHOST.",
        "ⓛocalhost",
        "localhost.localdomain",
        "[::1]",
        "[0:0:0:0:0:0:0:1]",
        "[::]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        "[::127.0.0.1]",
        "[::ffff:0:127.0.0.1]",
        "[64:ff9b::127.0.0.1]",
        "[64:ff9b::7f00:1]",
        "[2002:7f00:1::]",
        "[2001:0:7f00:1::80ff:fffe]",
        "[::1%25lo]",
        "10.0.0.1",
        "172.16.0.1",
        "192.168.0.1",
        "169.254.169.254",
        "[fe80::1]",
        "[fd00:ec2::254]",
        "100.100.100.200",
        "255.255.255.255"
      })
  void no_way_of_writing_it_leads_to_a_private_address(String host) throws Exception {
    Stranger trap = stranger(Answer.ok("secret"));
    HostLookup names = InetAddress::getAllByName; // for what the system itself makes of it
    String url = "http://" + host + ":" + trap.port() + "/";
    SafeFetcher fetcher = new SafeFetcher(names, TLS);
    assertThatThrownBy(() -> fetch(fetcher, url, settings(LONG)))
        .satisfiesAnyOf(
            e -> assertThat(e).isInstanceOf(Refused.class),
            e -> assertThat(e).hasMessageContaining("has no address"));
    Stranger onTheWay = stranger(Answer.redirect(url));
    assertThatThrownBy(
            () -> {
              SafeFetcher redirected =
                  new SafeFetcher(
                      name ->
                          name.equals("files.example")
                              ? new InetAddress[] {InetAddress.ofLiteral("127.9.9.9")}
                              : names.addresses(name),
                      TLS);
              fetch(redirected, at(onTheWay, "/"), settings(LONG, "127.9.9.9"));
            })
        .satisfiesAnyOf(
            e -> assertThat(e).isInstanceOf(Refused.class),
            e -> assertThat(e).hasMessageContaining("has no address"));
    assertThat(onTheWay.requests()).hasSize(1);
    assertThat(trap.sawNobody()).isTrue();
    assertThat(taken).isFalse();
  }

  @Test
  void a_private_name_is_refused_with_the_setting_that_would_allow_it() throws Exception {
    Stranger trap = stranger(Answer.ok("secret"));
    assertThatThrownBy(() -> fetch(fetcher(PRIVATE), at(trap, "/?token=t0ken"), settings(LONG)))
        .isInstanceOf(Refused.class)
        .hasMessage(
            "files.example is at a private address, which is reached only if media.allowedNetworks"
                + " has it");
    assertThat(trap.sawNobody()).isTrue();
  }

  @Test
  void a_private_address_that_is_allowed_is_fetched_from() throws Exception {
    Stranger stranger = stranger(Answer.ok("bytes"));
    String v6 = "http://[::1]:" + stranger.port();
    assertThat(fetch(fetcher(), v6, settings(LONG, "::1"))).isEqualTo("bytes");
    String v4 = "http://127.0.0.1:" + stranger.port();
    assertThat(fetch(fetcher(), v4, settings(LONG, "127.0.0.0/8"))).isEqualTo("bytes");
  }

  @Test
  void of_several_addresses_only_those_within_reach_are_tried() throws Exception {
    Stranger stranger = stranger(Answer.ok("bytes"));
    SafeFetcher fetcher = fetcher(PRIVATE + " ::1 10.0.0.1 " + INTERNET);
    assertThat(fetch(fetcher, at(stranger, "/"), settings(LONG, INTERNET))).isEqualTo("bytes");
    assertThat(stranger.requests())
        .extracting(Stranger.Asked::at)
        .containsExactly(InetAddress.ofLiteral(INTERNET));
  }

  @Test
  void an_address_that_does_not_answer_leaves_time_for_the_next() throws Exception {
    Stranger stranger = stranger(Answer.ok("bytes"));
    SafeFetcher fetcher = fetcher("240.0.0.1 " + INTERNET);
    assertThat(
            fetch(
                fetcher, at(stranger, "/"), settings(Duration.ofSeconds(4), "240.0.0.1", INTERNET)))
        .isEqualTo("bytes");
  }

  @Test
  void a_name_that_changes_its_meaning_after_the_check_is_not_asked_again() throws Exception {
    Stranger stranger = stranger(Answer.ok("bytes"));
    SafeFetcher fetcher = fetcher(INTERNET, PRIVATE);
    assertThat(fetch(fetcher, at(stranger, "/"), settings(LONG, INTERNET))).isEqualTo("bytes");
    assertThat(lookups).hasSize(1);
    assertThat(stranger.awaitRequest().at()).isEqualTo(InetAddress.ofLiteral(INTERNET));
  }

  @Test
  void a_name_that_changes_its_meaning_between_two_hops_is_refused() throws Exception {
    Stranger stranger = stranger(Answer.redirect("/again"));
    SafeFetcher fetcher = fetcher(INTERNET, PRIVATE);
    assertThatThrownBy(() -> fetch(fetcher, at(stranger, "/"), settings(LONG, INTERNET)))
        .isInstanceOf(Refused.class)
        .hasMessageContaining("private address");
    assertThat(stranger.requests()).hasSize(1);
  }

  @Test
  void the_socket_itself_goes_nowhere_else() throws Exception {
    Stranger trap = stranger(Answer.ok("secret"));
    AllowedAddresses reach = new AllowedAddresses(List.of(Network.parse(INTERNET)));
    try (FetchChain line =
        new FetchChain(new FetchChain.Bounds(reach, LONG, "networks", "time"), HostLookup.SYSTEM)) {
      for (String host : List.of(PRIVATE, "::1", "10.0.0.1")) {
        SocketAddress to = new InetSocketAddress(host, trap.port());
        assertThatThrownBy(() -> line.socket().connect(to)).isInstanceOf(Refused.class);
        assertThatThrownBy(() -> line.socket().connect(to, 100)).isInstanceOf(Refused.class);
      }
      assertThatThrownBy(
              () -> line.socket().connect(InetSocketAddress.createUnresolved("localhost", 1)))
          .isInstanceOf(Refused.class);
    }
    assertThat(trap.sawNobody()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"/b, /b", "c?d, /x/c?d", "?e=1, /x/y?e=1", "../f, /f", "/g h, /g%20h", "'', /x/"})
  void a_redirect_is_followed_from_where_it_was_given(String location, String path)
      throws Exception {
    Stranger stranger =
        stranger(
            (asked, out) ->
                (asked.path().equals("/x/y?q") ? Answer.redirect(location) : Answer.ok("bytes"))
                    .to(asked, out));
    assertThat(fetch(at(stranger, "/x/y?q"))).isEqualTo("bytes");
    assertThat(stranger.requests())
        .extracting(Stranger.Asked::path)
        .containsExactly("/x/y?q", path);
  }

  @ParameterizedTest
  @ValueSource(ints = {301, 302, 303, 307, 308})
  void a_redirect_carries_nothing_over(int status) throws Exception {
    Stranger other = stranger(Answer.ok("bytes"));
    String there = at(other, "/there");
    Stranger stranger =
        stranger(
            Answer.of(
                "HTTP/1.1 " + status + " Moved\r\nSet-Cookie: a=b\r\nLocation: " + there, ""));
    assertThat(fetch(at(stranger, "/"))).isEqualTo("bytes");
    assertThat(other.awaitRequest().head())
        .contains("GET /there HTTP/1.1")
        .noneMatch(line -> line.startsWith("Cookie") || line.startsWith("Referer"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "file:///etc/passwd",
        "ftp://files.example/",
        "jar:http://files.example/a!/b",
        "data:text/plain,x",
        "http://user:very-secret@files.example/",
        "http://[",
        "//"
      })
  void a_redirect_to_what_is_not_a_plain_web_address_is_refused(String location) throws Exception {
    Stranger stranger = stranger(Answer.redirect(location));
    assertThatThrownBy(() -> fetch(at(stranger, "/")))
        .isInstanceOf(Refused.class)
        .hasMessageNotContaining("very-secret");
    assertThat(stranger.requests()).hasSize(1);
  }

  @Test
  void redirects_that_go_round_in_circles_end() throws Exception {
    Stranger stranger = stranger(Answer.redirect("/again"));
    assertThatThrownBy(() -> fetch(at(stranger, "/")))
        .isInstanceOf(Refused.class)
        .hasMessageContaining("media.maxRedirects");
    assertThat(stranger.requests()).hasSize(4);
  }

  @ParameterizedTest
  @ValueSource(ints = {300, 302, 304, 400, 401, 403, 404, 405, 410, 451, 499})
  void an_answer_that_will_not_change_is_final(int status) throws Exception {
    Stranger stranger =
        stranger(
            Answer.of(
                "HTTP/1.1 " + status + " X\r\nWWW-Authenticate: Basic\r\nContent-Length: 1", "x"));
    assertThatThrownBy(() -> fetch(at(stranger, "/?token=t0ken")))
        .isInstanceOf(Refused.class)
        .hasMessage("files.example answered " + status);
    assertThat(stranger.requests()).hasSize(1);
    assertThat(taken).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {408, 425, 429, 500, 502, 503, 504, 599})
  void an_answer_that_may_change_is_not(int status) throws Exception {
    Stranger stranger = stranger(Answer.of("HTTP/1.1 " + status + " X\r\nRetry-After: 0\r\n", "x"));
    assertThatThrownBy(() -> fetch(at(stranger, "/?token=t0ken")))
        .isExactlyInstanceOf(IOException.class)
        .hasMessage("files.example answered " + status);
    assertThat(stranger.requests()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "not HTTP\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nshort\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"
      })
  void an_answer_that_breaks_off_fails_for_now_and_is_not_asked_for_twice(String answer)
      throws Exception {
    Stranger stranger = stranger((_, out) -> out.write(answer.getBytes(UTF_8)));
    assertThatThrownBy(() -> fetch(at(stranger, "/?token=t0ken")))
        .isExactlyInstanceOf(IOException.class)
        .hasMessageStartingWith("files.example failed: ")
        .satisfies(e -> assertThat(trace(e)).doesNotContain("t0ken"));
    assertThat(stranger.requests()).hasSize(1);
  }

  private static String trace(Throwable failure) {
    StringWriter text = new StringWriter();
    failure.printStackTrace(new PrintWriter(text));
    return text.toString();
  }

  @Test
  void a_refused_connection_and_an_unknown_name_fail_for_now() throws Exception {
    try (DeafPort port = new DeafPort()) {
      assertThatThrownBy(() -> fetch("http://files.example:" + port.number() + "/?token=t0ken"))
          .isExactlyInstanceOf(Fetcher.Unreachable.class)
          .satisfies(e -> assertThat(trace(e)).doesNotContain("t0ken"));
    }
    HostLookup nobody =
        host -> {
          throw new UnknownHostException(host);
        };
    assertThatThrownBy(
            () -> fetch(new SafeFetcher(nobody, TLS), "http://files.example/", settings(LONG)))
        .isExactlyInstanceOf(Fetcher.Unreachable.class)
        .hasMessage("files.example has no address");
  }

  @Test
  void chunks_are_put_together_and_what_follows_the_announced_length_is_left() throws Exception {
    String chunks = "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\nT: 1\r\n";
    assertThat(fetch(at(stranger(Answer.of("HTTP/1.1 200 OK\r\n" + chunks, "")), "/")))
        .isEqualTo("abcde");
    assertThat(fetch(at(stranger(Answer.of("HTTP/1.1 200 OK\r\nContent-Length: 3", "abcde")), "/")))
        .isEqualTo("abc");
    assertThat(fetch(at(stranger(Answer.of("HTTP/1.0 200 OK", "to the end")), "/")))
        .isEqualTo("to the end");
    assertThat(fetch(at(stranger(Answer.of("HTTP/1.1 204 Nothing", "")), "/"))).isEmpty();
  }

  @Test
  void compressed_bytes_stay_as_they_were_sent() throws Exception {
    String bomb = "\u001f\u008b would unpack to very much";
    Stranger stranger =
        stranger(
            Answer.of(
                "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: " + bomb.length(),
                bomb));
    assertThat(fetch(at(stranger, "/"))).isEqualTo(bomb);
  }

  @Test
  void an_announced_length_above_the_limit_is_not_even_begun() throws Exception {
    Stranger stranger = stranger(Answer.of("HTTP/1.1 200 OK\r\nContent-Length: 1048577", ""));
    assertThatThrownBy(() -> fetch(at(stranger, "/"))).isInstanceOf(Blobs.TooLarge.class);
    assertThat(taken).isFalse();
  }

  private static final Answer ENDLESS =
      (_, out) -> {
        out.write("HTTP/1.1 200 OK\r\n\r\n".getBytes(UTF_8));
        pour(out);
      };

  private static void pour(OutputStream out) throws IOException {
    while (true) {
      out.write(new byte[8192]);
    }
  }

  @Test
  void what_the_taker_throws_comes_out_as_it_is_and_ends_an_endless_body() throws Exception {
    Blobs.TooLarge enough = new Blobs.TooLarge(100_000);
    assertThatThrownBy(
            () ->
                fetcher(INTERNET)
                    .fetch(
                        at(stranger(ENDLESS), "/"),
                        settings(LONG, INTERNET),
                        bytes -> {
                          bytes.readNBytes(100_000);
                          throw enough;
                        }))
        .isSameAs(enough);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Content-Length: 1000000\r\n", "Transfer-Encoding: chunked\r\n"})
  void a_taker_that_has_enough_does_not_have_to_wait_for_the_rest(String framing) throws Exception {
    Stranger stranger =
        stranger(
            (_, out) -> {
              out.write(("HTTP/1.1 200 OK\r\n" + framing + "\r\nff\r\nabc").getBytes(UTF_8));
              out.flush();
              new CountDownLatch(1).await();
            });
    int first =
        fetcher(INTERNET)
            .fetch(
                at(stranger, "/"),
                settings(Duration.ofHours(1), INTERNET),
                bytes -> {
                  try (bytes) {
                    return bytes.read();
                  }
                });
    assertThat(first).isPositive();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", // connected, and then silence
        "HTTP/1.1 200 OK\r\nX: ", // endless head
        "HTTP/1.1 200 OK\r\n\r\n", // endless body
        "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n",
      })
  void what_comes_too_slowly_is_cut_at_the_deadline(String start) throws Exception {
    Stranger stranger =
        stranger(
            (_, out) -> {
              out.write(start.getBytes(UTF_8));
              while (!start.isEmpty()) {
                out.write('x');
                Thread.sleep(10);
              }
              new CountDownLatch(1).await();
            });
    assertThatThrownBy(
            () ->
                fetch(fetcher(INTERNET), at(stranger, "/?token=t0ken"), settings(SHORT, INTERNET)))
        .isExactlyInstanceOf(IOException.class)
        .hasMessage("files.example took longer than the 300 ms of media.fetchTimeout")
        .satisfies(e -> assertThat(trace(e)).doesNotContain("t0ken"));
  }

  @Test
  void the_deadline_holds_over_all_redirects_together() throws Exception {
    Stranger stranger = stranger(Answer.redirect("/again"));
    MediaSettings patient =
        new MediaSettings(1, LONG, SHORT, Integer.MAX_VALUE - 1, List.of(Network.parse(INTERNET)));
    assertThatThrownBy(() -> fetch(fetcher(INTERNET), at(stranger, "/"), patient))
        .isExactlyInstanceOf(IOException.class)
        .hasMessageContaining("media.fetchTimeout");
  }

  @Test
  void a_lookup_or_a_handshake_that_takes_too_long_is_not_waited_for() throws Exception {
    HostLookup slow =
        _ -> {
          try {
            new CountDownLatch(1).await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          return new InetAddress[0];
        };
    assertThatThrownBy(
            () -> fetch(new SafeFetcher(slow, TLS), "http://files.example/", settings(SHORT)))
        .hasMessageContaining("media.fetchTimeout");
    Stranger stranger = stranger((_, _) -> new CountDownLatch(1).await());
    String https = at(stranger, "/").replace("http:", "https:");
    assertThatThrownBy(() -> fetch(fetcher(INTERNET), https, settings(SHORT, INTERNET)))
        .hasMessageContaining("media.fetchTimeout");
  }

  @ParameterizedTest
  @ValueSource(strings = {"X: 1\r\n", "x"})
  void a_head_that_never_ends_is_cut_long_before_the_deadline(String more) throws Exception {
    Stranger stranger =
        stranger(
            (_, out) -> {
              out.write("HTTP/1.1 200 OK\r\n".getBytes(UTF_8));
              while (true) {
                out.write(more.repeat(1000).getBytes(UTF_8));
              }
            });
    assertThatThrownBy(() -> fetch(fetcher(INTERNET), at(stranger, "/"), settings(LONG, INTERNET)))
        .isExactlyInstanceOf(IOException.class)
        .hasMessage("files.example failed: MessageConstraintException");
  }

  @Test
  void an_interrupted_fetch_ends_at_once() throws Exception {
    Stranger stranger =
        stranger(
            (asked, out) -> {
              if (asked.path().equals("/body")) {
                out.write("HTTP/1.1 200 OK\r\n\r\n".getBytes(UTF_8));
              }
              new CountDownLatch(1).await();
            });
    for (String path : List.of("/head", "/body")) {
      CompletableFuture<Throwable> failure = new CompletableFuture<>();
      Thread caller =
          Thread.startVirtualThread(
              () -> {
                try {
                  fetch(at(stranger, path));
                } catch (IOException e) {
                  failure.complete(Thread.currentThread().isInterrupted() ? e : null);
                }
              });
      stranger.awaitRequest();
      caller.interrupt();
      assertThat(failure.get()).hasMessageContaining("interrupted");
    }
  }

  @Test
  void an_interrupted_lookup_ends_at_once() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CompletableFuture<Throwable> failure = new CompletableFuture<>();
    HostLookup slow =
        _ -> {
          asked.countDown();
          try {
            new CountDownLatch(1).await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          return new InetAddress[0];
        };
    Thread caller =
        Thread.startVirtualThread(
            () -> {
              try {
                fetch(new SafeFetcher(slow, TLS), "http://files.example/", settings(LONG));
              } catch (IOException e) {
                failure.complete(e);
              }
            });
    asked.await();
    caller.interrupt();
    assertThat(failure.get()).hasMessageContaining("interrupted");
  }

  @Test
  void no_proxy_of_the_system_is_asked() throws Exception {
    Stranger stranger = stranger(Answer.ok("bytes"));
    Stranger proxy = stranger(Answer.ok("from the proxy"));
    Queue<URI> asked = new ConcurrentLinkedQueue<>();
    ProxySelector before = ProxySelector.getDefault();
    ProxySelector.setDefault(
        new ProxySelector() {
          @Override
          public List<Proxy> select(URI uri) {
            asked.add(uri);
            return List.of(
                new Proxy(
                    uri.getScheme().equals("socket") ? Proxy.Type.SOCKS : Proxy.Type.HTTP,
                    new InetSocketAddress(INTERNET, proxy.port())));
          }

          @Override
          public void connectFailed(URI uri, SocketAddress address, IOException cause) {}
        });
    try {
      assertThat(fetch(at(stranger, "/"))).isEqualTo("bytes");
    } finally {
      ProxySelector.setDefault(before);
    }
    assertThat(asked).isEmpty();
    assertThat(proxy.sawNobody()).isTrue();
  }
}
