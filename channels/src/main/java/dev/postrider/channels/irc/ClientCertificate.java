package dev.postrider.channels.irc;

import dev.postrider.channels.Settings;
import dev.postrider.channels.http.TrustedAuthorities;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** The certificate by which a network knows us again (CertFP, SASL EXTERNAL). */
final class ClientCertificate {
  private static final Pattern KEY =
      Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");

  private ClientCertificate() {}

  /** How to speak TLS: whom to believe, and what to show; null for the usual way. */
  static @Nullable SSLContext context(Settings settings) {
    boolean certificate = !settings.text("certFile", "").isEmpty();
    if (certificate == settings.text("keyFile", "").isEmpty()) {
      throw settings.wrong(
          certificate ? "keyFile" : "certFile", "is missing; certFile and keyFile go together");
    }
    return TrustedAuthorities.of(settings, certificate ? managers(settings) : new KeyManager[0]);
  }

  private static KeyManager[] managers(Settings settings) {
    Certificate[] chain;
    try {
      chain =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(
                  new ByteArrayInputStream(
                      read(settings, "certFile").getBytes(StandardCharsets.UTF_8)))
              .toArray(Certificate[]::new);
    } catch (GeneralSecurityException e) {
      chain = new Certificate[0];
    }
    if (chain.length == 0) {
      throw settings.wrong("certFile", "holds no certificate in PEM");
    }
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      store.setKeyEntry("own", key(settings), new char[0], chain);
      KeyManagerFactory factory = KeyManagerFactory.getInstance("PKIX");
      factory.init(store, new char[0]);
      return factory.getKeyManagers();
    } catch (GeneralSecurityException | IOException e) {
      throw settings.wrong("certFile", "and keyFile do not belong together");
    }
  }

  private static PrivateKey key(Settings settings) {
    Matcher pem = KEY.matcher(read(settings, "keyFile"));
    if (pem.find()) {
      byte[] bytes = Base64.getMimeDecoder().decode(pem.group(1));
      for (String algorithm : List.of("EC", "RSA", "EdDSA")) {
        try {
          return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(bytes));
        } catch (GeneralSecurityException e) {
          // It is one of another kind.
        }
      }
    }
    throw settings.wrong(
        "keyFile",
        "holds no key that can be read; it must begin with BEGIN PRIVATE KEY (openssl pkcs8 -topk8"
            + " -nocrypt makes it so)");
  }

  private static String read(Settings settings, String key) {
    try {
      return Files.readString(Path.of(settings.text(key, "")));
    } catch (IOException | InvalidPathException e) {
      throw settings.wrong(key, "cannot be read: " + e.getClass().getSimpleName());
    }
  }
}
