package dev.postrider.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.postrider.server.tls.TestCertificate;
import dev.postrider.server.tls.Trust;
import dev.postrider.testkit.internal.postgres.PostgresServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Servers of a cluster that ask each other over HTTPS. */
class TlsClusterTest {
  private final PostgresServer database = PostgresServer.shared();
  private final String store = database.newSchema();
  @TempDir Path dir;
  private TestCertificate certificate;

  @BeforeEach
  void make() {
    certificate = TestCertificate.make(dir.resolve("tls"), "EC", 365);
  }

  @AfterEach
  void drop() {
    database.drop(store);
  }

  @Test
  void a_neighbour_is_asked_over_https_and_believed_if_cluster_ca_says_so() throws Exception {
    try (TestServer owner = start("owner", "");
        TestServer trusting = start("trusting", ", ca: '" + certificate.authority() + "'");
        TestServer stranger = start("stranger", "");
        HttpClient client =
            HttpClient.newBuilder().sslContext(Trust.only(certificate.authority())).build()) {
      assertThat(check(client, owner).statusCode()).isEqualTo(200);
      assertThat(check(client, trusting).statusCode()).isEqualTo(200);
      HttpResponse<String> refused = check(client, stranger);
      assertThat(refused.statusCode()).isEqualTo(503);
      assertThat(refused.body()).contains("is not trusted", "cluster.ca");
    }
  }

  private TestServer start(String node, String further) {
    return TestServer.sharing(
        store,
        "cluster: { node: %s%s }\nhttp: { %s }\naccounts: [ { id: a, channel: sandbox } ]"
            .formatted(node, further, certificate.yaml()));
  }

  private static HttpResponse<String> check(HttpClient client, TestServer at) throws Exception {
    return client.send(
        HttpRequest.newBuilder(URI.create(at.address() + "/v1/accounts/a/check"))
            .POST(BodyPublishers.noBody())
            .build(),
        BodyHandlers.ofString());
  }
}
