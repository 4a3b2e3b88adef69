package dev.postrider.channels;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * A certificate for localhost that nobody vouches for.
 *
 * @param server what a server shows it with
 * @param pem the certificate, for those who are to believe it
 * @param key its key, in PEM
 */
public record TestCertificate(SSLContext server, Path pem, Path key) {

  public static TestCertificate make(Path folder) throws Exception {
    Path store = folder.resolve("key.p12");
    List<String> command =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
            "-genkeypair",
            "-alias",
            "own",
            "-keyalg",
            "RSA", // as Java writes the others, not everybody reads them
            "-dname",
            "CN=localhost",
            "-ext",
            "SAN=dns:localhost,ip:127.0.0.1",
            "-validity",
            "2",
            "-keystore",
            store.toString(),
            "-storetype",
            "PKCS12",
            "-storepass",
            "hush-hush");
    Process keytool = new ProcessBuilder(command).redirectErrorStream(true).start();
    String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (keytool.waitFor() != 0) {
      throw new IllegalStateException(said);
    }
    char[] password = "hush-hush".toCharArray();
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream file = Files.newInputStream(store)) {
      keys.load(file, password);
    }
    KeyManagerFactory managers = KeyManagerFactory.getInstance("PKIX");
    managers.init(keys, password);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    return new TestCertificate(
        context,
        pem(folder.resolve("ca.pem"), "CERTIFICATE", keys.getCertificate("own").getEncoded()),
        pem(folder.resolve("key.pem"), "PRIVATE KEY", keys.getKey("own", password).getEncoded()));
  }

  private static Path pem(Path file, String what, byte[] content) throws IOException {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
    return Files.writeString(
        file, "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n");
  }
}
