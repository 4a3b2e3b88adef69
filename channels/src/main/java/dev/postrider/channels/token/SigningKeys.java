package dev.postrider.channels.token;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.spec.RSAPublicKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The RSA keys that a platform publishes (JWKS) and signs with. They are fetched when first needed,
 * when they are old, and when a key is named that is not among them, since platforms change keys;
 * but not often, whatever strangers name. While the platform does not tell, those from before are
 * used, and it is asked again soon, since whatever needs the keys has to come a second time.
 * Thread-safe.
 */
public final class SigningKeys {
  private static final Duration FRESH = Duration.ofHours(6);
  private static final Duration AT_MOST_EVERY = Duration.ofMinutes(1);
  private static final Duration AFTER_FAILURE = Duration.ofSeconds(2);
  private static final int SHORTEST = 2048;

  private final InstantSource clock;
  private final Supplier<@Nullable JsonNode> fetch;
  private Map<String, PublicKey> keys = Map.of(); // guarded by this
  private Instant fetchedAt = Instant.MIN; // guarded by this
  private Instant askAgainAt = Instant.MIN; // guarded by this
  private int failures; // in a row; guarded by this

  /**
   * @param fetch asks the platform for its key set; null if it does not say
   */
  public SigningKeys(InstantSource clock, Supplier<@Nullable JsonNode> fetch) {
    this.clock = clock;
    this.fetch = fetch;
  }

  /**
   * What there is of a key.
   *
   * @param key null if there is none of this name
   * @param told whether the platform has told its keys when it was last asked
   */
  record Found(@Nullable PublicKey key, boolean told) {}

  synchronized Found find(String id) {
    Instant now = clock.instant();
    boolean old = fetchedAt.isBefore(now.minus(FRESH));
    if ((old || !keys.containsKey(id)) && !now.isBefore(askAgainAt)) {
      JsonNode set = fetch.get();
      Map<String, PublicKey> told = set == null ? Map.of() : read(set.path("keys"));
      now = clock.instant(); // asking may have taken long
      if (told.isEmpty()) {
        askAgainAt = now.plus(patience());
        failures++;
      } else {
        keys = told;
        fetchedAt = now;
        askAgainAt = now.plus(AT_MOST_EVERY);
        failures = 0;
      }
    }
    return new Found(keys.get(id), failures == 0);
  }

  private Duration patience() {
    Duration growing = AFTER_FAILURE.multipliedBy(1L << Math.min(failures, 5));
    return growing.compareTo(AT_MOST_EVERY) < 0 ? growing : AT_MOST_EVERY;
  }

  private static Map<String, PublicKey> read(JsonNode set) {
    Map<String, PublicKey> keys = new HashMap<>();
    for (JsonNode one : set) {
      String id = one.path("kid").asString("");
      PublicKey key = id.isEmpty() ? null : rsa(one);
      if (key != null) {
        keys.put(id, key);
      }
    }
    return keys;
  }

  private static @Nullable PublicKey rsa(JsonNode one) {
    if (!one.path("kty").asString("").equals("RSA")
        || !one.path("use").asString("sig").equals("sig")) {
      return null;
    }
    try {
      BigInteger modulus = number(one.path("n").asString(""));
      return modulus.bitLength() < SHORTEST
          ? null
          : KeyFactory.getInstance("RSA")
              .generatePublic(new RSAPublicKeySpec(modulus, number(one.path("e").asString(""))));
    } catch (IllegalArgumentException | GeneralSecurityException e) {
      return null;
    }
  }

  private static BigInteger number(String text) {
    return new BigInteger(1, Base64.getUrlDecoder().decode(text));
  }
}
