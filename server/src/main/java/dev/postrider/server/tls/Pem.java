package dev.postrider.server.tls;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads certificates and keys in the form that all tools write: base64 between two lines. */
final class Pem {
  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([A-Za-z0-9+/=\\s]*)-----END \\1-----");
  private static final String UNREADABLE_TYPES = "RSA PRIVATE KEY|EC PRIVATE KEY|DSA PRIVATE KEY";

  private record Block(String type, byte[] content) {}

  private Pem() {}

  private static List<Block> blocks(byte[] file) {
    List<Block> blocks = new ArrayList<>();
    Matcher matcher = BLOCK.matcher(new String(file, StandardCharsets.ISO_8859_1));
    while (matcher.find()) {
      blocks.add(new Block(matcher.group(1), decoded(matcher.group(2))));
    }
    return blocks;
  }

  private static byte[] decoded(String base64) {
    try {
      return Base64.getMimeDecoder().decode(base64);
    } catch (IllegalArgumentException e) {
      return new byte[0]; // whoever parses it says what is wrong
    }
  }

  /** All certificates of a file, in its order. */
  static List<X509Certificate> certificates(byte[] file) throws BadTlsFile {
    List<X509Certificate> certificates = new ArrayList<>();
    for (Block block : blocks(file)) {
      if (block.type().equals("CERTIFICATE")) {
        certificates.add(certificate(block.content()));
      }
    }
    if (certificates.isEmpty()) {
      throw new BadTlsFile(
          false,
          "holds no certificate; it must be PEM, with a line -----BEGIN CERTIFICATE-----."
              + " From DER: openssl x509 -inform der -in FILE -out FILE.pem");
    }
    return certificates;
  }

  private static X509Certificate certificate(byte[] content) throws BadTlsFile {
    try {
      return (X509Certificate)
          CertificateFactory.getInstance("X.509")
              .generateCertificate(new ByteArrayInputStream(content));
    } catch (CertificateException e) {
      throw new BadTlsFile(false, "holds a certificate that cannot be read; is the file whole?");
    }
  }

  /** The private key of a file. */
  static PrivateKey key(byte[] file) throws BadTlsFile {
    List<Block> blocks = blocks(file);
    for (Block block : blocks) {
      if (block.type().equals("PRIVATE KEY")) {
        return key(new PKCS8EncodedKeySpec(block.content()));
      }
    }
    for (Block block : blocks) {
      if (block.type().equals("ENCRYPTED PRIVATE KEY")) {
        throw new BadTlsFile(
            true,
            "is encrypted; give one that is not, readable for the server alone:"
                + " openssl pkcs8 -in FILE -out FILE.pem");
      }
      if (block.type().matches(UNREADABLE_TYPES)) {
        throw new BadTlsFile(
            true,
            "is in an older form; convert it to PKCS#8:"
                + " openssl pkcs8 -topk8 -nodes -in FILE -out FILE.pem");
      }
    }
    throw new BadTlsFile(
        true, "holds no private key; it must be PEM, with a line -----BEGIN PRIVATE KEY-----");
  }

  private static PrivateKey key(PKCS8EncodedKeySpec spec) throws BadTlsFile {
    for (String algorithm : List.of("RSA", "EC")) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(spec);
      } catch (GeneralSecurityException e) {
        // not of this kind
      }
    }
    throw new BadTlsFile(true, "holds a key that is neither RSA nor EC, or that is not whole");
  }
}
