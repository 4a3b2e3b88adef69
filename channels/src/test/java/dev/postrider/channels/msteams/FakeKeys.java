package dev.postrider.channels.msteams;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.postrider.channels.http.Json;
import dev.postrider.testkit.platform.FakePlatform;
import dev.postrider.testkit.platform.Reply;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The keys that Microsoft publishes, and tokens signed with them. */
public final class FakeKeys implements AutoCloseable {
  public static final String ISSUER = "https://api.botframework.com";
  private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();
  static final KeyPair OURS = pair();
  static final KeyPair OTHER = pair();

  final FakePlatform platform = FakePlatform.start();
  private final Map<String, Map<String, Object>> published = new LinkedHashMap<>();

  public FakeKeys() {
    publish("key-1", OURS, List.of("msteams", "skype"));
    platform.when(
        request -> request.path().equals("/openid"),
        _ ->
            Reply.json(
                200,
                Json.write(Map.of("issuer", ISSUER, "jwks_uri", platform.baseUrl() + "/keys"))));
    platform.when(
        request -> request.path().equals("/keys"),
        _ -> Reply.json(200, Json.write(Map.of("keys", new ArrayList<>(published.values())))));
  }

  public String address() {
    return platform.baseUrl() + "/openid";
  }

  void publish(String id, KeyPair pair, @Nullable List<String> endorsements) {
    RSAPublicKey key = (RSAPublicKey) pair.getPublic();
    Map<String, Object> fields = new HashMap<>();
    fields.put("kty", "RSA");
    fields.put("use", "sig");
    fields.put("kid", id);
    fields.put("n", BASE64.encodeToString(key.getModulus().toByteArray()));
    fields.put("e", BASE64.encodeToString(key.getPublicExponent().toByteArray()));
    if (endorsements != null) {
      fields.put("endorsements", endorsements);
    }
    published.put(id, fields);
  }

  private static KeyPair pair() {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(2048);
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  /** What a genuine token says. */
  public static Map<String, Object> claims(String audience, String service, Instant now) {
    Map<String, Object> claims = new HashMap<>();
    claims.put("iss", ISSUER);
    claims.put("aud", audience);
    claims.put("serviceurl", service);
    claims.put("nbf", now.minusSeconds(60).getEpochSecond());
    claims.put("exp", now.plusSeconds(3600).getEpochSecond());
    return claims;
  }

  public static String token(Map<String, Object> claims) {
    return token("key-1", OURS, claims);
  }

  static String token(String id, KeyPair pair, Map<String, Object> claims) {
    try {
      String signed =
          BASE64.encodeToString(Json.write(Map.of("alg", "RS256", "kid", id)).getBytes(UTF_8))
              + "."
              + BASE64.encodeToString(ascii(Json.write(claims)).getBytes(UTF_8));
      Signature signer = Signature.getInstance("SHA256withRSA");
      signer.initSign(pair.getPrivate());
      signer.update(signed.getBytes(UTF_8));
      return signed + "." + BASE64.encodeToString(signer.sign());
    } catch (GeneralSecurityException e) {
      throw new AssertionError(e);
    }
  }

  /** So that halves of characters survive, too. */
  private static String ascii(String json) {
    StringBuilder all = new StringBuilder();
    json.chars()
        .forEach(c -> all.append(c < 127 ? String.valueOf((char) c) : "\\u%04x".formatted(c)));
    return all.toString();
  }

  @Override
  public void close() {
    platform.close();
  }
}
