package dev.postrider.server.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.postrider.server.tls.TestCertificate;
import dev.postrider.server.tls.TlsSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The files that settings name are looked at before anything is started. */
class TlsSettingsTest {
  @TempDir static Path made;
  @TempDir Path dir;

  private static TestCertificate own;
  private static TestCertificate other;

  @BeforeAll
  static void make() {
    own = TestCertificate.make(made.resolve("own"), "EC", 365);
    other = TestCertificate.make(made.resolve("other"), "EC", 365);
  }

  @Test
  void certificate_key_and_authority_are_taken_from_file_and_environment() {
    TlsSettings expected = new TlsSettings(own.certificate(), own.key());
    assertThat(ConfigFixture.read("").http().tls()).isNull();
    assertThat(ConfigFixture.read("").http().clusterCa()).isNull();

    ServerConfig config =
        ConfigFixture.read(
            "http: { %s }\ncluster: { ca: '%s' }".formatted(own.yaml(), own.authority()));
    ServerConfig overridden =
        ConfigFixture.read(
            "",
            Map.of(
                "POSTRIDER_HTTP_TLS_CERTIFICATE",
                own.certificate().toString(),
                "POSTRIDER_HTTP_TLS_KEY",
                own.key().toString(),
                "POSTRIDER_CLUSTER_CA",
                own.authority().toString()));

    for (ServerConfig each : new ServerConfig[] {config, overridden}) {
      assertThat(each.http().tls()).isEqualTo(expected);
      assertThat(each.http().clusterCa()).isEqualTo(own.authority());
      assertThat(each.warnings()).isEmpty();
    }
  }

  @Test
  void a_key_of_another_certificate_is_refused() {
    assertThatThrownBy(() -> read(own.certificate(), other.key()))
        .isInstanceOf(BadConfig.class)
        .hasMessageContaining("line 1")
        .hasMessageContaining("http.tls.key does not belong to the first certificate");
  }

  @Test
  void one_without_the_other_is_refused() {
    assertThatThrownBy(
            () -> ConfigFixture.read("http: { tls: { key: '%s' } }".formatted(own.key())))
        .hasMessageContaining("http.tls.key needs a certificate beside it");
    assertThatThrownBy(
            () ->
                ConfigFixture.read(
                    "http: { tls: { certificate: '%s' } }".formatted(own.certificate())))
        .hasMessageContaining("http.tls.certificate needs a key beside it");
  }

  @Test
  void a_file_that_is_not_there_is_named() {
    assertThatThrownBy(() -> read(dir.resolve("none.pem"), own.key()))
        .hasMessageContaining("http.tls.certificate is '" + dir.resolve("none.pem"))
        .hasMessageContaining("does not exist");
    assertThatThrownBy(() -> ConfigFixture.read("cluster: { ca: '" + dir + "/none.pem' }"))
        .hasMessageContaining("cluster.ca is '" + dir.resolve("none.pem"));
  }

  @ParameterizedTest
  @CsvSource({
    "not PEM, holds no private key",
    "RSA PRIVATE KEY, openssl pkcs8 -topk8",
    "EC PRIVATE KEY, openssl pkcs8 -topk8",
    "ENCRYPTED PRIVATE KEY, is encrypted",
    "PRIVATE KEY, neither RSA nor EC"
  })
  void a_key_that_cannot_be_used_is_refused_with_the_remedy(String type, String said)
      throws IOException {
    String content =
        type.equals("not PEM") ? "secret-stuff" : TestCertificate.pem(type, new byte[] {1, 2, 3});
    Path key = Files.writeString(dir.resolve("key.pem"), content);

    assertThatThrownBy(() -> read(own.certificate(), key))
        .hasMessageContaining("http.tls.key")
        .hasMessageContaining(said)
        .hasMessageNotContaining("secret-stuff");
  }

  @ParameterizedTest
  @CsvSource({"not PEM, holds no certificate", "CERTIFICATE, is the file whole?"})
  void a_certificate_that_cannot_be_read_is_refused(String type, String said) throws IOException {
    String content = type.equals("not PEM") ? "x" : TestCertificate.pem(type, new byte[] {1, 2, 3});
    Path certificate = Files.writeString(dir.resolve("certificate.pem"), content);

    assertThatThrownBy(() -> read(certificate, own.key()))
        .hasMessageContaining("http.tls.certificate")
        .hasMessageContaining(said);
    assertThatThrownBy(() -> ConfigFixture.read("cluster: { ca: '" + certificate + "' }"))
        .hasMessageContaining("cluster.ca")
        .hasMessageContaining(said);
  }

  @Test
  void a_key_that_everybody_can_read_is_warned_of() throws IOException {
    Path key = Files.copy(own.key(), dir.resolve("key.pem"));
    Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-r--r--"));

    assertThat(read(own.certificate(), key).warnings())
        .containsExactly(
            new ServerConfig.Warning(
                "http.tls.key: everybody on this machine can read %s.".formatted(key),
                "Run: chmod o-r " + key));
  }

  private static ServerConfig read(Path certificate, Path key) {
    return ConfigFixture.read(
        "http: { tls: { certificate: '%s', key: '%s' } }".formatted(certificate, key));
  }
}
