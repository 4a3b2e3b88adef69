package dev.postrider.channels.googlechat;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postrider.channels.http.Json;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/** Keys as Google gives them out and publishes them, and tokens signed with them. */
public final class GoogleKeys {
  /** An app's own. */
  static final KeyPair APP = pair();

  /** Google's. */
  static final KeyPair GOOGLE = pair();

  private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

  private GoogleKeys() {}

  static KeyPair pair() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(2048);
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  static String privateKey() {
    return Base64.getMimeEncoder(64, new byte[] {'\n'})
        .encodeToString(APP.getPrivate().getEncoded());
  }

  /** The key file of a service account. */
  public static String file(String tokenUrl) {
    return Json.write(
        Map.of(
            "type",
            "service_account",
            "project_id",
            "postrider-test",
            "private_key_id",
            "k1",
            "private_key",
            "-----BEGIN PRIVATE KEY-----\n" + privateKey() + "\n-----END PRIVATE KEY-----\n",
            "client_email",
            "rider@postrider-test.iam.gserviceaccount.com",
            "token_uri",
            tokenUrl));
  }

  /** What is published of a key. */
  public static String published(KeyPair pair) {
    RSAPublicKey key = (RSAPublicKey) pair.getPublic();
    return Json.write(
        Map.of(
            "keys",
            List.of(
                Map.of(
                    "kty",
                    "RSA",
                    "alg",
                    "RS256",
                    "use",
                    "sig",
                    "kid",
                    "g1",
                    "n",
                    BASE64.encodeToString(key.getModulus().toByteArray()),
                    "e",
                    BASE64.encodeToString(key.getPublicExponent().toByteArray())))));
  }

  /** A token with these claims. */
  static String token(KeyPair pair, Map<String, ?> claims) {
    String signed =
        BASE64.encodeToString("{\"alg\":\"RS256\",\"kid\":\"g1\"}".getBytes(UTF_8))
            + "."
            + BASE64.encodeToString(Json.write(claims).getBytes(UTF_8));
    try {
      Signature signer = Signature.getInstance("SHA256withRSA");
      signer.initSign(pair.getPrivate());
      signer.update(signed.getBytes(UTF_8));
      return signed + "." + BASE64.encodeToString(signer.sign());
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  /** A token by Google, as Chat sends it with an event for this project. */
  public static String eventToken(String project, long until) {
    return token(
        GOOGLE, Map.of("iss", "chat@system.gserviceaccount.com", "aud", project, "exp", until));
  }

  /** The keys that {@link #eventToken} is checked with. */
  public static String publishedByGoogle() {
    return published(GOOGLE);
  }
}
