package dev.postrider.channels.token;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.PlainJWT;
import com.nimbusds.jwt.SignedJWT;
import dev.postrider.channels.StillTime;
import dev.postrider.channels.http.Json;
import dev.postrider.channels.peers.VerifiedAgainst;
import dev.postrider.channels.token.SignedToken.Result;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

@VerifiedAgainst(
    value = "Nimbus JOSE + JWT 10.5",
    channels = {"msteams", "googlechat"})
class SignedTokenTest {
  private static final String ISSUER = "https://api.botframework.com";
  private static final Base64.Encoder BASE64 = Base64.getUrlEncoder().withoutPadding();
  private static final KeyPair OLD = pair(2048);
  private static final KeyPair NEW = pair(2048);

  private final StillTime time = new StillTime();
  private @Nullable JsonNode published = keys(Map.of("old", OLD));
  private int fetches;
  private final SignedToken tokens =
      new SignedToken(
          new SigningKeys(
              time,
              () -> {
                fetches++;
                return published;
              }),
          ISSUER,
          "our-app");
  private final Map<String, Object> claims = new HashMap<>();

  private static KeyPair pair(int bits) {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
      generator.initialize(bits);
      return generator.generateKeyPair();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static JsonNode keys(Map<String, KeyPair> pairs) {
    List<Map<String, String>> all = new ArrayList<>();
    pairs.forEach(
        (id, pair) -> {
          RSAPublicKey key = (RSAPublicKey) pair.getPublic();
          all.add(
              Map.of(
                  "kty",
                  "RSA",
                  "use",
                  "sig",
                  "kid",
                  id,
                  "n",
                  BASE64.encodeToString(key.getModulus().toByteArray()),
                  "e",
                  BASE64.encodeToString(key.getPublicExponent().toByteArray())));
        });
    return Json.tree(Map.of("keys", all));
  }

  @BeforeEach
  void genuine() {
    Instant now = time.instant();
    claims.put("iss", ISSUER);
    claims.put("aud", "our-app");
    claims.put("nbf", now.minusSeconds(60).getEpochSecond());
    claims.put("exp", now.plusSeconds(3600).getEpochSecond());
  }

  private String token(String alg, String kid, KeyPair pair) throws Exception {
    String signed =
        BASE64.encodeToString(Json.write(Map.of("alg", alg, "kid", kid)).getBytes(UTF_8))
            + "."
            + BASE64.encodeToString(Json.write(claims).getBytes(UTF_8));
    Signature signer = Signature.getInstance("SHA256withRSA");
    signer.initSign(pair.getPrivate());
    signer.update(signed.getBytes(UTF_8));
    return signed + "." + BASE64.encodeToString(signer.sign());
  }

  private Result check(@Nullable String token) {
    return tokens.check(token, time.instant());
  }

  private String forged() throws Exception {
    return check(token("RS256", "old", OLD)) instanceof Result.Forged(String why) ? why : "";
  }

  @Test
  void a_genuine_token_is_taken_and_the_keys_are_fetched_once() throws Exception {
    claims.put("serviceurl", "https://smba.example");
    for (int i = 0; i < 3; i++) {
      assertThat(check(token("RS256", "old", OLD)))
          .isInstanceOfSatisfying(
              Result.Genuine.class,
              it ->
                  assertThat(it.claims().path("serviceurl").asString())
                      .isEqualTo("https://smba.example"));
    }
    assertThat(fetches).isOne();
    claims.put("aud", List.of("another", "our-app"));
    assertThat(forged()).isEmpty();
  }

  // ---- what somebody else's library makes

  private static JWTClaimsSet theirClaims(Instant now) {
    return new JWTClaimsSet.Builder()
        .issuer(ISSUER)
        .audience(List.of("our-app"))
        .notBeforeTime(Date.from(now.minusSeconds(60)))
        .expirationTime(Date.from(now.plusSeconds(3600)))
        .claim("serviceurl", "https://smba.example/äöü")
        .build();
  }

  private static String signed(JWSHeader head, JWTClaimsSet claims, JWSSigner with)
      throws JOSEException {
    SignedJWT token = new SignedJWT(head, claims);
    token.sign(with);
    return token.serialize();
  }

  @Test
  void a_token_and_keys_that_another_library_made_are_taken() throws Exception {
    RSAKey key = new RSAKeyGenerator(2048).keyID("theirs").keyUse(KeyUse.SIGNATURE).generate();
    ECKey other = new ECKeyGenerator(Curve.P_256).keyID("curve").generate();
    published = Json.readObject(new JWKSet(List.of(other, key)).toString());
    JWSHeader head = header(JWSAlgorithm.RS256, "theirs");
    assertThat(check(signed(head, theirClaims(time.instant()), new RSASSASigner(key))))
        .isInstanceOfSatisfying(
            Result.Genuine.class,
            it ->
                assertThat(it.claims().path("serviceurl").asString())
                    .isEqualTo("https://smba.example/äöü"));
  }

  @Test
  void what_another_library_makes_without_the_platforms_key_is_forged() throws Exception {
    RSAKey key = new RSAKeyGenerator(2048).keyID("theirs").generate();
    RSAKey strangers = new RSAKeyGenerator(2048).keyID("theirs").generate();
    ECKey curve = new ECKeyGenerator(Curve.P_256).keyID("curve").generate();
    published = Json.readObject(new JWKSet(List.of(key, curve)).toString());
    JWTClaimsSet claims = theirClaims(time.instant());
    JWSSigner publicKey = new MACSigner(key.toRSAPublicKey().getEncoded());
    for (String forged :
        List.of(
            signed(header(JWSAlgorithm.RS256, "theirs"), claims, new RSASSASigner(strangers)),
            signed(header(JWSAlgorithm.HS256, "theirs"), claims, publicKey),
            signed(header(JWSAlgorithm.RS512, "theirs"), claims, new RSASSASigner(key)),
            signed(header(JWSAlgorithm.PS256, "theirs"), claims, new RSASSASigner(key)),
            signed(header(JWSAlgorithm.ES256, "curve"), claims, new ECDSASigner(curve)),
            new PlainJWT(claims).serialize())) {
      assertThat(check(forged)).as(forged).isInstanceOf(Result.Forged.class);
    }
  }

  private static JWSHeader header(JWSAlgorithm algorithm, String key) {
    return new JWSHeader.Builder(algorithm).keyID(key).build();
  }

  @Test
  void what_is_not_signed_by_the_platform_is_forged() throws Exception {
    assertThat(check(null)).isInstanceOf(Result.Forged.class);
    assertThat(check("a.b.c")).isInstanceOf(Result.Forged.class);
    assertThat(check("x".repeat(20_000))).isInstanceOf(Result.Forged.class);
    assertThat(check(token("RS256", "old", NEW)))
        .isEqualTo(new Result.Forged("the token's signature is wrong"));
    assertThat(check(token("none", "old", OLD)))
        .isEqualTo(new Result.Forged("the token is not signed with RS256"));
    assertThat(check(token("HS256", "old", OLD))).isInstanceOf(Result.Forged.class);
    String good = token("RS256", "old", OLD);
    assertThat(check(good.substring(0, good.lastIndexOf('.') + 1)))
        .isEqualTo(new Result.Forged("the token's signature is wrong"));
  }

  @Test
  void a_token_of_another_issuer_for_another_or_of_another_time_is_forged() throws Exception {
    claims.put("iss", "https://evil.example");
    assertThat(forged()).isEqualTo("the token is issued by somebody else");
    claims.put("iss", ISSUER);
    claims.put("aud", "another-app");
    assertThat(forged()).isEqualTo("the token is for somebody else");
    claims.put("aud", "our-app");
    claims.put("exp", time.instant().minusSeconds(301).getEpochSecond());
    assertThat(forged()).isEqualTo("the token is not good at this time");
    claims.remove("exp");
    assertThat(forged()).isEqualTo("the token is not good at this time");
    genuine();
    claims.put("nbf", time.instant().plusSeconds(301).getEpochSecond());
    assertThat(forged()).isEqualTo("the token is not good at this time");
  }

  @Test
  void a_new_key_is_found_and_strangers_cannot_make_us_ask_often() throws Exception {
    check(token("RS256", "old", OLD));
    published = keys(Map.of("old", OLD, "new", NEW));
    assertThat(check(token("RS256", "new", NEW)))
        .as("just asked")
        .isInstanceOf(Result.Forged.class);
    for (int i = 0; i < 100; i++) {
      check(token("RS256", "stranger-" + i, NEW));
    }
    assertThat(fetches).isOne();

    time.pass(Duration.ofMinutes(1));
    assertThat(check(token("RS256", "new", NEW))).isInstanceOf(Result.Genuine.class);
    assertThat(fetches).isEqualTo(2);
  }

  @Test
  void a_key_that_is_withdrawn_is_forgotten_and_one_stays_while_the_platform_is_away()
      throws Exception {
    assertThat(forged()).isEmpty();
    time.pass(Duration.ofHours(7));
    genuine();
    published = null;
    assertThat(forged()).as("it does not tell").isEmpty();

    published = keys(Map.of("new", NEW));
    time.pass(Duration.ofMinutes(1));
    assertThat(forged())
        .isEqualTo("the token is signed with a key that the platform does not have");
  }

  @Test
  void while_the_platform_does_not_tell_its_keys_nobody_is_called_a_forger() throws Exception {
    published = null;
    assertThat(check(token("RS256", "old", OLD))).isInstanceOf(Result.Unverified.class);
    assertThat(check(token("RS256", "old", OLD)))
        .as("not asked")
        .isInstanceOf(Result.Unverified.class);

    published = keys(Map.of("old", OLD));
    time.pass(Duration.ofSeconds(2));
    assertThat(check(token("RS256", "old", OLD))).isInstanceOf(Result.Genuine.class);
    assertThat(check(token("RS256", "new", NEW))).isInstanceOf(Result.Forged.class);
  }

  @Test
  void a_platform_that_goes_on_failing_is_asked_less_and_less_often() throws Exception {
    published = null;
    for (int second = 0; second < 5 * 60; second++) {
      assertThat(check(token("RS256", "old", OLD))).isInstanceOf(Result.Unverified.class);
      time.pass(Duration.ofSeconds(1));
    }
    assertThat(fetches).as("after 2, 4, 8, 16, 32 s, then each minute").isEqualTo(9);

    published = keys(Map.of("old", OLD));
    time.pass(Duration.ofMinutes(1));
    assertThat(check(token("RS256", "old", OLD))).isInstanceOf(Result.Genuine.class);
    published = null;
    time.pass(Duration.ofHours(7));
    check(token("RS256", "new", NEW));
    time.pass(Duration.ofSeconds(2));
    check(token("RS256", "new", NEW));
    assertThat(fetches).as("soon again, since it did tell meanwhile").isEqualTo(12);
  }

  @Test
  void short_keys_and_what_is_no_key_are_left_out() throws Exception {
    KeyPair weak = pair(1024);
    published = keys(Map.of("weak", weak, "old", OLD));
    assertThat(check(token("RS256", "weak", weak))).isInstanceOf(Result.Forged.class);
    assertThat(check(token("RS256", "old", OLD))).isInstanceOf(Result.Genuine.class);
  }

  @Test
  void a_set_without_a_key_of_use_is_no_set() throws Exception {
    published = Json.tree(Map.of("keys", List.of(Map.of("kid", "a", "kty", "RSA", "n", "?"))));
    assertThat(check(token("RS256", "a", OLD))).isInstanceOf(Result.Unverified.class);
    published = keys(Map.of("old", OLD));
    time.pass(Duration.ofSeconds(2));
    assertThat(check(token("RS256", "old", OLD))).isInstanceOf(Result.Genuine.class);
  }
}
