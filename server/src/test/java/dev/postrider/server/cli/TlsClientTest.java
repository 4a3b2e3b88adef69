package dev.postrider.server.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.server.http.TestServer;
import dev.postrider.server.tls.TestCertificate;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command line, against a server with a private authority's certificate. */
class TlsClientTest {
  @TempDir Path dir;

  @Test
  void the_command_line_trusts_a_private_authority_when_it_is_told_to() {
    TestCertificate certificate = TestCertificate.make(dir.resolve("tls"), "EC", 365);
    try (TestServer server = TestServer.start(dir, "http: { " + certificate.yaml() + " }")) {
      Shell shell = new Shell();
      String authority = certificate.authority().toString();

      assertThat(shell.run("status", "--url", server.address())).isEqualTo(1);
      assertThat(shell.err).contains("is not safe", "--ca FILE");

      assertThat(shell.run("status", "--url", server.address(), "--ca", authority)).isZero();
      shell.environment.put("POSTRIDER_CA", authority);
      assertThat(shell.run("status", "--url", server.address())).isZero();

      assertThat(shell.run("status", "--url", server.address(), "--ca", "none.pem")).isEqualTo(2);
      assertThat(shell.err).contains("--ca is 'none.pem', which does not exist");
      assertThat(shell.run("status", "--url", server.address().replace("https", "http")))
          .isEqualTo(2);
      assertThat(shell.err).contains("Use https://");
    }
  }
}
