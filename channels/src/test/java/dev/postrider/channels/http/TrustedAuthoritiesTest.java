package dev.postrider.channels.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.postrider.channels.Settings;
import dev.postrider.channels.TestCertificate;
import dev.postrider.config.AccountConfig;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrustedAuthoritiesTest {
  @TempDir static Path folder;
  private static TestCertificate certificate;
  private static HttpsServer platform;

  @BeforeAll
  static void start() throws Exception {
    certificate = TestCertificate.make(folder);
    platform = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    platform.setHttpsConfigurator(new HttpsConfigurator(certificate.server()));
    platform.createContext(
        "/",
        exchange -> {
          byte[] answer = "{\"ok\":true}".getBytes(UTF_8);
          exchange.sendResponseHeaders(200, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    platform.start();
  }

  @AfterAll
  static void stop() {
    platform.stop(0);
  }

  private static HttpResult ask(AccountConfig account, String host) {
    try (HttpSender http = HttpSender.of(Settings.of(account), Secrets.of())) {
      URI uri = URI.create("https://" + host + ":" + platform.getAddress().getPort() + "/");
      return http.send(HttpCall.get(uri));
    }
  }

  private static AccountConfig account() {
    return AccountConfig.of("mm", "mattermost");
  }

  @Test
  void an_account_with_the_certificates_of_its_platform_believes_it_and_another_does_not() {
    AccountConfig own = account().set("caFile", certificate.pem().toString());
    assertThat(ask(own, "localhost")).isInstanceOf(HttpResult.Response.class);
    assertThat(ask(account(), "localhost"))
        .isInstanceOfSatisfying(
            HttpResult.Unreachable.class,
            refused -> assertThat(refused.cause()).contains("SSLHandshakeException"));
  }

  @Test
  void a_file_that_is_none_is_an_error_that_names_the_setting() throws Exception {
    AccountConfig missing = account().set("caFile", folder.resolve("none.pem").toString());
    assertThatThrownBy(() -> ask(missing, "localhost"))
        .hasMessage("account mm: caFile cannot be read: NoSuchFileException");
    Path text = Files.writeString(folder.resolve("text.pem"), "hello");
    assertThatThrownBy(() -> ask(account().set("caFile", text.toString()), "localhost"))
        .hasMessage("account mm: caFile holds no certificates in PEM");
  }
}
