package dev.postrider.server.tls;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** A certificate with what leads to its authority, and its key. */
public final class Identity {
  private static final char[] NO_PASSWORD = {};
  private static final byte[] SIGNED = new byte[32];

  private final byte[] certificateFile;
  private final byte[] keyFile;
  private final List<X509Certificate> chain;
  private final SSLContext context;

  private Identity(byte[] certificateFile, byte[] keyFile) throws BadTlsFile {
    this.certificateFile = certificateFile;
    this.keyFile = keyFile;
    chain = Pem.certificates(certificateFile);
    PrivateKey key = Pem.key(keyFile);
    if (!belong(key, chain.getFirst().getPublicKey())) {
      throw new BadTlsFile(
          true,
          "does not belong to the first certificate of http.tls.certificate; give the key that the"
              + " certificate was made for, and put the server's own certificate before"
              + " the others");
    }
    context = context(key);
  }

  /** Reads both files and holds them against each other. */
  public static Identity read(TlsSettings settings) throws BadTlsFile {
    return new Identity(bytes(settings.certificate(), false), bytes(settings.key(), true));
  }

  /** All of a file, which {@code key} says to be the key's. */
  public static byte[] bytes(Path file, boolean key) throws BadTlsFile {
    try {
      return Files.readAllBytes(file);
    } catch (NoSuchFileException e) {
      throw new BadTlsFile(key, "is '" + file + "', which does not exist");
    } catch (AccessDeniedException e) {
      throw new BadTlsFile(
          key, "is '" + file + "', which the server's user may not read; give it that permission");
    } catch (IOException e) {
      throw new BadTlsFile(key, "is '" + file + "', which cannot be read: " + e.getMessage());
    }
  }

  /** Whether others on this machine could take the key. */
  public static boolean isOpenToOthers(Path key) {
    try {
      return Files.getPosixFilePermissions(key).contains(PosixFilePermission.OTHERS_READ);
    } catch (IOException | UnsupportedOperationException e) {
      return false; // not known here
    }
  }

  private static boolean belong(PrivateKey key, PublicKey publicKey) {
    try {
      if (!key.getAlgorithm().equals(publicKey.getAlgorithm())) {
        return false;
      }
      String algorithm = key.getAlgorithm().equals("RSA") ? "SHA256withRSA" : "SHA256withECDSA";
      Signature signing = Signature.getInstance(algorithm);
      signing.initSign(key);
      signing.update(SIGNED);
      Signature checking = Signature.getInstance(algorithm);
      checking.initVerify(publicKey);
      checking.update(SIGNED);
      return checking.verify(signing.sign());
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  private SSLContext context(PrivateKey key) throws BadTlsFile {
    try {
      KeyStore store = KeyStore.getInstance("PKCS12");
      store.load(null, NO_PASSWORD);
      store.setKeyEntry("server", key, NO_PASSWORD, chain.toArray(X509Certificate[]::new));
      KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
      keys.init(store, NO_PASSWORD);
      SSLContext made = SSLContext.getInstance("TLS");
      made.init(keys.getKeyManagers(), null, null);
      return made;
    } catch (GeneralSecurityException | IOException e) {
      throw new BadTlsFile(false, "cannot be used: " + e.getMessage());
    }
  }

  /** Whether it was made of these files. */
  public boolean isOf(byte[] certificates, byte[] key) {
    return Arrays.equals(certificateFile, certificates) && Arrays.equals(keyFile, key);
  }

  public SSLContext context() {
    return context;
  }

  /** When the first of its certificates ends. */
  public Instant expiry() {
    return chain.stream()
        .map(certificate -> certificate.getNotAfter().toInstant())
        .min(Comparator.naturalOrder())
        .orElseThrow();
  }
}
