package dev.postrider.channels.http;

import dev.postrider.channel.Channel;
import dev.postrider.channels.Settings;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Whom an account believes to be its platform, if that has a certificate of its own making. */
public final class TrustedAuthorities {
  private static final String KEY = "caFile";

  /** What {@link #of} reads. */
  public static final Channel.Setting SETTING =
      new Channel.Setting(
          KEY,
          false,
          false,
          "a PEM file: only servers vouched for by its certificates are believed");

  private TrustedAuthorities() {}

  /** How to speak TLS with the account's platform; null for the usual way. */
  public static @Nullable SSLContext of(Settings settings) {
    return of(settings, new KeyManager[0]);
  }

  /**
   * The same, with a certificate of our own to show.
   *
   * @param own empty for none
   */
  public static @Nullable SSLContext of(Settings settings, KeyManager[] own) {
    String file = settings.text(KEY, "");
    if (file.isEmpty()) {
      return own.length == 0 ? null : showing(own);
    }
    try (InputStream pem = Files.newInputStream(Path.of(file))) {
      return only(CertificateFactory.getInstance("X.509").generateCertificates(pem), own);
    } catch (IOException | InvalidPathException e) {
      throw settings.wrong(KEY, "cannot be read: " + e.getClass().getSimpleName());
    } catch (GeneralSecurityException e) {
      throw settings.wrong(KEY, "holds no certificates in PEM");
    }
  }

  private static SSLContext showing(KeyManager[] own) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(own, null, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this Java speaks no TLS", e);
    }
  }

  private static SSLContext only(Collection<? extends Certificate> authorities, KeyManager[] own)
      throws GeneralSecurityException, IOException {
    if (authorities.isEmpty()) {
      throw new GeneralSecurityException("empty");
    }
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    for (Certificate authority : authorities) {
      store.setCertificateEntry("authority-" + store.size(), authority);
    }
    TrustManagerFactory managers = TrustManagerFactory.getInstance("PKIX");
    managers.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(own, managers.getTrustManagers(), null);
    return context;
  }
}
