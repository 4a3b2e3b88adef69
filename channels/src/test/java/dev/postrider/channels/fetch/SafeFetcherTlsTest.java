package dev.postrider.channels.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.channels.fetch.Stranger.Answer;
import dev.postrider.config.MediaSettings;
import dev.postrider.config.Network;
import dev.postrider.media.Fetcher;
import dev.postrider.media.Fetcher.Refused;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.apache.hc.client5.http.ssl.TlsSocketStrategy;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SafeFetcherTlsTest {
  private static final char[] PASSWORD = "not-secret".toCharArray();
  private static final MediaSettings SETTINGS =
      new MediaSettings(
          1 << 20,
          Duration.ofHours(1),
          Duration.ofSeconds(60),
          3,
          List.of(Network.parse("127.0.0.1")));

  /** Serves and trusts one self-signed certificate. */
  private static SSLContext context;

  @BeforeAll
  static void certify(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("keys.p12");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    command.addAll(List.of("-genkeypair -alias a -keyalg EC -dname CN=nobody -ext".split(" ")));
    command.add("SAN=dns:files.example,dns:xn--mnchen-3ya.example");
    command.addAll(List.of("-keystore", file.toString(), "-storepass", new String(PASSWORD)));
    Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
    keytool.getInputStream().readAllBytes();
    assertThat(keytool.waitFor()).isZero();
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream bytes = Files.newInputStream(file)) {
      keys.load(bytes, PASSWORD);
    }
    KeyManagerFactory own = KeyManagerFactory.getInstance("PKIX");
    own.init(keys, PASSWORD);
    TrustManagerFactory trusted = TrustManagerFactory.getInstance("PKIX");
    trusted.init(keys);
    context = SSLContext.getInstance("TLS");
    context.init(own.getKeyManagers(), trusted.getTrustManagers(), null);
  }

  private static Stranger stranger(Answer answer) throws IOException {
    return new Stranger(context.getServerSocketFactory().createServerSocket(0), answer);
  }

  private static String fetch(TlsSocketStrategy tls, String host, Stranger from)
      throws IOException {
    HostLookup names = _ -> new InetAddress[] {InetAddress.ofLiteral("127.0.0.1")};
    return new SafeFetcher(names, tls)
        .fetch(
            "https://" + host + ":" + from.port() + "/?token=t0ken",
            SETTINGS,
            bytes -> new String(bytes.readAllBytes(), StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @ValueSource(strings = {"files.example", "files.example.", "münchen.example"})
  void a_host_with_a_certificate_we_trust_is_fetched_from(String host) throws Exception {
    try (Stranger stranger = stranger(Answer.ok("bytes"))) {
      assertThat(fetch(new DefaultClientTlsStrategy(context), host, stranger)).isEqualTo("bytes");
    }
  }

  @Test
  void a_certificate_nobody_vouches_for_is_not_accepted() throws Exception {
    try (Stranger stranger = stranger(Answer.ok("bytes"))) {
      assertThatThrownBy(
              () ->
                  new SafeFetcher()
                      .fetch(
                          "https://127.0.0.1:" + stranger.port() + "/?token=t0ken",
                          SETTINGS,
                          bytes -> bytes))
          .isExactlyInstanceOf(Fetcher.Unreachable.class)
          .hasMessageStartingWith("127.0.0.1 cannot be trusted: ")
          .hasMessageContaining("PKIX")
          .hasMessageNotContaining("t0ken");
      assertThat(stranger.requests()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"other.example", "127.0.0.1"})
  void a_certificate_of_somebody_else_is_not_accepted(String host) throws Exception {
    try (Stranger stranger = stranger(Answer.ok("bytes"))) {
      assertThatThrownBy(() -> fetch(new DefaultClientTlsStrategy(context), host, stranger))
          .isExactlyInstanceOf(Fetcher.Unreachable.class)
          .hasMessageStartingWith(host + " cannot be trusted: ");
      assertThat(stranger.requests()).isEmpty();
    }
  }

  @Test
  void a_redirect_from_https_to_http_is_refused() throws Exception {
    try (Stranger plain = new Stranger(Answer.ok("bytes"));
        Stranger stranger =
            stranger(Answer.redirect("http://files.example:" + plain.port() + "/"))) {
      assertThatThrownBy(
              () -> fetch(new DefaultClientTlsStrategy(context), "files.example", stranger))
          .isInstanceOf(Refused.class)
          .hasMessage("files.example redirects from https to http");
      assertThat(plain.sawNobody()).isTrue();
    }
  }

  @Test
  void a_redirect_from_https_to_https_is_followed() throws Exception {
    try (Stranger stranger =
        stranger(
            (asked, out) ->
                (asked.path().equals("/b") ? Answer.ok("bytes") : Answer.redirect("/b"))
                    .to(asked, out))) {
      assertThat(fetch(new DefaultClientTlsStrategy(context), "files.example", stranger))
          .isEqualTo("bytes");
    }
  }
}
