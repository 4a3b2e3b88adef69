package dev.postrider.server.tls;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Whom clients of ours believe. */
public final class Trust {
  private Trust() {}

  /** Only servers whose certificate is in the file, or was signed by one that is. */
  public static SSLContext only(Path authorities) throws BadTlsFile {
    byte[] file = Identity.bytes(authorities, false);
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, null);
      int count = 0;
      for (X509Certificate certificate : Pem.certificates(file)) {
        store.setCertificateEntry("authority-" + count++, certificate);
      }
      TrustManagerFactory managers = TrustManagerFactory.getInstance("PKIX");
      managers.init(store);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, managers.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new BadTlsFile(false, "cannot be used: " + e.getMessage());
    }
  }
}
