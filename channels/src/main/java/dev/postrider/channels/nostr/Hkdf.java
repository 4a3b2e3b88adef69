package dev.postrider.channels.nostr;

import java.security.GeneralSecurityException;
import javax.crypto.KDF;
import javax.crypto.spec.HKDFParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** HKDF with SHA-256 (RFC 5869), the JDK's. */
final class Hkdf {
  private static final String ALGORITHM = "HKDF-SHA256";

  private Hkdf() {}

  static byte[] extract(byte[] salt, byte[] material) {
    return derive(HKDFParameterSpec.ofExtract().addSalt(salt).addIKM(material).extractOnly());
  }

  static byte[] expand(byte[] key, byte[] info, int length) {
    return derive(HKDFParameterSpec.expandOnly(new SecretKeySpec(key, "Generic"), info, length));
  }

  private static byte[] derive(HKDFParameterSpec parameters) {
    try {
      return KDF.getInstance(ALGORITHM).deriveData(parameters);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK from 25 on has " + ALGORITHM, e);
    }
  }
}
