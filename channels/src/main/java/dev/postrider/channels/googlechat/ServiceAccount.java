package dev.postrider.channels.googlechat;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postrider.channels.Settings;
import dev.postrider.channels.WebAddress;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.http.Secrets;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * Who an app is to Google: the contents of the key file that the Cloud console gives out.
 *
 * @param email what the account is called
 * @param keyId which of its keys this is
 * @param tokenUrl where it gets access tokens
 */
record ServiceAccount(String email, String keyId, PrivateKey key, URI tokenUrl, Secrets secrets) {
  private static final String SCOPE = "https://www.googleapis.com/auth/chat.bot";
  private static final String USUAL_TOKEN_URL = "https://oauth2.googleapis.com/token";
  private static final int LASTS_SECONDS = 3600; // the longest that Google takes
  private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();

  static ServiceAccount of(Settings settings) {
    JsonNode file = Json.readObject(settings.required("serviceAccount"));
    String email = file == null ? "" : file.path("client_email").asString("");
    if (file == null
        || email.isEmpty()
        || !file.path("type").asString("").equals("service_account")) {
      throw settings.wrong(
          "serviceAccount",
          "is not the contents of a service account's key file (JSON); write"
              + " \"${file:/path/to/key.json}\"");
    }
    String pem = file.path("private_key").asString("");
    String body = pem.replaceAll("-----[A-Z ]+-----|\\s", "");
    String told = file.path("token_uri").asString(USUAL_TOKEN_URL);
    String address = settings.web("tokenUrl", WebAddress.of(told) == null ? USUAL_TOKEN_URL : told);
    return new ServiceAccount(
        email,
        file.path("private_key_id").asString(""),
        key(settings, body),
        URI.create(address),
        Secrets.of(pem, body));
  }

  private static PrivateKey key(Settings settings, String body) {
    try {
      return KeyFactory.getInstance("RSA")
          .generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(body)));
    } catch (IllegalArgumentException | GeneralSecurityException e) {
      throw settings.wrong(
          "serviceAccount", "has no private_key that can be read; make a new key of type JSON");
    }
  }

  /** What a token is asked for with: a statement by this account, good for an hour. */
  String assertion(Instant now) {
    Map<String, Object> head = new LinkedHashMap<>();
    head.put("alg", "RS256");
    head.put("typ", "JWT");
    head.put("kid", keyId);
    Map<String, Object> claims = new LinkedHashMap<>();
    claims.put("iss", email);
    claims.put("scope", SCOPE);
    claims.put("aud", tokenUrl.toString());
    claims.put("iat", now.getEpochSecond());
    claims.put("exp", now.getEpochSecond() + LASTS_SECONDS);
    String signed = encoded(head) + "." + encoded(claims);
    try {
      Signature signer = Signature.getInstance("SHA256withRSA");
      signer.initSign(key);
      signer.update(signed.getBytes(UTF_8));
      return signed + "." + BASE64.encodeToString(signer.sign());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every Java platform signs with RSA", e);
    }
  }

  private static String encoded(Map<String, Object> object) {
    return BASE64.encodeToString(Json.write(object).getBytes(UTF_8));
  }

  /** Without the key. */
  @Override
  public String toString() {
    return "ServiceAccount[" + email + "]";
  }
}
