package dev.postrider.channels.synology;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.postrider.channel.Link;
import dev.postrider.channel.Outcome;
import dev.postrider.channels.TestAccount;
import dev.postrider.channels.TestCertificate;
import dev.postrider.config.AccountConfig;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SynologyTlsTest {
  @Test
  void a_nas_that_vouches_for_itself_is_believed_with_its_certificate_only(@TempDir Path folder)
      throws Exception {
    TestCertificate certificate = TestCertificate.make(folder);
    HttpsServer nas =
        HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    nas.setHttpsConfigurator(new HttpsConfigurator(certificate.server()));
    nas.createContext(
        "/webapi/entry.cgi",
        exchange -> {
          byte[] answer = "{\"success\":true}".getBytes(UTF_8);
          exchange.getRequestBody().readAllBytes();
          exchange.sendResponseHeaders(200, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    nas.start();
    try {
      AccountConfig account =
          AccountConfig.of("sy", "synology-chat")
              .set("baseUrl", "https://localhost:" + nas.getAddress().getPort())
              .set("token", FakeNas.TOKEN);

      assertThat(send(account)).isInstanceOf(Outcome.Unreachable.class);
      assertThat(send(account.set("caFile", certificate.pem().toString())))
          .isInstanceOf(Outcome.Delivered.class);
    } finally {
      nas.stop(0);
    }
  }

  private static Outcome send(AccountConfig config) throws Exception {
    TestAccount account = TestAccount.of(config);
    try (Link link = new SynologyChannel().open(account)) {
      return link.send(account.part("4", "hello"));
    }
  }
}
