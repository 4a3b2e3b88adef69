package dev.postrider.channels.token;

import dev.postrider.channels.http.Json;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.Signature;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Checks tokens (JWT) with which a platform proves that a request is its own: signed by one of its
 * keys with RS256 and nothing else, issued by it, for us, now. Thread-safe.
 *
 * @param issuer who must have issued it
 * @param audience whom it must be for
 */
public record SignedToken(SigningKeys keys, String issuer, String audience) {
  /** How far clocks may be apart. */
  private static final Duration APART = Duration.ofMinutes(5);

  private static final int LONGEST = 16_384;

  /** Whether a token is genuine, with what it says, or why it is not. */
  public sealed interface Result {
    record Genuine(JsonNode claims) implements Result {}

    record Forged(String why) implements Result {}

    /** The platform does not tell its keys. */
    record Unverified(String why) implements Result {}
  }

  public Result check(@Nullable String token, Instant now) {
    String[] pieces =
        token == null || token.length() > LONGEST ? new String[0] : token.split("\\.", -1);
    JsonNode head = pieces.length == 3 ? object(pieces[0]) : null;
    JsonNode claims = pieces.length == 3 ? object(pieces[1]) : null;
    if (head == null || claims == null) {
      return new Result.Forged("there is no token");
    }
    if (!head.path("alg").asString("").equals("RS256")) {
      return new Result.Forged("the token is not signed with RS256");
    }
    SigningKeys.Found found = keys.find(head.path("kid").asString(""));
    PublicKey key = found.key();
    if (key == null) {
      return found.told()
          ? new Result.Forged("the token is signed with a key that the platform does not have")
          : new Result.Unverified("the platform's keys cannot be had");
    }
    if (!verifies(key, pieces)) {
      return new Result.Forged("the token's signature is wrong");
    }
    if (!claims.path("iss").asString("").equals(issuer)) {
      return new Result.Forged("the token is issued by somebody else");
    }
    if (!isForUs(claims.path("aud"))) {
      return new Result.Forged("the token is for somebody else");
    }
    return isOf(claims, now)
        ? new Result.Genuine(claims)
        : new Result.Forged("the token is not good at this time");
  }

  private boolean isForUs(JsonNode audiences) {
    return audiences.isArray()
        ? audiences.valueStream().anyMatch(one -> one.asString("").equals(audience))
        : audiences.asString("").equals(audience);
  }

  /** A token without an end would be good for ever. */
  private static boolean isOf(JsonNode claims, Instant now) {
    Long end = Json.count(claims.path("exp"));
    Long begin = Json.count(claims.path("nbf"));
    long seconds = now.getEpochSecond();
    return end != null
        && seconds - APART.toSeconds() < end
        && (begin == null || seconds + APART.toSeconds() >= begin);
  }

  private static boolean verifies(PublicKey key, String[] pieces) {
    try {
      Signature verifier = Signature.getInstance("SHA256withRSA");
      verifier.initVerify(key);
      verifier.update((pieces[0] + "." + pieces[1]).getBytes(StandardCharsets.US_ASCII));
      return verifier.verify(Base64.getUrlDecoder().decode(pieces[2]));
    } catch (IllegalArgumentException | GeneralSecurityException e) {
      return false;
    }
  }

  private static @Nullable JsonNode object(String piece) {
    try {
      return Json.readObject(
          new String(Base64.getUrlDecoder().decode(piece), StandardCharsets.UTF_8));
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
