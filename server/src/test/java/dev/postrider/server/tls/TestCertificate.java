package dev.postrider.server.tls;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;

/**
 * A certificate for this machine, made by the JDK's keytool: signed by an authority of its own,
 * with everything in PEM files.
 *
 * @param certificate the server's, then the authority's
 */
public record TestCertificate(Path certificate, Path key, Path authority) {
  private static final char[] PASSWORD = "changeit".toCharArray();

  public static TestCertificate make(Path dir, String algorithm, int days) {
    try {
      Files.createDirectories(dir);
      Path store = dir.resolve("store.p12");
      keytool(store, "ca", algorithm, 3650, "-ext", "bc:c");
      keytool(
          store,
          "server",
          algorithm,
          days,
          "-signer",
          "ca",
          "-ext",
          "san=dns:localhost,ip:127.0.0.1");
      KeyStore keys = KeyStore.getInstance("PKCS12");
      try (InputStream in = Files.newInputStream(store)) {
        keys.load(in, PASSWORD);
      }
      StringBuilder chain = new StringBuilder();
      for (Certificate each : keys.getCertificateChain("server")) {
        chain.append(pem("CERTIFICATE", each.getEncoded()));
      }
      Path key = dir.resolve("key.pem");
      Files.writeString(key, pem("PRIVATE KEY", keys.getKey("server", PASSWORD).getEncoded()));
      Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
      return new TestCertificate(
          Files.writeString(dir.resolve("certificate.pem"), chain),
          key,
          Files.writeString(
              dir.resolve("ca.pem"), pem("CERTIFICATE", keys.getCertificate("ca").getEncoded())));
    } catch (IOException | GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  private static void keytool(
      Path store, String alias, String algorithm, int days, String... further) {
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-J-XX:TieredStopAtLevel=1",
                "-genkeypair",
                "-keystore",
                store.toString(),
                "-storepass",
                new String(PASSWORD),
                "-alias",
                alias,
                "-dname",
                "CN=" + alias,
                "-keyalg",
                algorithm,
                "-validity",
                Integer.toString(days)));
    command.addAll(List.of(further));
    run(command);
  }

  static String run(List<String> command) {
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (process.waitFor() != 0) {
        throw new AssertionError(said);
      }
      return said;
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  public static String pem(String type, byte[] content) {
    String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
    return "-----BEGIN %1$s-----%n%2$s%n-----END %1$s-----%n".formatted(type, base64);
  }

  /** Puts this one's files in the place of another's, the certificate first. */
  public void replace(TestCertificate other) {
    try {
      Files.copy(certificate, other.certificate, StandardCopyOption.REPLACE_EXISTING);
      Files.copy(key, other.key, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** The settings of a server that shows it. */
  public String yaml() {
    return "tls: { certificate: '%s', key: '%s' }".formatted(certificate, key);
  }
}
